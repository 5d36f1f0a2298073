"""Whole runs whose agents use servers of the Model Context Protocol, which are programs of their own."""

import json
import os
import re
import signal
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from pathlib import Path

import pytest
from pydantic import JsonValue
from typing_extensions import override

from fakes.forked import Forked, forked
from fakes.mcp_servers import lives, notes
from fakes.openai_server import OpenAIServer
from fakes.openai_wire import Answer, Asked, Call, Calls
from fakes.papers import QUESTION, write_papers
from fakes.researcher import Researcher, fields, parts, todo
from online.conftest import MODEL, PRICE, settings
from quaestor.app import Quaestor, open_home
from quaestor.contracts.event import Event, ToolResponded
from quaestor.contracts.mcp import INTERRUPTED
from quaestor.research.contracts.report import Report

PAGE = (Path(__file__).parents[2] / "docs" / "mcp.md").read_text(encoding="utf-8")
LAMP = "Who made the lamp of the Aldmouth lighthouse?"
SLOW = """
orchestrator:
  - reply: {todos: [{task: Find the lamp, agent: researcher}, {task: Find the bell}]}
researcher:
  - {latency: 600}
"""


class Keeper(Researcher):
    """Delegates the lamp to an agent, who makes these choices in turn, and then has enough."""

    def __init__(self, agent: str, *choices: Answer) -> None:
        super().__init__()
        self._agent = agent
        self._choices = choices
        self.scouted: list[Asked] = []

    @override
    def __call__(self, asked: Asked) -> Answer:
        if asked.tools:
            self.scouted.append(asked)
            return self._choices[len(self.scouted) - 1] if len(self.scouted) <= len(self._choices) else "enough"
        if fields(asked) == {"assumptions", "todos"}:
            return json.dumps({"todos": [todo(LAMP, agent=self._agent), todo("When was the fog bell cast?")]})
        return super().__call__(asked)


def call(tool: str, name: str, **arguments: JsonValue) -> Call:
    return Call(name=tool, arguments=json.dumps({"tool": name, "arguments": arguments}), id=f"{tool}-{name}")


def options(server: OpenAIServer, kept: Path, *allow: str, **more: JsonValue) -> dict[str, JsonValue]:
    said: JsonValue = {"notes": notes(kept, allow=allow).model_dump(mode="json")}
    return {**settings(server), "orchestrate": True, "mcp": said, **more}


def used(events: Sequence[Event], tool: str) -> list[ToolResponded]:
    return [one.payload for one in events if isinstance(one.payload, ToolResponded) and one.payload.tool == tool]


async def researched(q: Quaestor, docs: Path) -> tuple[Report, Sequence[Event]]:
    session_id = await q.start(QUESTION, await q.index([docs]))
    result = await q.run(session_id)
    assert await q.store.verify_chain(session_id) == []
    assert result.report
    return result.report, await q.events(session_id)


@pytest.fixture
def agents(tmp_path: Path) -> str:
    """Return a folder with the agent that docs/mcp.md shows."""
    folder = tmp_path / "agents"
    folder.mkdir()
    (folder / "clerk.prompt").write_text(blocks("handlebars")[0], encoding="utf-8")
    return str(folder)


