import asyncio
import socket
import subprocess
import sys
from collections.abc import AsyncIterator
from datetime import UTC, datetime
from pathlib import Path

import pytest
import pytest_asyncio
from pydantic import JsonValue

from fakes.mcp_servers import notes, odd
from fakes.time import ManualClock
from quaestor.contracts.errors import ToolFailed
from quaestor.contracts.event import Event, KnownPayload, ToolInterrupted, ToolRequested
from quaestor.contracts.library import Library
from quaestor.contracts.mcp import INTERRUPTED, ConsultInput, McpServer, SurveyInput
from quaestor.contracts.tools import SearchResults
from quaestor.storage.sqlite import open_store
from quaestor.tools.mcp import ConsultServer, McpServers, OperateServer, SurveyServers
from quaestor.tools.mcp.connection import MAX_TOOLS
from quaestor.tools.mcp.servers import MAX_SCHEMA_CHARACTERS
from quaestor.tools.mcp.tools import MAX_PASSAGES
from quaestor.tools.recorded_tools import RecordedConsult, RecordedOperate, RecordedSurvey

pytestmark = pytest.mark.asyncio(loop_scope="module")

ENVIRONMENT = {
    "PATH": "/usr/bin:/bin",
    "HOME": "/home/anna",
    "LANG": "C.UTF-8",
    "NOTES_KEY": "k",
    "NOTES_SECRET": "a-secret-of-the-server",
    "OPENAI_API_KEY": "o",
}
SECONDS = 30
MUTE = McpServer(command=sys.executable, args=("-S", "-c", "import sys; sys.stdin.read()"))
MANY: list[JsonValue] = [{"name": f"t{n}", "inputSchema": {"type": "object"}} for n in range(MAX_TOOLS + 1)]
READS: dict[str, JsonValue] = {"readOnlyHint": True}


class Desk:
    """The tools over some servers, and the library in which they keep what these say."""

    def __init__(self, library: Library, kept: Path, seconds: float = SECONDS, **more: McpServer) -> None:
        self.kept = kept
        self.library = library
        named = {"notes": notes(kept, allow=("write",), env=("NOTES_KEY",)), **more}
        self.servers = McpServers(named, ENVIRONMENT, seconds)
        self.survey = SurveyServers(self.servers)
        self.consult = ConsultServer(self.servers, library, ManualClock())
        self.operate = OperateServer(self.servers, library, ManualClock())

    async def asked(self, tool: str, **arguments: JsonValue) -> SearchResults:
        return await self.consult.run(ConsultInput(tool=tool, arguments=arguments))


@pytest_asyncio.fixture(loop_scope="module", scope="module")
async def library() -> AsyncIterator[Library]:
    store = open_store(":memory:")
    yield store.library
    await store.close()


@pytest_asyncio.fixture(loop_scope="module", scope="module")
async def desk(library: Library, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Desk]:
    made = Desk(library, tmp_path_factory.mktemp("desk") / "notes.txt", gone=McpServer(command="no-such-program"))
    yield made
    await made.servers.close()


async def test_what_a_server_says_is_stored_and_its_passages_are_hits(desk: Desk) -> None:
    found = await desk.asked("notes.lookup", word="lamp")
    [hit] = found.hits
    assert "made by Chance Brothers in 1829" in hit.passage.text
    source = await desk.library.source(hit.passage.source)
    text = await desk.library.text(hit.passage.source)
    assert source
    assert text
    assert text[hit.passage.start : hit.passage.end] == hit.passage.text
    assert source.uri == hit.uri == "mcp://notes/lookup?%7B%22word%22%3A%22lamp%22%7D"
    assert (source.title, source.media_type) == ('notes.lookup {"word":"lamp"}', "text/plain")


async def test_calls_are_equal_whatever_the_order_of_their_arguments() -> None:
    one = ConsultInput(tool="notes.lookup", arguments={"word": "lamp", "language": "en"})
    other = ConsultInput(tool="notes.lookup", arguments={"language": "en", "word": "lamp"})
    assert one.call == other.call == 'notes.lookup {"language":"en","word":"lamp"}'


async def test_an_answer_without_words_brings_nothing(desk: Desk) -> None:
    assert await desk.asked("notes.lookup", word="bell") == SearchResults()


async def test_data_without_text_is_read_as_json(desk: Desk) -> None:
    [hit] = (await desk.asked("notes.figures")).hits
    assert '"lamps": 2' in hit.passage.text


async def test_offered_is_what_only_reads_and_what_was_allowed(desk: Desk) -> None:
    survey = await desk.survey.run(SurveyInput(servers=("gone", "notes", "lost")))
    offers = {offer.tool: offer for offer in survey.offers}
    assert {name for name, offer in offers.items() if not offer.reads} == {"notes.write"}
    assert "notes.etch" not in offers
    lookup = offers["notes.lookup"]
    assert lookup.description == "Looks a word up in the notes."
    assert lookup.takes["required"] == ["word"]
    gone, lost = survey.failures
    assert gone.startswith("gone: ")
    assert gone.endswith("no-such-program cannot be started: No such file or directory")
    assert lost == "lost: no server is called so; there is gone, notes. Set it up below [mcp.lost]"


