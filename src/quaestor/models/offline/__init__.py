from quaestor.models.offline.model import OfflineModel

__all__ = ["OfflineModel"]