def blocks(language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", PAGE, re.DOTALL)


async def test_what_a_server_says_is_proven_cited_and_replayed_without_it(tmp_path: Path) -> None:
    docs, kept = write_papers(tmp_path), tmp_path / "notes.txt"
    choice = Calls(calls=(call("consult", "notes.lookup", word="lamp"), call("consult", "notes.err")))
    keeper = Keeper("researcher", choice)
    async with OpenAIServer(keeper) as server, open_home(tmp_path / "home", **options(server, kept)) as q:
        report, events = await researched(q, docs)
        session_id = events[0].session_id
    assert not lives(kept)
    first, second = map(parts, keeper.scouted)
    assert [tool.function.name for tool in keeper.scouted[0].tools] == ["search", "consult"]
    assert "consult notes.lookup: Looks a word up in the notes. It takes {" in first["offers"]
    assert "notes.write" not in first["offers"]
    assert second["executed"].splitlines() == ['- notes.lookup {"word":"lamp"}', "- notes.err {}"]
    assert second["refused"].startswith("- notes.err: ")
    assert "Chance Brothers" in second["p1"]
    [cited] = [source for source in report.sources if source.uri.startswith("mcp://notes/lookup?")]
    assert cited.title == 'notes.lookup {"word":"lamp"}'
    assert any("Chance Brothers" in claim.text and claim.quoted for claim in report.claims())
    assert any("notes.err" in gap for gap in report.gaps)
    assert len(used(events, "survey")) == 1
    async with open_home(tmp_path / "home", model=f"replay:{session_id}") as q:
        replayed = await q.run(await q.start(QUESTION, None))
    assert replayed.report == report


async def test_a_server_that_cannot_be_used_is_a_gap_and_the_others_are_used(tmp_path: Path) -> None:
    docs, kept = write_papers(tmp_path), tmp_path / "notes.txt"
    keeper = Keeper("researcher", Calls(calls=(call("consult", "notes.lookup", word="lamp"),)))
    async with OpenAIServer(keeper) as server:
        said = options(server, kept)
        assert isinstance(said["mcp"], dict)
        said["mcp"] = {**said["mcp"], "gone": {"command": "no-such-program"}}
        async with open_home(tmp_path / "home", **said) as q:
            report, _ = await researched(q, docs)
    assert any("A server could not be used: gone: " in gap for gap in report.gaps)
    assert any(source.uri.startswith("mcp://notes/") for source in report.sources)


async def test_without_delegation_no_server_is_started(tmp_path: Path) -> None:
    docs, kept = write_papers(tmp_path), tmp_path / "notes.txt"
    async with open_home(tmp_path / "home", mcp={"notes": notes(kept).model_dump(mode="json")}) as q:
        _, events = await researched(q, docs)
    assert not kept.with_suffix(".pid").exists()
    assert used(events, "survey") == []


async def test_what_was_allowed_is_operated_by_an_agent_that_declares_it(tmp_path: Path, agents: str) -> None:
    docs, kept = write_papers(tmp_path), tmp_path / "notes.txt"
    twice = (call("operate", "notes.write", text="buy oil"), call("operate", "notes.write", text="buy oil"))
    keeper = Keeper("clerk", Calls(calls=twice), Calls(calls=twice))
    async with (
        OpenAIServer(keeper) as server,
        open_home(tmp_path / "home", **options(server, kept, "write", agents=agents)) as q,
    ):
        _, events = await researched(q, docs)
    assert kept.read_text() == "buy oil\n"
    assert len(used(events, "operate")) == 1
    assert "operate notes.write: " in parts(keeper.scouted[0])["offers"]
    assert "The note was written down" in parts(keeper.scouted[1])["p1"]


def test_what_may_have_been_done_is_not_done_again_after_a_kill(tmp_path: Path, agents: str) -> None:
    docs, kept = write_papers(tmp_path), tmp_path / "notes.txt"
    keeper = Keeper("clerk", Calls(calls=(call("operate", "notes.etch", text="buy oil"),)))
    with OpenAIServer(keeper) as server:
        environment = {
            "QUAESTOR_MODEL": MODEL,
            "QUAESTOR_PROVIDERS": json.dumps({"local": {"base_url": server.url}}),
            "QUAESTOR_PRICES": json.dumps({MODEL: PRICE}),
            "QUAESTOR_AGENTS": agents,
            **connected(kept, "etch"),
        }
        with started(environment, "research", QUESTION, "--docs", docs, "--home", tmp_path / "home") as run:
            until(kept.exists)
            run.kill()
            run.wait()
        until(lambda: not lives(kept))
        with started(environment, "resume", "--home", tmp_path / "home", "--format", "json") as run:
            out, err = run.communicate()
        assert run.returncode == 0, err
    assert kept.read_text() == "buy oil\n"
    assert parts(keeper.scouted[1])["refused"] == f"- {INTERRUPTED}"
    assert json.loads(out)


@pytest.mark.parametrize(("end", "way"), [(signal.SIGINT, ()), (signal.SIGKILL, ("deaf",))])
def test_no_server_is_left_behind(tmp_path: Path, end: signal.Signals, way: tuple[str, ...]) -> None:
    docs, kept, script = write_papers(tmp_path), tmp_path / "notes.txt", tmp_path / "slow.yaml"
    script.write_text(SLOW, encoding="utf-8")
    environment = {**connected(kept, *way), "QUAESTOR_MODEL": f"script:{script}", "QUAESTOR_GRACE_SECONDS": "0.05"}
    with started(environment, "research", QUESTION, "--docs", docs, "--home", tmp_path / "home") as run:
        until(lambda: lives(kept))
        time.sleep(0.2)
        run.send_signal(end)
        _, err = run.communicate()
    assert run.returncode == (130 if end == signal.SIGINT else -end)
    assert "Traceback" not in err
    until(lambda: not lives(kept))


def connected(kept: Path, *more: str) -> dict[str, str]:
    """Return the variables that connect the server that keeps notes; what is not `deaf` is allowed."""
    deaf, allow = ("deaf",) * ("deaf" in more), tuple(name for name in more if name != "deaf")
    server = notes(kept, *deaf, allow=allow).model_dump(mode="json")
    return {"QUAESTOR_MCP": json.dumps({"notes": server}), "QUAESTOR_ORCHESTRATE": "on"}


def started(environment: dict[str, str], *argv: str | Path) -> AbstractContextManager[Forked]:
    return forked([*map(str, argv)], {**os.environ, **environment}, loaded="quaestor.tools.mcp")


def until(holds: Callable[[], bool]) -> None:
    for _ in range(600):
        if holds():
            return
        time.sleep(0.05)
    raise AssertionError("it did not come about")


async def test_the_server_that_the_documentation_shows_answers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    setup = next(block for block in blocks("toml") if "[mcp.notes]" in block)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PATH", f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    (tmp_path / "quaestor").mkdir()
    (tmp_path / "quaestor" / "quaestor.toml").write_text(setup, encoding="utf-8")
    (tmp_path / "notes_server.py").write_text(blocks("python")[0], encoding="utf-8")
    (tmp_path / "notes.txt").write_text("The lamp was made by Chance Brothers.\nThe mole is long.\n", encoding="utf-8")
    keeper = Keeper("researcher", Calls(calls=(call("consult", "notes.lookup", word="lamp"),)))
    async with (
        OpenAIServer(keeper) as server,
        open_home(tmp_path / "home", **settings(server), orchestrate=True) as q,
    ):
        report, _ = await researched(q, write_papers(tmp_path))
    assert any("made by Chance Brothers" in claim.text for claim in report.claims())
    assert any("A server could not be used: library: " in gap for gap in report.gaps)
