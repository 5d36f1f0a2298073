"""Traces of OpenTelemetry: what a collector has after runs, kills, faults and repeats."""

import asyncio
import re
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import timedelta
from decimal import Decimal
from pathlib import Path

import pytest
from opentelemetry.proto.trace.v1.trace_pb2 import Span, Status
from opentelemetry.semconv._incubating.attributes import gen_ai_attributes
from typing_extensions import override

from fakes.children import die, ended, fork
from fakes.collector import Collector, attributes_of
from fakes.http_server import Answer, Connection, HttpServer, Request
from fakes.papers import write_papers
from quaestor.app import open_home
from quaestor.app.erasure import erase
from quaestor.app.inspection import read_spend
from quaestor.contracts.cost import Spend, Usage
from quaestor.contracts.errors import MissingExtra, SetupError, UsageError
from quaestor.contracts.event import (
    ContractAccepted,
    CycleStarted,
    Event,
    KnownPayload,
    ModelRequested,
    ModelResponded,
    Paused,
    Resumed,
    SessionFinished,
    SessionStarted,
    StateEntered,
    ToolInterrupted,
    ToolRequested,
    ToolResponded,
)
from quaestor.contracts.follower import Follower, FollowerUnavailable
from quaestor.contracts.installation import install_command
from quaestor.storage.followers import open_follower, open_replica
from quaestor.storage.followers.otlp_client import HEADERS
from quaestor.storage.followers.trace_fold import trace_id
from storage.followers.samples import NOON, rows

SPENT = Spend(model_calls=1, tokens=120, dollars=Decimal("0.003"))
SECRET = "tiber-and-tarpeian"  # noqa: S105 -- that it is shown nowhere is a test


def requested(key: str, attempt: int = 1) -> ModelRequested:
    return ModelRequested(
        key=key,
        role="reader",
        model="google:gemini-3",
        contract="Findings",
        ordinal=1,
        attempt=attempt,
        given={"question": SECRET},
    )


def responded(key: str, **changes: object) -> ModelResponded:
    usage = Usage(input_tokens=100, cached_tokens=60, output_tokens=20)
    reply = ModelResponded(key=key, role="reader", reply=SECRET, error=None, spend=SPENT, usage=usage, milliseconds=9)
    return reply.revised(**changes)


def accepted(key: str) -> ContractAccepted:
    return ContractAccepted(key=key, role="reader", contract="Findings", output={"claim": SECRET})


def log(*payloads: KnownPayload | tuple[str, KnownPayload], cycle: int = 1, start: int = 1) -> list[Event]:
    """Return events a second apart; a payload beside the id of a todo is about that."""
    pairs = [each if isinstance(each, tuple) else (None, each) for each in payloads]
    return [
        Event(
            session_id="s1",
            seq=seq,
            cycle=cycle,
            at=NOON + timedelta(seconds=seq),
            state="READING",
            todo_id=todo,
            payload=payload,
        )
        for seq, (todo, payload) in enumerate(pairs, start)
    ]


STARTED = SessionStarted(question=SECRET, workflow="research", task_key="key", options={})
TOOL = ToolRequested(key="search/1", tool="search_web", repeatable=True, given={"query": SECRET})
FOUND = ToolResponded(key="search/1", tool="search_web", result=SECRET, error=None, spend=Spend(), milliseconds=4)
DONE = SessionFinished(outcome="done", statement=SECRET)
RUN: Sequence[Event] = log(
    STARTED,
    StateEntered(scope="session", previous=None),
    ("t1", StateEntered(scope="t1", previous=None)),
    ("t1", TOOL),
    ("t1", FOUND),
    ("t1", requested("todo/t1/read/1")),
    ("t1", responded("todo/t1/read/1")),
    ("t1", accepted("todo/t1/read/1")),
    requested("write"),
    responded("write", error="refused", unavailable=True, usage=None),
    requested("write", 2),
    responded("write"),
    accepted("write"),
    DONE,
)


@pytest.fixture
def collector() -> Iterator[Collector]:
    with Collector() as collector:
        yield collector


