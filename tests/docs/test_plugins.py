"""The plugins of examples/plugins are found as those of an installed package, and work; their pages show them."""

import re
from importlib.metadata import entry_points
from pathlib import Path

import pytest

from fakes.example_plugins import GROUPS, PACKAGE, install_plugins
from fakes.papers import QUESTION, write_papers
from quaestor.app import open_home
from quaestor.app.doctor.checks import check_system
from quaestor.app.reports.exports import choose_exporter, get_exporter, write_export
from quaestor.contracts.errors import SetupError, UsageError
from quaestor.contracts.export import Exporter
from quaestor.contracts.web import WebSearchInput
from quaestor.runtime import exporters
from quaestor.storage.followers import open_follower, open_replica
from quaestor.tools.engines import load_engines
from quaestor.tools.reading.parse import parse_sync
from quaestor.tools.reading.protocol import ParsedDocument, SkipReason
from views.exports.material import material

ROOT = Path(__file__).parents[2]
PAGES = {
    "engines": "engines.md",
    "readers": "reading-files.md",
    "task_tools": "longtask.md",
    "followers": "followers.md",
    "exporters": "exports.md",
}


@pytest.fixture
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Install the package."""
    install_plugins(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)


@pytest.mark.parametrize("kind", PAGES)
def test_the_page_of_each_kind_shows_its_plugin(kind: str) -> None:
    page = (ROOT / "docs" / PAGES[kind]).read_text(encoding="utf-8")
    [(name, value)] = GROUPS[f"quaestor.{kind}"].items()
    module = (PACKAGE / f"{value.partition(':')[0]}.py").read_text(encoding="utf-8")
    assert f"```python\n{module.partition(chr(10) * 2)[2]}```" in page
    assert f'```toml\n[project.entry-points."quaestor.{kind}"]\n{name} = "{value}"\n```' in page
    overview = (ROOT / "docs" / "plugins.md").read_text(encoding="utf-8")
    assert re.search(rf"^\| \[`quaestor.{kind}`\]\({PAGES[kind]}#", overview, re.MULTILINE)


@pytest.mark.usefixtures("installed")
async def test_the_engine_searches() -> None:
    [engine] = load_engines(["handbook"], {"HANDBOOK_URL": "https://handbook.example"})
    found = await engine.search(WebSearchInput(query="how many holidays"))
    await engine.close()
    assert [hit.url for hit in found.hits] == ["https://handbook.example/holidays"]
    with pytest.raises(SetupError, match="set HANDBOOK_URL"):
        load_engines(["handbook"], {})


def test_the_reader_reads(request: pytest.FixtureRequest) -> None:
    film = b"1\n00:00:01,000 --> 00:00:02,000\nThe lamp of Aldmouth\n\n2\n00:00:03,000 --> 00:00:04,000\nburns oil.\n"
    assert parse_sync(film, "", "/a/film.srt") == ParsedDocument(text=film.decode())
    request.getfixturevalue("installed")
    read = ParsedDocument(title="The lamp of Aldmouth", text="The lamp of Aldmouth\nburns oil.")
    assert parse_sync(film, "", "/a/film.SRT") == read
    assert parse_sync(b"nothing", "", "/a/film.srt") is SkipReason.DAMAGED
    assert parse_sync(film, "", "/a/film.txt") == ParsedDocument(text=film.decode())
    assert parse_sync(film, "", "/a/film.broken") is SkipReason.NO_READER


async def test_the_follower_has_every_event(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> None:
    with pytest.raises(UsageError, match="there is no follower for memory"):
        open_follower("memory:here")
    request.getfixturevalue("installed")
    follower = open_replica("memory:here")
    monkeypatch.setattr("memory_copy.MemoryFollower.__new__", lambda *_: follower)
    monkeypatch.setattr("memory_copy.MemoryFollower.__init__", lambda *_: None)
    async with open_home(tmp_path / "home", effort="low", follow=["memory:here"]) as q:
        session_id = await q.start(QUESTION, await q.index([write_papers(tmp_path)]))
        await q.run(session_id)
        assert len(await follower.rows(session_id)) == (await q.session(session_id)).events
    with pytest.raises(SetupError, match="cannot be loaded from no_such_module:read"):
        open_follower("broken:here")


@pytest.mark.usefixtures("installed")
def test_the_exporter_writes(tmp_path: Path) -> None:
    exporter = choose_exporter("outline", Path("x"))
    assert isinstance(exporter, Exporter)
    write_export(exporter.write(material()), exporter.kind, tmp_path / "outline.txt")
    assert "- It says: The lamp of Aldmouth burns oil" in (tmp_path / "outline.txt").read_text("utf-8")
    assert exporters.exporter_names()[-1] == "outline"
    with pytest.raises(SetupError, match="reinstall its package"):
        get_exporter("broken")


@pytest.mark.usefixtures("installed")
async def test_the_doctor_lists_what_is_installed_and_names_what_cannot_be_loaded(tmp_path: Path) -> None:
    checks = await check_system(tmp_path / "home", ask=False)
    found = {
        check.subject: check.text for check in checks if check.subject.startswith("plugin ") and check.state == "ok"
    }
    kinds = {"handbook": "engine", "memory": "follower", "outline": "exporter", "srt": "reader"}
    assert (
        found.items() >= {f"plugin {name}": f"{kind} of quaestor-examples 1.0" for name, kind in kinds.items()}.items()
    )
    broken = [check.text for check in checks if check.subject == "plugin broken" and check.state == "fault"]
    assert len(broken) == len(GROUPS) - 1  # a reader is loaded by the process that reads
    assert all("cannot be loaded from no_such_module:read" in text for text in broken)


def test_everything_that_packages_may_bring_is_on_the_page() -> None:
    page = (ROOT / "docs" / "plugins.md").read_text(encoding="utf-8")
    modules = (file.read_text(encoding="utf-8") for file in (ROOT / "src").rglob("*.py"))
    groups = {group for text in modules for group in re.findall(r'^ENTRY_POINT_GROUP = "(.+)"', text, re.MULTILINE)}
    assert set(re.findall(r"^\| \[`(quaestor\.\w+)`", page, re.MULTILINE)) == groups


def test_every_module_of_the_package_is_a_plugin() -> None:
    declared = {value.partition(":")[0] for named in GROUPS.values() for value in named.values()}
    assert declared == {file.stem for file in PACKAGE.glob("*.py")}
    assert not entry_points(group="quaestor.task_tools")  # in the environment of the tests
