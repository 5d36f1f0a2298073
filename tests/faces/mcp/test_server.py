import asyncio
import os
import signal
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from mcp import Client, MCPError, StdioServerParameters, stdio_client
from pydantic import JsonValue

from faces.cli.conftest import Quaestor
from faces.cli.processes import line
from fakes.papers import QUESTION, SCRIPT
from quaestor.app import Quaestor as OpenHome
from quaestor.app import open_home
from quaestor.app.network.submissions import NewSession, Submitter, begin_session
from quaestor.app.network.uploads import DocumentRoots
from quaestor.app.operations import OPERATIONS
from quaestor.app.workers.worker import SessionWorker
from quaestor.contracts.errors import UsageError
from quaestor.faces.mcp.server import Research, build_server

TOOLS = {operation.tool for operation in OPERATIONS if operation.tool}
WAIT = 5


class Assistant:
    """A client of the server, as an assistant's program has one."""

    def __init__(self, client: Client) -> None:
        self.client = client

    async def call(self, tool: str, **arguments: object) -> Any:  # noqa: ANN401 -- JSON of any tool
        result = await self.client.call_tool(tool, arguments)
        assert not result.is_error, result.content
        assert result.structured_content is not None
        return result.structured_content

    async def refused(self, tool: str, **arguments: object) -> str:
        result = await self.client.call_tool(tool, arguments)
        assert result.is_error
        return "".join(getattr(each, "text", "") for each in result.content)

    async def begin(self, question: str, docs: Path) -> str:
        """Start a session as a client does, which asks again while documents are indexed; return its id."""
        started = await self.call("research_start", question=question, docs=[docs.name])
        while started["state"] == "indexing":  # it was waited for: nothing is asked in a hurry
            started = await self.call("research_start", question=question, docs=[docs.name])
        assert started.keys() == {"state", "session_id"}
        assert started["state"] == "started"
        return str(started["session_id"])

    async def until_rest(self, session_id: str) -> Any:  # noqa: ANN401 -- JSON of a tool
        news: Any = {"after": 0}
        for _ in range(200):
            news = await self.call("research_status", session_id=session_id, after=news["after"], wait_s=WAIT)
            if news["status"]["state"] not in {"queued", "running", "interrupted"}:
                return news
        pytest.fail("the session did not come to a rest")


Connect = Callable[..., AbstractAsyncContextManager[Assistant]]


@pytest.fixture
def assistant(home: Path, docs: Path) -> Connect:
    """Return what connects a client to a server in this process."""

    @asynccontextmanager
    async def connect(**settings: JsonValue) -> AsyncIterator[Assistant]:
        async with open_home(home, **settings) as quaestor:
            worker = SessionWorker(quaestor, 4)
            submitter = Submitter(is_admin=True, roots=DocumentRoots(docs.parent))
            try:
                async with Client(build_server(quaestor, worker, submitter)) as client:
                    yield Assistant(client)
            finally:
                await worker.close()

    return connect


@pytest.fixture
def started(home: Path, docs: Path) -> Connect:
    """Return what connects a client to a server that is a program of its own."""
    command, *arguments = line(home, "mcp", "--docs-root", docs.parent)

    @asynccontextmanager
    async def connect(**environment: str) -> AsyncIterator[Assistant]:
        server = StdioServerParameters(command=command, args=arguments, env={**os.environ, **environment})
        async with Client(stdio_client(server)) as client:
            yield Assistant(client)

    return connect


def servers(home: Path) -> list[int]:
    """Return the processes that serve a home, by their command lines."""
    lines = {path: path.read_bytes().split(b"\0") for path in Path("/proc").glob("[0-9]*/cmdline")}
    return [int(path.parent.name) for path, words in lines.items() if b"mcp" in words and str(home).encode() in words]


@pytest.mark.asyncio
async def test_an_assistant_researches_reads_and_verifies(assistant: Connect, docs: Path, quaestor: Quaestor) -> None:
    async with assistant() as known:
        tools = (await known.client.list_tools()).tools
        assert {tool.name for tool in tools} == TOOLS
        harmless = {tool.name for tool in tools if tool.annotations and tool.annotations.read_only_hint}
        assert harmless == {"research_result", "search_documents", "verify_quote"}
        session_id = await known.begin(QUESTION, docs)
        news = await known.until_rest(session_id)
        assert (news["status"]["outcome"], news["questions"]) == ("done", [])
        result = await known.call("research_result", session_id="last", format="json")
        (hit, *_) = (await known.call("search_documents", query=QUESTION, docs=[docs.name]))["result"]
        words = hit["text"][:40]
        checked = await known.call("verify_quote", quote=words, source=hit["source"])
        assert (checked["found"], checked["exact"], checked["text"]) == (True, True, words.strip())
        assert not (await known.call("verify_quote", quote=f"{words} never", source=hit["source"]))["found"]
        report = (await known.client.read_resource(f"quaestor://sessions/{session_id}/report")).contents[0]
        source = (await known.client.read_resource(f"quaestor://sources/{hit['source']}")).contents[0]
    as_json = await asyncio.to_thread(quaestor, "report", session_id, "--format", "json")
    as_text = await asyncio.to_thread(quaestor, "report", session_id)
    assert result["text"] == as_json.out
    assert getattr(report, "text", "") == as_text.out
    assert words in getattr(source, "text", "")


