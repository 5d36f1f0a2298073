"""The readers and the followers of packages that the documentation shows are found and work."""

import re
import tomllib
from pathlib import Path

import pytest

from fakes.papers import QUESTION, write_papers
from quaestor.app import open_home
from quaestor.contracts.errors import SetupError, UsageError
from quaestor.storage.followers import open_follower, open_replica
from quaestor.tools.reading.parse import parse_sync
from quaestor.tools.reading.protocol import ParsedDocument, SkipReason

DOCS = Path(__file__).parents[2] / "docs"


def install(folder: Path, page: str, group: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Install the package that a page shows, as pip would."""
    text = (DOCS / page).read_text(encoding="utf-8").partition("of your own\n")[2]
    toml, python = (re.findall(rf"```{language}\n(.*?)```", text, re.DOTALL)[0] for language in ("toml", "python"))
    ((name, value),) = tomllib.loads(toml)["project"]["entry-points"][group].items()
    (folder / f"{value.partition(':')[0]}.py").write_text(python, encoding="utf-8")
    metadata = folder / f"{name}-1.0.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
    (metadata / "entry_points.txt").write_text(f"[{group}]\n{name} = {value}\nbroken = no_such_module:read\n")
    monkeypatch.syspath_prepend(folder)


def test_the_reader_that_is_shown_reads(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    film = b"1\n00:00:01,000 --> 00:00:02,000\nThe lamp of Aldmouth\n\n2\n00:00:03,000 --> 00:00:04,000\nburns oil.\n"
    assert parse_sync(film, "", "/a/film.srt") == ParsedDocument(text=film.decode())
    install(tmp_path, "reading-files.md", "quaestor.readers", monkeypatch)
    read = ParsedDocument(title="The lamp of Aldmouth", text="The lamp of Aldmouth\nburns oil.")
    assert parse_sync(film, "", "/a/film.SRT") == read
    assert parse_sync(b"nothing", "", "/a/film.srt") is SkipReason.DAMAGED
    assert parse_sync(film, "", "/a/film.txt") == ParsedDocument(text=film.decode())
    assert parse_sync(film, "", "/a/film.broken") is SkipReason.NO_READER


async def test_the_follower_that_is_shown_has_every_event(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(UsageError, match="there is no follower for memory"):
        open_follower("memory:here")
    install(tmp_path, "followers.md", "quaestor.followers", monkeypatch)
    follower = open_replica("memory:here")
    monkeypatch.setattr("memory_copy.MemoryFollower.__new__", lambda *_: follower)
    monkeypatch.setattr("memory_copy.MemoryFollower.__init__", lambda *_: None)
    async with open_home(tmp_path / "home", effort="low", follow=["memory:here"]) as q:
        session_id = await q.start(QUESTION, await q.index([write_papers(tmp_path)]))
        await q.run(session_id)
        assert len(await follower.rows(session_id)) == (await q.session(session_id)).events
    with pytest.raises(SetupError, match="cannot be loaded from no_such_module:read"):
        open_follower("broken:here")
