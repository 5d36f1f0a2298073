"""The targets that the suite runs against. A new one is one more entry of `TARGETS`."""

from collections.abc import AsyncIterator, Callable, Mapping
from pathlib import Path
from uuid import uuid4

import pytest

from fakes.ferretdb import FerretDB, ferretdb
from quaestor.contracts.follower import Follower
from quaestor.storage.followers import open_follower

__all__ = ["ferretdb"]

Open = Callable[[], Follower]
"""Opens the one target anew, as another process would."""


def _mongo(request: pytest.FixtureRequest, _: Path) -> str:
    server = request.getfixturevalue("ferretdb")
    assert isinstance(server, FerretDB)
    return server.url(f"test_{uuid4().hex}")


TARGETS: Mapping[str, Callable[[pytest.FixtureRequest, Path], str]] = {
    "a file": lambda _, folder: f"jsonl:{folder}/new/log.jsonl",
    "a folder": lambda _, folder: f"jsonl:{folder}/new/logs/",
    "mongo": _mongo,
}


@pytest.fixture(params=TARGETS)
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    return TARGETS[request.param](request, tmp_path)


@pytest.fixture
async def open_at() -> AsyncIterator[Callable[[str], Follower]]:
    """Open followers, and close them in the end."""
    followers: list[Follower] = []

    def call(url: str) -> Follower:
        followers.append(open_follower(url))
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
