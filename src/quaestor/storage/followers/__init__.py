"""Copies of the log elsewhere: in MongoDB, in files of JSON lines, or as traces of OpenTelemetry."""

from quaestor.storage.followers.factory import open_follower, open_replica

__all__ = ["open_follower", "open_replica"]