@pytest.fixture
def opened(open_at: Callable[[str], Follower], collector: Collector) -> Callable[[], Follower]:
    return lambda: open_at(f"otlp+{collector.url}/")


def tree(collector: Collector) -> list[tuple[str, str | None]]:
    """Return the name of each span with that of the one around it, in order of their starts."""
    spans = collector.of(trace_id("s1"))
    in_order = sorted(spans.values(), key=lambda span: (span.start_time_unix_nano, -span.end_time_unix_nano))
    return [(span.name, spans[own].name if (own := span.parent_span_id.hex()) else None) for span in in_order]


def named(collector: Collector, name: str) -> list[Span]:
    found = [span for span in collector.of(trace_id("s1")).values() if span.name == name]
    return sorted(found, key=lambda span: span.start_time_unix_nano)


def seconds(span: Span) -> tuple[float, float]:
    noon = NOON.timestamp()
    return span.start_time_unix_nano / 1e9 - noon, span.end_time_unix_nano / 1e9 - noon


async def test_a_session_is_a_trace_of_its_cycle_todos_actions_and_calls(
    opened: Callable[[], Follower], collector: Collector
) -> None:
    await opened().copy(rows(RUN))
    assert tree(collector) == [
        ("invoke_workflow research", None),
        ("todo t1", "invoke_workflow research"),
        ("execute_tool search_web", "todo t1"),
        ("reader Findings", "todo t1"),
        ("chat gemini-3", "reader Findings"),
        ("reader Findings", "invoke_workflow research"),
        ("chat gemini-3", "reader Findings"),
        ("chat gemini-3", "reader Findings"),
    ]
    assert [seconds(span) for span in named(collector, "chat gemini-3")] == [(6, 7), (9, 10), (11, 12)]
    assert [seconds(span) for span in named(collector, "reader Findings")] == [(6, 8), (9, 13)]
    assert [seconds(span) for span in named(collector, "todo t1")] == [(3, 8)]


async def test_a_model_call_has_its_tokens_and_dollars_by_the_conventions(
    opened: Callable[[], Follower], collector: Collector
) -> None:
    await opened().copy(rows(RUN))
    first, second, _ = named(collector, "chat gemini-3")
    assert first.kind == Span.SPAN_KIND_CLIENT
    assert attributes_of(first.attributes) == {
        "gen_ai.operation.name": "chat",
        "gen_ai.provider.name": "gcp.gemini",
        "gen_ai.request.model": "gemini-3",
        "gen_ai.conversation.id": "s1",
        "gen_ai.agent.name": "reader",
        "gen_ai.output.type": "json",
        "gen_ai.usage.input_tokens": 100,
        "gen_ai.usage.output_tokens": 20,
        "gen_ai.usage.cache_read.input_tokens": 60,
        "gen_ai.usage.cache_creation.input_tokens": 0,
        "quaestor.attempt": 1,
        "quaestor.cached": False,
        "quaestor.priced": True,
        "quaestor.spend.model_calls": 1,
        "quaestor.spend.tool_calls": 0,
        "quaestor.spend.tokens": 120,
        "quaestor.spend.dollars": 0.003,
    }
    assert second.status.code == Status.STATUS_CODE_ERROR
    assert attributes_of(second.attributes)["error.type"] == "unavailable"
    [cycle] = named(collector, "invoke_workflow research")
    whole = attributes_of(cycle.attributes)
    assert (whole["quaestor.spend.tokens"], whole["quaestor.outcome"]) == (360, "done")
    assert [event.name for event in cycle.events] == ["state_entered"]


async def test_every_name_of_the_conventions_is_one_of_theirs(
    opened: Callable[[], Follower], collector: Collector
) -> None:
    await opened().copy(rows(RUN))
    known = {value for name, value in vars(gen_ai_attributes).items() if name.startswith("GEN_AI_")}
    used = {name for span in collector.spans.values() for name in attributes_of(span.attributes)}
    assert {name for name in used if name.startswith("gen_ai.")} <= known
    assert {name.partition(".")[0] for name in used} == {"gen_ai", "quaestor", "error"}


