from quaestor.models.chat.line import Line
from quaestor.models.chat.model import ChatModel

__all__ = ["ChatModel", "Line"]
