"""Copies of the log elsewhere: in MongoDB, or in files of JSON lines."""

from quaestor.storage.followers.factory import open_follower

__all__ = ["open_follower"]