@pytest.mark.asyncio
async def test_a_server_that_is_killed_between_two_calls_loses_nothing(
    started: Connect, assistant: Connect, home: Path, docs: Path, quaestor: Quaestor
) -> None:
    script = docs.parent / "slow.yaml"
    script.write_text(SCRIPT.replace("latency: 0.01", "latency: 0.3"), encoding="utf-8")
    model = f"script:{script}"
    async with started(QUAESTOR_MODEL=model) as known:
        assert {tool.name for tool in (await known.client.list_tools()).tools} == TOOLS
        session_id = await known.begin(QUESTION, docs)
        (pid,) = servers(home)
        os.kill(pid, signal.SIGKILL)
        with pytest.raises(MCPError):
            await known.call("research_status", session_id=session_id)
    async with assistant(model=model) as known:
        news = await known.until_rest(session_id)
    assert news["status"]["state"] == "finished"
    assert (await asyncio.to_thread(quaestor, "verify", session_id)).code == 0


@pytest.mark.asyncio
async def test_what_a_session_asks_is_answered_by_the_person(assistant: Connect, docs: Path) -> None:
    async with assistant() as known:
        session_id = await known.begin("When was it?", docs)
        asked = await known.until_rest(session_id)
        assert asked["status"]["state"] == "waiting"
        assert asked["questions"]
        await known.call("research_answer", session_id=session_id, answer=QUESTION)
        assert (await known.until_rest(session_id))["status"]["state"] == "finished"
        assert "finished" in await known.refused("research_cancel", session_id=session_id)


REFUSALS: list[tuple[str, dict[str, object], str]] = [
    ("research_start", {"question": QUESTION, "docs": ["../.."]}, "outside the folder"),
    ("research_start", {"question": QUESTION, "urls": ["a.txt"]}, "is no URL"),
    ("search_documents", {"query": "x", "docs": []}, "name the documents"),
    ("research_status", {"session_id": "nowhere"}, "there is no session"),
    ("research_result", {"session_id": " "}, "name a session"),
    ("verify_quote", {"quote": "x", "source": "f" * 64}, "there is no source"),
    ("research_result", {"session_id": "last", "part": 9}, "there is no part 9"),
]


@pytest.mark.asyncio
@pytest.mark.usefixtures("finished")
async def test_what_cannot_be_done_is_refused_in_words(assistant: Connect) -> None:
    async with assistant() as known:
        for tool, arguments, message in REFUSALS:
            assert message in await known.refused(tool, **arguments)


@pytest.mark.asyncio
async def test_a_start_that_indexes_for_long_answers_at_once_and_begins_once(home: Path, docs: Path) -> None:
    indexed, begun = asyncio.Event(), []

    async def begin_late(quaestor: OpenHome, new: NewSession, submitter: Submitter) -> str:
        begun.append(new)
        await indexed.wait()
        return await begin_session(quaestor, new, submitter)

    async with open_home(home) as quaestor:
        worker = SessionWorker(quaestor, 1)
        research = Research(quaestor, worker, Submitter(roots=DocumentRoots(docs)), begin_late)
        first = await research.research_start(QUESTION, docs=["."])
        assert (first.state, first.session_id) == ("indexing", None)
        indexed.set()
        second = await research.research_start(QUESTION, docs=["."])
        await worker.close()
        assert (second.state, len(begun)) == ("started", 1)
        assert second.session_id == (await quaestor.sessions())[0].id


@pytest.mark.asyncio
async def test_why_documents_cannot_be_indexed_is_said_to_who_asks_again(home: Path) -> None:
    refused, ended = asyncio.Event(), asyncio.Event()

    async def refuse_late(*_: object) -> str:
        await refused.wait()
        ended.set()
        raise UsageError("the documents cannot be read")

    async with open_home(home) as quaestor:
        worker = SessionWorker(quaestor, 1)
        research = Research(quaestor, worker, Submitter(), refuse_late)
        assert (await research.research_start(QUESTION, docs=["."])).state == "indexing"
        refused.set()
        await ended.wait()  # while nobody asks
        refused.clear()
        with pytest.raises(UsageError, match="cannot be read"):
            await research.research_start(QUESTION, docs=["."])
        assert (await research.research_start(QUESTION, docs=["."])).state == "indexing"  # it is tried again
        refused.set()
        with pytest.raises(UsageError, match="cannot be read"):
            await research.research_start(QUESTION, docs=["."])
        await worker.close()


@pytest.mark.asyncio
@pytest.mark.usefixtures("finished")
async def test_a_long_report_is_read_in_parts(
    assistant: Connect, quaestor: Quaestor, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("quaestor.faces.mcp.server._PART_CHARACTERS", 1_000)
    async with assistant() as known:
        first = await known.call("research_result", session_id="last", format="html")
        numbers = range(2, first["parts"] + 1)
        others = [
            await known.call("research_result", session_id="last", format="html", part=number) for number in numbers
        ]
    assert others
    whole = await asyncio.to_thread(quaestor, "report", "last", "--format", "html")
    assert "".join(part["text"] for part in (first, *others)) == whole.out