async def test_no_text_of_a_session_is_in_its_trace(opened: Callable[[], Follower], collector: Collector) -> None:
    await opened().copy(rows(RUN))
    assert collector.requests
    assert not any(SECRET.encode() in request.raw for request in collector.requests)


async def test_what_was_in_flight_at_a_kill_ends_with_the_last_event_before_it(
    opened: Callable[[], Follower], collector: Collector
) -> None:
    await opened().copy(
        rows(
            log(
                STARTED,
                requested("plan"),
                TOOL,
                Resumed(after="crash", reopened=("plan",)),
                ToolInterrupted(key="search/1", tool="search_web"),
                requested("plan"),
                responded("plan"),
                accepted("plan"),
                DONE,
            )
        )
    )
    lost, again = named(collector, "chat gemini-3")
    assert (seconds(lost), seconds(again)) == ((2, 3), (6, 7))
    assert attributes_of(lost.attributes)["error.type"] == "interrupted"
    assert [seconds(span) for span in named(collector, "reader Findings")] == [(2, 8)]
    assert [seconds(span) for span in named(collector, "execute_tool search_web")] == [(3, 3)]


async def test_each_cycle_is_a_root_and_one_without_an_end_ends_before_the_next(
    opened: Callable[[], Follower], collector: Collector
) -> None:
    first = log(STARTED, Paused(kind="person", reason=SECRET))
    second = log(CycleStarted(why="follow_up"), TOOL, FOUND, DONE, cycle=2, start=3)
    await opened().copy(rows([*first, *second]))
    roots = named(collector, "invoke_workflow research")
    assert [seconds(root) for root in roots] == [(1, 2), (3, 6)]
    assert [attributes_of(root.attributes)["quaestor.cycle"] for root in roots] == [1, 2]


async def test_a_trace_is_the_same_however_often_the_export_begins_again(
    opened: Callable[[], Follower], collector: Collector, open_at: Callable[[str], Follower]
) -> None:
    for row in rows(RUN):
        await opened().copy([row])
    one_by_one = dict(collector.spans)
    assert len(one_by_one) == 8
    await open_at(f"otlp+http://localhost:{collector.port}").copy(rows(RUN))  # whose progress is its own
    assert collector.spans == one_by_one
    assert collector.repeats == len(one_by_one)


async def test_a_kill_between_export_and_memory_leads_to_the_same_spans(
    opened: Callable[[], Follower], collector: Collector, tmp_path: Path
) -> None:
    async def work() -> None:
        follower = open_follower(f"otlp+{collector.url}/", tmp_path / "state")
        await follower.copy(rows(RUN[:7]))
        follower._progress.advance = lambda *_: die()  # type: ignore[attr-defined]  # it dies there
        await follower.copy(rows(RUN[7:]))

    assert await asyncio.to_thread(ended, fork(work)) == -9
    assert len(collector.spans) == 8
    assert (await opened().position("s1")).seq == 7
    await opened().copy(rows(RUN[7:]))
    assert (await opened().position("s1")).seq == len(RUN)
    assert (len(collector.spans), collector.repeats) == (8, 6)


def damage(folder: Path) -> None:
    [file] = folder.glob("state/*/*.json")
    file.write_bytes(file.read_bytes()[:40])


async def test_a_damaged_memory_is_none(opened: Callable[[], Follower], collector: Collector, tmp_path: Path) -> None:
    await opened().copy(rows(RUN))
    damage(tmp_path)
    assert (await opened().position("s1")).seq == 0
    await opened().copy(rows(RUN))
    assert (len(collector.spans), collector.repeats) == (8, 8)