async def test_what_may_change_something_is_operated_when_it_was_allowed_and_never_consulted(desk: Desk) -> None:
    refused = [
        (desk.consult, "write", "it does not say that it only reads"),
        (desk.consult, "etch", "it does not say that it only reads"),
        (desk.operate, "etch", r"name it in allow below \[mcp.notes\]"),
        (desk.operate, "lookup", "it only reads; consult it"),
    ]
    for tool, name, says in refused:
        with pytest.raises(ToolFailed, match=rf"^notes\.{name}: .*{says}"):
            await tool.run(ConsultInput(tool=f"notes.{name}", arguments={"text": "x", "word": "lamp"}))
    assert not desk.kept.exists()
    await desk.operate.run(ConsultInput(tool="notes.write", arguments={"text": "buy oil"}))
    assert desk.kept.read_text() == "buy oil\n"


@pytest.mark.parametrize(
    ("tool", "says"),
    [
        ("nothing", "there is no such tool; the server has .*lookup"),
        ("lookup", "word.*required"),
        ("err", "the ink\N{REPLACEMENT CHARACTER}is dry"),
        ("picture", "it gave no text but image; only text can be cited"),
        ("large", "it gave 2,000,000 characters, but 1,000,000 are the most"),
        ("huge", "a line of more than 8,000,000 bytes"),
        ("die", "the notes are burning"),
    ],
)
async def test_a_call_that_fails_names_server_and_tool_and_the_next_one_is_answered(
    desk: Desk, tool: str, says: str
) -> None:
    with pytest.raises(ToolFailed, match=rf"(?is)^notes\.{tool}: .*{says}") as caught:
        await desk.asked(f"notes.{tool}")
    assert len(str(caught.value)) < 400
    assert "line 7" not in str(caught.value)
    assert (await desk.asked("notes.lookup", word="lamp")).hits


async def test_a_program_gets_little_of_the_environment(desk: Desk) -> None:
    [hit] = (await desk.asked("notes.environment")).hits
    known = dict(line.split("=", 1) for line in hit.passage.text.splitlines())
    assert {name: known[name] for name in ("PATH", "HOME", "LANG", "NOTES_KEY")} == {
        name: ENVIRONMENT[name] for name in ("PATH", "HOME", "LANG", "NOTES_KEY")
    }
    usual = {"LC_CTYPE", "LOGNAME", "SHELL", "TERM", "USER", "PATH", "HOME", "LANG", "NOTES_KEY"}
    assert set(known) <= usual


async def test_a_secret_of_a_server_is_in_nothing_that_it_says(library: Library, tmp_path: Path) -> None:
    desk = Desk(library, tmp_path / "n.txt", safe=notes(tmp_path / "s.txt", env=("NOTES_SECRET",)))
    [hit] = (await desk.asked("safe.environment")).hits
    assert "NOTES_SECRET=[key]" in hit.passage.text
    bad = McpServer(command="sh", args=("-c", "echo no such key: $NOTES_SECRET >&2"), env=("NOTES_SECRET",))
    with pytest.raises(ToolFailed, match=r"no such key: \[key\]"):
        await Desk(library, tmp_path / "n.txt", bad=bad).asked("bad.x")
    await desk.servers.close()


async def test_a_long_answer_is_stored_whole_and_shown_in_part(desk: Desk) -> None:
    hits = (await desk.asked("notes.lookup", word="lamps")).hits
    text = await desk.library.text(hits[0].passage.source)
    assert text
    assert len(hits) == MAX_PASSAGES
    assert [hit.passage.start for hit in hits] == sorted(hit.passage.start for hit in hits)
    assert hits[-1].passage.end < len(text)
    assert [hit.score for hit in hits] == sorted((hit.score for hit in hits), reverse=True)


async def test_a_server_that_does_not_answer_is_given_up_and_not_tried_again(library: Library, tmp_path: Path) -> None:
    desk = Desk(library, tmp_path / "notes.txt", 0.3, mute=MUTE)
    try:
        for _ in range(2):
            with pytest.raises(ToolFailed, match=r"^mute\.x: no answer within 0\.3 s"):
                await desk.asked("mute.x")
    finally:
        await desk.servers.close()


async def test_a_variable_that_a_program_needs_and_the_environment_lacks_is_named(
    library: Library, tmp_path: Path
) -> None:
    desk = Desk(library, tmp_path / "n.txt", poor=McpServer(command="sleep", args=("60",), env=("NOTES_TOKEN",)))
    with pytest.raises(ToolFailed, match=r"^poor\.x: the environment has no NOTES_TOKEN; set it"):
        await desk.asked("poor.x")
    await desk.servers.close()


