from quaestor.models.native.model import NativeModel

__all__ = ["NativeModel"]
