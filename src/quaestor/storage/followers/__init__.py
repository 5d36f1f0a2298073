"""Copies of the log elsewhere: in MongoDB, or in files of JSON lines."""

from quaestor.storage.followers.registry import open_follower

__all__ = ["open_follower"]