@pytest.mark.parametrize(
    ("fault", "kind", "words"),
    [
        ({"status": 503}, FollowerUnavailable, "did not take it: status 503"),
        ({"status": 429}, FollowerUnavailable, "did not take it: status 429"),
        ({"status": 401, "body": SECRET.encode()}, SetupError, "refuses: status 401 [key]; correct"),
        ({"body": b"<html>"}, SetupError, "is no collector"),
        ({"rejected": 3}, SetupError, "rejects 3 spans: no room"),
    ],
)
async def test_a_collector_that_does_not_take_it_is_tried_again_or_reported(
    fault: Mapping[str, object],
    kind: type[Exception],
    words: str,
    *,
    opened: Callable[[], Follower],
    collector: Collector,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv(HEADERS, f"x-key={SECRET}")
    for name, value in fault.items():
        setattr(collector, name, value)
    with pytest.raises(kind) as raised:
        await opened().copy(rows(RUN))
    assert words in str(raised.value)
    assert SECRET not in str(raised.value)
    assert collector.requests[-1].headers["x-key"] == SECRET
    assert (await opened().position("s1")).seq == 0
    collector.status, collector.body, collector.rejected = 200, b"", 0
    await opened().copy(rows(RUN))
    assert len(collector.spans) == 8


class Redirecting(HttpServer[Request]):
    """Sends whoever comes somewhere else."""

    def __init__(self, location: str) -> None:
        super().__init__()
        self._location = location

    @override
    def understand(self, request: Request) -> Request:
        return request

    @override
    async def answer(self, request: Request, connection: Connection) -> bool:
        await connection.send(Answer(b"", 307, {"Location": self._location}))
        return True


async def test_a_key_goes_to_its_own_collector_alone_wherever_that_leads(
    open_at: Callable[[str], Follower], collector: Collector, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(HEADERS, f"x-key={SECRET}")
    elsewhere = Redirecting(f"{collector.url}/v1/traces")
    with elsewhere as server, pytest.raises(SetupError, match="refuses: status 307"):
        await open_at(f"otlp+{server.url}/").copy(rows(RUN))
    assert collector.requests == []


async def test_of_an_answer_without_end_the_beginning_is_read(
    opened: Callable[[], Follower], collector: Collector
) -> None:
    collector.body = b"\x0a" * 50_000_000
    with pytest.raises(FollowerUnavailable, match="it has more than"):
        await opened().copy(rows(RUN))
    assert (await opened().position("s1")).seq == 0


async def test_a_collector_that_is_away_is_tried_again(open_at: Callable[[str], Follower]) -> None:
    with pytest.raises(FollowerUnavailable, match=r"otlp\+http://127\.0\.0\.1:9 does not answer"):
        await open_at("otlp+http://127.0.0.1:9").copy(rows(RUN))


@pytest.mark.parametrize("headers", ["key", f"key={SECRET}\n", f"kéy={SECRET}"])
def test_headers_that_cannot_be_sent_are_an_error(headers: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_TRACES_HEADERS", headers.replace("\n", "%0A"))
    with pytest.raises(UsageError) as raised:
        open_follower("otlp+http://127.0.0.1:9")
    assert SECRET not in str(raised.value)


def test_traces_cannot_be_read_back() -> None:
    with pytest.raises(UsageError, match="no events can be read back"):
        open_replica("otlp+http://127.0.0.1:9")


def test_without_the_extra_it_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "quaestor.storage.followers.otlp", None)
    with pytest.raises(MissingExtra, match=re.escape(install_command("otel"))):
        open_follower("otlp+http://127.0.0.1:9")


async def test_a_run_is_followed_and_its_progress_goes_with_its_session(collector: Collector, tmp_path: Path) -> None:
    home = tmp_path / "home"
    async with open_home(home, effort="low", follow=[f"otlp+{collector.url}"]) as q:
        session = await q.start("When was the Aldmouth lighthouse built?", await q.index([write_papers(tmp_path)]))
        await q.run(session)
        spent = (await read_spend(q, session)).total.spend
        spans = collector.of(trace_id(session))
        [root] = [span for span in spans.values() if not span.parent_span_id]
        assert all(span.parent_span_id.hex() in spans for span in spans.values() if span is not root)
        whole = attributes_of(root.attributes)
        calls = [attributes_of(span.attributes) for span in spans.values() if span.kind == Span.SPAN_KIND_CLIENT]
        assert sum(int(str(call["quaestor.spend.model_calls"])) for call in calls) == spent.model_calls > 0
        assert whole["quaestor.spend.tool_calls"] == spent.tool_calls > 0
        assert list(home.glob("followers/*/*.json"))
        await erase(q, [session])
        assert not list(home.glob("followers/*/*.json"))
