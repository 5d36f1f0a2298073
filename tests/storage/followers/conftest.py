"""The targets that the suite runs against.

A new one is one more entry of `REPLICAS`, or of `TARGETS` where it cannot be read back.
"""

from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from pathlib import Path
from uuid import uuid4

import pytest

from fakes.collector import Collector
from fakes.ferretdb import FerretDB, ferretdb
from quaestor.contracts.follower import Follower, Replica
from quaestor.storage.followers import open_follower

__all__ = ["ferretdb"]

Open = Callable[[], Follower]
"""Opens the one target anew, as another process would."""


def _mongo(request: pytest.FixtureRequest, _: Path) -> str:
    server = request.getfixturevalue("ferretdb")
    assert isinstance(server, FerretDB)
    return server.url(f"test_{uuid4().hex}")


def _collector(request: pytest.FixtureRequest, _: Path) -> str:
    collector = request.getfixturevalue("collector")
    assert isinstance(collector, Collector)
    return f"otlp+{collector.url}"


REPLICAS: Mapping[str, Callable[[pytest.FixtureRequest, Path], str]] = {
    "a file": lambda _, folder: f"jsonl:{folder}/new/log.jsonl",
    "a folder": lambda _, folder: f"jsonl:{folder}/new/logs/",
    "mongo": _mongo,
}
TARGETS = {**REPLICAS, "a collector": _collector}


@pytest.fixture(scope="session")
def collector() -> Iterator[Collector]:
    with Collector() as collector:
        yield collector


@pytest.fixture(params=TARGETS)
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    return TARGETS[request.param](request, tmp_path)


@pytest.fixture(params=REPLICAS)
def replica_url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    return REPLICAS[request.param](request, tmp_path)


@pytest.fixture
async def open_at(tmp_path: Path) -> AsyncIterator[Callable[[str], Follower]]:
    """Open followers, and close them in the end."""
    followers: list[Follower] = []

    def call(url: str) -> Follower:
        followers.append(open_follower(url, tmp_path / "state"))
        return followers[-1]

    yield call
    for follower in followers:
        await follower.close()


@pytest.fixture
def opened(open_at: Callable[[str], Follower], url: str) -> Open:
    return lambda: open_at(url)


@pytest.fixture
def follower(opened: Open) -> Follower:
    return opened()


@pytest.fixture
def open_replica_at(open_at: Callable[[str], Follower]) -> Callable[[str], Replica]:
    """Open followers whose events can be read back."""

    def call(url: str) -> Replica:
        follower = open_at(url)
        assert isinstance(follower, Replica)
        return follower

    return call


@pytest.fixture
def reopened(open_replica_at: Callable[[str], Replica], replica_url: str) -> Callable[[], Replica]:
    return lambda: open_replica_at(replica_url)


@pytest.fixture
def replica(reopened: Callable[[], Replica]) -> Replica:
    return reopened()
