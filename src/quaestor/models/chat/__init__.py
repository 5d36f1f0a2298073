from quaestor.models.chat.connection import ProviderConnection
from quaestor.models.chat.model import ChatModel

__all__ = ["ChatModel", "ProviderConnection"]