@pytest.mark.parametrize(
    ("schema", "says"),
    [
        ({"type": "object", "properties": ["word"]}, "what it takes is no JSON Schema of an object"),
        ({"type": "object", "title": "x" * MAX_SCHEMA_CHARACTERS}, "its JSON Schema has more than 3,000 characters"),
        ({"type": "object", "title": "a\0b"}, "a NUL is character 2 of a string"),
    ],
)
async def test_a_tool_whose_schema_is_none_is_not_offered_and_the_others_are(
    library: Library, tmp_path: Path, schema: JsonValue, says: str
) -> None:
    wrong: JsonValue = {"name": "wrong", "inputSchema": schema, "annotations": READS}
    right: JsonValue = {"name": "right", "inputSchema": {"type": "object"}, "annotations": READS}
    desk = Desk(library, tmp_path / "notes.txt", odd=odd(wrong, right))
    survey = await desk.survey.run(SurveyInput(servers=("odd",)))
    assert [offer.tool for offer in survey.offers] == ["odd.right"]
    assert survey.failures == (f"odd.wrong: {says}",)
    with pytest.raises(ToolFailed, match=rf"^odd\.wrong: {says}"):
        await desk.asked("odd.wrong")
    await desk.servers.close()


@pytest.mark.parametrize(
    ("server", "says"),
    [
        (odd({"name": "wrong", "inputSchema": "none"}), "not what the protocol foresees"),
        (odd({"name": "wrong", "inputSchema": {"type": "array"}}), "not what the protocol foresees"),
        (odd(*MANY), "it has more than 200 tools"),
        (McpServer(command=sys.executable, args=("-S", "-c", "print('Hello!')")), "Connection closed"),
        (McpServer(url="http://127.0.0.1:9/mcp"), "connection attempts failed"),
    ],
)
async def test_a_server_that_speaks_otherwise_fails_and_nothing_of_it_is_shown(
    library: Library, tmp_path: Path, capfd: pytest.CaptureFixture[str], server: McpServer, says: str
) -> None:
    desk = Desk(library, tmp_path / "notes.txt", odd=server)
    with pytest.raises(ToolFailed, match=rf"^odd\.wrong: .*{says}"):
        await desk.asked("odd.wrong")
    await desk.servers.close()
    assert capfd.readouterr() == ("", "")


async def test_only_what_reads_may_be_run_twice() -> None:
    assert (SurveyServers.repeatable, ConsultServer.repeatable, OperateServer.repeatable) == (True, True, False)


@pytest.mark.parametrize(
    ("recorded", "real"),
    [(RecordedSurvey, SurveyServers), (RecordedConsult, ConsultServer), (RecordedOperate, OperateServer)],
)
async def test_to_a_workflow_and_a_budget_the_recorded_one_is_the_tool_it_stands_for(
    recorded: type, real: type
) -> None:
    for field in ("name", "input_type", "output_type", "spend"):
        assert getattr(recorded, field) == getattr(real, field)


async def test_a_call_that_hangs_is_given_up_and_the_connection_goes_on(library: Library, tmp_path: Path) -> None:
    desk = Desk(library, tmp_path / "notes.txt", 8)
    try:
        with pytest.raises(ToolFailed, match=r"^notes\.hang: no answer within 8 s$"):
            await desk.asked("notes.hang")
        number = (tmp_path / "notes.pid").read_text()
        assert (await desk.asked("notes.lookup", word="lamp")).hits
        assert (tmp_path / "notes.pid").read_text() == number
    finally:
        await desk.servers.close()


async def test_a_server_is_asked_over_http(library: Library, tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    started = notes(tmp_path / "notes.txt", str(port))
    process = await asyncio.create_subprocess_exec(
        str(started.command), *started.args, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    desk = Desk(library, tmp_path / "other.txt", web=McpServer(url=f"http://127.0.0.1:{port}/mcp", allow=("write",)))
    try:
        await _listening(port)
        [hit] = (await desk.asked("web.lookup", word="lamp")).hits
        assert "Chance Brothers" in hit.passage.text
        await desk.operate.run(ConsultInput(tool="web.write", arguments={"text": "over HTTP"}))
        assert (tmp_path / "notes.txt").read_text() == "over HTTP\n"
        process.kill()
        await process.wait()
        with pytest.raises(ToolFailed, match=r"^web\.lookup: "):
            await desk.asked("web.lookup", word="lamp")
    finally:
        await desk.servers.close()
        if process.returncode is None:
            process.kill()
            await process.wait()


async def _listening(port: int) -> None:
    while True:
        try:
            _, writer = await asyncio.open_connection("127.0.0.1", port)
        except OSError:
            await asyncio.sleep(0.05)
        else:
            writer.close()
            return


async def test_what_was_interrupted_and_not_done_again_fails_again_in_a_replay() -> None:
    given = ConsultInput(tool="notes.write", arguments={"text": "buy oil"})
    payloads: tuple[KnownPayload, ...] = (
        ToolRequested(key="a", tool="operate", repeatable=False, given=given.model_dump(mode="json")),
        ToolInterrupted(key="a", tool="operate"),
    )
    noon = datetime(2026, 1, 1, 12, tzinfo=UTC)
    log = [
        Event(session_id="s1", seq=seq, cycle=1, at=noon, state="SEARCHING", payload=payload)
        for seq, payload in enumerate(payloads, 1)
    ]
    with pytest.raises(ToolFailed, match=f"^{INTERRUPTED}$"):
        await RecordedOperate("s1", log).run(given)
