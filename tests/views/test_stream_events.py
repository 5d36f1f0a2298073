import asyncio
import json
from collections.abc import Mapping, Sequence
from decimal import Decimal
from functools import reduce
from itertools import accumulate
from pathlib import Path
from typing import Literal, TypeVar

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import JsonValue

from fakes.openai_server import OpenAIServer
from fakes.openai_wire import Answer, Asked
from fakes.papers import QUESTION, write_papers
from fakes.researcher import Researcher, fields, parts
from fakes.streams import stream_session
from quaestor.app import open_home
from quaestor.contracts.codec import parse_payload
from quaestor.contracts.cost import Budget, Spend
from quaestor.contracts.event import (
    ActionCancelled,
    Answered,
    BudgetRaised,
    Cancelled,
    ErrorRecorded,
    Event,
    FinishRequested,
    Forked,
    KnownPayload,
    ModelRequested,
    Paused,
    QuestionAsked,
    Resumed,
    StateEntered,
    ToolInterrupted,
    ToolRequested,
    ToolResponded,
    UnknownPayload,
)
from quaestor.contracts.ledger import LedgerEntry, MemoryLine
from quaestor.contracts.payload import QuestionKind
from quaestor.contracts.stream import (
    MAX_JSON_CHARACTERS,
    MAX_MESSAGE_CHARACTERS,
    PROGRAM_AGENT,
    BudgetChange,
    ClarificationNeeded,
    Failure,
    FinalReport,
    Finished,
    InterimFindings,
    PauseStarted,
    PlanChange,
    Status,
    StreamEvent,
    TodoChange,
    ToolRequest,
    ToolResponse,
)
from quaestor.contracts.stream_view import StreamState
from quaestor.kernel.run_state import RunState, fold
from quaestor.research.codec import CODEC
from quaestor.research.contracts.plan import Plan, PlanUpdate, Todo
from quaestor.research.events import (
    PlanCreated,
    PlanEdited,
    PlanReviewed,
    PlanUpdated,
    ReportWritten,
    TodoFailed,
    TodoRecorded,
    TodoRetried,
    TodoStarted,
)
from quaestor.research.plugin import PLUGIN
from quaestor.research.views.document import render_markdown
from quaestor.views.stream_state import fold_stream
from views.test_spend import LOGS, asked, log

S = TypeVar("S", bound=StreamEvent)
Logs = Mapping[str, Sequence[Event]]

OLD = Path(__file__).parents[1] / "logs" / "0.1.0.jsonl"
SAID = "ZEBRA-CROSSING"
PRICES: JsonValue = {"local:small": {"input": 3, "output": 12, "window": 128_000}}
FAILING = """
planner:
  - reply:
      todos:
        - {task: "When was the Aldmouth lighthouse built?"}
        - {task: "When was the fog bell of Aldmouth cast?"}
        - {task: "Who paid for the harbour lights of Aldmouth?", dependencies: [t1]}
query_writer:
  - {todo: t1, fault: error, times: 9}
  - {todo: t2, times: 9}
  - {fault: garbage, times: 9}
reader:
  - {todo: t2, fault: error}
  - {todo: t1, fault: error, times: 9}
  - {todo: t1.1, fault: error, times: 9}
  - {todo: t1.1.1, fault: error, times: 9}
"""


def recorded(folder: Path) -> Logs:
    """Return the logs of real runs: over documents, failing, at their budget, paused, and over a provider's API."""
    docs = write_papers(folder)
    (folder / "failing.yaml").write_text(FAILING, encoding="utf-8")
    return {**asyncio.run(_recorded(folder, docs)), "old": _old()}


async def _recorded(folder: Path, docs: Path) -> Logs:
    async def ran(name: str, *, question: str = QUESTION, pause: bool = False, **options: JsonValue) -> Sequence[Event]:
        async with open_home(folder / name, **options) as q:
            session_id = await q.start(question, await q.index([docs]))
            if pause:
                stop = asyncio.Event()
                stop.set()
                await q.run(session_id, stop)
            await q.run(session_id)
            return await q.events(session_id)

    async with OpenAIServer(_stubborn) as server:
        provider: JsonValue = {"base_url": server.url, "retries": 1, "backoff_seconds": 0.01}
        model: JsonValue = "local:small"
        dear = await ran("online", model=model, effort="low", providers={"local": provider}, prices=PRICES)
        spent_up = await ran(
            "dollars",
            model=model,
            effort="low",
            providers={"local": provider},
            prices=PRICES,
            max_dollars="0.075",
            output_tokens=500,
        )
    return {
        "scripted": await ran("scripted", model=f"script:{folder / 'script.yaml'}"),
        "failing": await ran("failing", model=f"script:{folder / 'failing.yaml'}", questions=False),
        "nothing": await ran("nothing", question="Who invented the zip fastener?"),
        "steps": await ran("steps", max_model_calls=8),
        "paused": await ran("paused", pause=True),
        "online": dear,
        "dollars": spent_up,
    }


def _stubborn(body: Asked) -> Answer:
    """Answer dutifully, but read nothing about the fog bell, whatever is objected."""
    if fields(body) == {"findings"} and "fog bell" in parts(body)["task"]:
        return json.dumps(SAID)
    return Researcher()(body)


def _old() -> Sequence[Event]:
    rows = [json.loads(line) for line in OLD.read_text(encoding="utf-8").splitlines()]
    facts = [parse_payload(row.pop("type"), row.pop("version"), json.dumps(row.pop("body"))) for row in rows]
    stored = [Event(**row, todo_id=todo, payload=fact) for row, (fact, todo) in zip(rows, facts, strict=True)]
    return [CODEC.decode(event) for event in stored]


@pytest.fixture(scope="module")
def logs(tmp_path_factory: pytest.TempPathFactory) -> Logs:
    return recorded(tmp_path_factory.mktemp("runs"))


@pytest.fixture(scope="module")
def streams(logs: Logs) -> Mapping[str, Sequence[StreamEvent]]:
    return {name: list(stream_session(events, view=PLUGIN.stream)) for name, events in logs.items()}


Streams = Mapping[str, Sequence[StreamEvent]]


def of(kind: type[S], told: Sequence[StreamEvent]) -> list[S]:
    return [event for event in told if isinstance(event, kind)]


def happened(*facts: KnownPayload, state: str = "EXECUTING", todo_id: str = "t1") -> list[Event]:
    """Build a session that begins with a plan of one todo, delegated to the scholar, and then has these facts of it."""
    todo = Todo(id="t1", task="Why is it so?", agent="scholar")
    planned = (state, PlanCreated(plan=Plan(todos=(todo,))))
    return log(planned, *((f"{state} {todo_id}", fact) for fact in facts))


def told_of(*facts: KnownPayload, todo_id: str = "t1") -> list[StreamEvent]:
    """Return the stream of these facts, after such a beginning."""
    return list(stream_session(happened(*facts, todo_id=todo_id), after=2, view=PLUGIN.stream))


def searching(key: str = "search/1", given: JsonValue = None) -> ToolRequested:
    return ToolRequested(key=key, tool="search", repeatable=True, given=given)


def searched(result: JsonValue, error: str | None = None) -> ToolResponded:
    return ToolResponded(key="search/1", tool="search", result=result, error=error, spend=Spend(), milliseconds=1)


@given(data=st.data())
def test_who_starts_at_any_number_is_told_the_tail_of_the_whole(
    logs: Logs, streams: Streams, data: st.DataObject
) -> None:
    name = data.draw(st.sampled_from(sorted(logs)))
    after = data.draw(st.integers(0, len(logs[name]) + 1))
    assert list(stream_session(logs[name], after, view=PLUGIN.stream)) == [
        event for event in streams[name] if event.seq > after
    ]


def test_what_is_told_has_the_number_and_the_time_of_what_happened(logs: Logs, streams: Streams) -> None:
    for name, events in logs.items():
        told = [(event.seq, event.at, event.session_id) for event in streams[name]]
        assert set(told) <= {(event.seq, event.at, event.session_id) for event in events}
        assert told == sorted(told)


def test_a_session_has_a_status_before_the_first_model_is_asked(logs: Logs, streams: Streams) -> None:
    for name, events in logs.items():
        first = streams[name][0]
        assert isinstance(first, Status)
        assert first.seq == 1 < next(event.seq for event in events if isinstance(event.payload, ModelRequested))


def test_every_recorded_todo_gives_its_findings_with_their_sources(logs: Logs, streams: Streams) -> None:
    for name, events in logs.items():
        entries = [event.payload.entry for event in events if isinstance(event.payload, TodoRecorded)]
        told = of(InterimFindings, streams[name])
        assert [one.todo_id for one in told] == [entry.todo_id for entry in entries]
        for one, entry in zip(told, entries, strict=True):
            sources = {source.sha256: source for source in entry.sources}
            assert one.task == entry.description
            assert [found.claim for found in one.findings] == [finding.claim for finding in entry.findings]
            for found, finding in zip(one.findings, entry.findings, strict=True):
                assert [(quote.text, quote.title, quote.uri) for quote in found.quotes] == [
                    (quote.text, sources[quote.source].title, sources[quote.source].uri) for quote in finding.quotes
                ]
            assert not one.findings or one.agent == "reader"
    assert sum(bool(one.findings) for one in of(InterimFindings, streams["scripted"])) == 5


def test_the_report_is_given_as_markdown_by_the_writer(logs: Logs, streams: Streams) -> None:
    for name, events in logs.items():
        written = [event.payload.report for event in events if isinstance(event.payload, ReportWritten)]
        told = of(FinalReport, streams[name])
        assert [(one.markdown, one.version) for one in told] == [(render_markdown(one), one.version) for one in written]
    assert [one.agent for one in of(FinalReport, streams["scripted"])] == ["writer"]


def test_a_report_that_no_model_framed_is_the_programs(logs: Logs) -> None:
    unwritten = [
        event for event in logs["scripted"] if not (event.type == "contract_accepted" and event.state == "WRITING")
    ]
    assert [one.agent for one in of(FinalReport, list(stream_session(unwritten, view=PLUGIN.stream)))] == [
        PROGRAM_AGENT
    ]


def test_every_run_of_a_tool_ends_under_its_ref(streams: Streams) -> None:
    for told in streams.values():
        running: dict[str, ToolRequest] = {}
        for event in told:
            if isinstance(event, ToolRequest):
                running[event.ref] = event
            elif isinstance(event, ToolResponse):
                begun = running.pop(event.ref)
                assert (event.agent, event.tool) == (begun.agent, begun.tool)
        assert running == {}


def test_whose_answer_led_to_a_tool_is_named(streams: Streams) -> None:
    agents = {(one.tool, one.agent) for one in of(ToolRequest, streams["scripted"])}
    assert agents == {("search", "query_writer"), ("prove", "reader"), ("verify", PROGRAM_AGENT)}


def test_an_error_is_never_a_finding(logs: Logs, streams: Streams) -> None:
    told = streams["failing"]
    failed = {one.todo_id for one in of(TodoChange, told) if one.status == "failed"}
    assert {one.agent for one in of(Failure, told)} == {"query_writer", "reader"}
    assert failed == {"t1", "t1.1", "t1.1.1"}
    assert failed.isdisjoint(one.todo_id for one in of(InterimFindings, told))
    assert [one.todo_id for one in of(TodoChange, told) if one.status == "blocked"] == ["t3"]
    errors = [event.seq for event in logs["failing"] if event.payload.model_dump().get("error")]
    assert set(errors) <= {one.seq for one in of(Failure, told)}


def test_an_answer_that_broke_its_contract_is_not_told(logs: Logs, streams: Streams) -> None:
    told = [event for event in streams["online"] if not isinstance(event, FinalReport)]  # told as it was written
    assert any(SAID in event.model_dump_json() for event in logs["online"])
    assert [event for event in told if SAID in event.model_dump_json()] == []
    reasons = {one.reason for one in of(TodoChange, streams["online"]) if one.status == "failed"}
    assert reasons == {"the reader gave no usable answer"}
    assert "event" in of(Failure, streams["online"])[-1].message


def test_why_the_planner_failed_is_not_told_for_it_quotes_the_answer() -> None:
    plan = Plan(todos=(Todo(id="t1", task="Why?"),))
    [told] = stream_session(log(("PLANNING", PlanCreated(plan=plan, fallback=SAID))), after=1, view=PLUGIN.stream)
    assert isinstance(told, PlanChange)
    assert (told.change, told.agent, [todo.task for todo in told.todos]) == ("created", PROGRAM_AGENT, ["Why?"])
    assert SAID not in told.model_dump_json()


@pytest.mark.parametrize("kind", ["clarification", "plan_confirmation", "approval", "escalation"])
def test_a_question_is_told_with_the_name_its_answer_carries(kind: QuestionKind) -> None:
    asked_for = QuestionAsked(ref="ask/1", kind=kind, questions=("Which one?", "When?"), agent="clarifier")
    [told] = told_of(asked_for)
    assert isinstance(told, ClarificationNeeded)
    assert (told.question, told.agent, told.ref, told.kind) == ("Which one? When?", "clarifier", "ask/1", kind)


@pytest.mark.parametrize(
    ("fact", "said"),
    [
        (Answered(ref="ask/1", text=SAID), "a person answered ask/1"),
        (PlanReviewed(review="confirmed"), "the plan is confirmed"),
        (PlanReviewed(review="auto_approved"), "the plan is auto approved"),
        (FinishRequested(), "a person asked to finish"),
        (Cancelled(), "a person cancelled the session"),
        (BudgetRaised(budget=Budget(tokens=9)), "a person raised the budget"),
        (Forked(origin="s0", at=7, options={}), "continues from event 7 of session s0"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_what_a_person_did_is_told_but_not_what_was_answered(fact: KnownPayload, said: str) -> None:
    [told] = told_of(fact)
    assert isinstance(told, Status)
    assert told.message == said


def test_a_plan_that_was_edited_is_told_whole_and_its_todos_are_known_from_then_on() -> None:
    plan = Plan(todos=(Todo(id="t1", task="Why?"), Todo(id="t7", task="How?", dependencies=("t1",))))
    edited, started = told_of(PlanEdited(edits=(), plan=plan, used=7), TodoStarted(), todo_id="t7")
    assert isinstance(edited, PlanChange)
    assert (edited.change, edited.agent, [todo.todo_id for todo in edited.todos]) == (
        "edited",
        PROGRAM_AGENT,
        ["t1", "t7"],
    )
    assert isinstance(started, TodoChange)
    assert (started.todo_id, started.task) == ("t7", "How?")


def test_a_retry_that_a_person_wants_is_told_with_what_it_does_again() -> None:
    [told] = told_of(TodoRetried(todo=Todo(id="t1.1", task="Why?", retries="t1")))
    assert isinstance(told, PlanChange)
    assert (told.change, told.after, [todo.todo_id for todo in told.todos]) == ("updated", "t1", ["t1.1"])


@pytest.mark.parametrize("kind", ["interrupt", "setup", "person"])
def test_a_pause_says_whose_it_is(kind: Literal["interrupt", "setup", "person"]) -> None:
    told = told_of(Paused(kind=kind, reason="paused; resume to go on"))
    assert [(one.kind, one.reason) for one in of(PauseStarted, told)] == [(kind, "paused; resume to go on")]


def test_a_todo_that_failed_for_another_reason_says_which() -> None:
    [told] = told_of(TodoFailed(reason="every search failed: no network"))
    assert isinstance(told, TodoChange)
    assert (told.status, told.reason) == ("failed", "every search failed: no network")


def test_a_todo_that_its_reviewer_fails_is_done_and_then_failed() -> None:
    entry = LedgerEntry(todo_id="t1", attempt=0, description="Why is it so?", findings_summary="nothing")
    update = PlanUpdate(completed_todo_id="t1", outcome=SAID, status="failed")
    grown = (Todo(id="t1.1", task="Why not?"),)
    told = told_of(
        TodoRecorded(entry=entry, memory=MemoryLine(todo_ids=("t1",), text="nothing"), loop_count=1),
        PlanUpdated(update=update, added=grown),
        PlanUpdated(update=update),
        TodoStarted(),
        todo_id="t1.1",
    )
    assert [one.status for one in of(TodoChange, told)] == ["done", "failed", "started"]
    [change] = of(PlanChange, told)
    assert (change.change, change.after, [todo.todo_id for todo in change.todos]) == ("updated", "t1", ["t1.1"])
    assert of(TodoChange, told)[-1].task == "Why not?"


def test_a_delegated_todo_is_its_agents() -> None:
    told = told_of(TodoStarted(), searching(), searched({}), asked("a", role="scholar"), searching())
    assert [event.agent for event in told if not isinstance(event, BudgetChange | PauseStarted | Finished)] == [
        "scholar"
    ] * 5


def test_what_is_long_is_cut_and_says_so() -> None:
    most: JsonValue = "x" * (MAX_JSON_CHARACTERS - 2)
    long: JsonValue = {"hits": ["é" * MAX_JSON_CHARACTERS]}
    whole, cut = told_of(searching(given=most))[0], told_of(searching(), searched(long))[1]
    assert isinstance(whole, ToolRequest)
    assert isinstance(cut, ToolResponse)
    assert (whole.input, whole.is_cut) == (most, False)
    assert isinstance(cut.output, str)
    assert cut.is_cut
    assert len(cut.output) == MAX_JSON_CHARACTERS
    assert cut.output.startswith('{"hits":["é')


def test_a_tool_that_failed_gives_no_output_but_an_error_under_its_ref() -> None:
    _, response, failure = told_of(searching(), searched(None, error="no network"))
    assert isinstance(response, ToolResponse)
    assert isinstance(failure, Failure)
    assert (response.outcome, response.output) == ("failed", None)
    assert (failure.message, failure.agent, failure.ref) == ("search failed: no network", "scholar", "search/1")


def test_a_tool_that_was_stopped_or_cut_off_ends_too() -> None:
    cancelled = told_of(searching(), ActionCancelled(key="search/1"))[1:]
    cut_off = told_of(searching(), Resumed(after="crash"), ToolInterrupted(key="search/1", tool="search"))[2:]
    assert [(type(one), one.outcome) for one in of(ToolResponse, cancelled + cut_off)] == [
        (ToolResponse, "cancelled"),
        (ToolResponse, "interrupted"),
    ]
    assert [one.ref for one in of(Failure, cut_off)] == ["search/1"]
    stopped = told_of(asked("a"), ActionCancelled(key="a"))[-1]
    assert isinstance(stopped, Status)
    assert (stopped.agent, stopped.is_partial) == ("reader", False)
    assert told_of(ActionCancelled(key="unknown")) == []


def test_what_no_contract_foresees_is_an_error_with_the_name_of_who_was_asked() -> None:
    known, unknown = told_of(
        asked("a"), ErrorRecorded(message="odd\x1b[2J\nthing", key="a"), ErrorRecorded(message="disk")
    )[1:]
    assert isinstance(known, Failure)
    assert isinstance(unknown, Failure)
    assert (known.message, known.agent, known.ref) == ("odd\ufffd[2J thing", "reader", "a")
    assert (unknown.message, unknown.agent, unknown.ref) == ("disk", None, None)


def test_a_message_is_one_line_of_a_bounded_length() -> None:
    told = told_of(ErrorRecorded(message="word\n" * 1000))[0]
    assert isinstance(told, Failure)
    assert len(told.message) == MAX_MESSAGE_CHARACTERS
    assert told.message.endswith("…")


def test_a_pause_is_told_with_its_kind_and_reason(streams: Streams) -> None:
    pause = next(place for place, event in enumerate(streams["paused"]) if isinstance(event, PauseStarted))
    first, then = streams["paused"][pause : pause + 2]
    assert isinstance(first, PauseStarted)
    assert isinstance(then, Status)
    assert first.kind == "interrupt"
    assert then.message == "continues after a pause"
    [setup] = told_of(Paused(kind="setup", reason="the disk is full"))
    assert isinstance(setup, PauseStarted)
    assert (setup.kind, setup.reason) == ("setup", "the disk is full")


def test_a_budget_is_told_near_its_limit_at_it_and_at_the_end(streams: Streams) -> None:
    for name, limit in (("steps", "model_calls"), ("dollars", "dollars")):
        budget = [one for one in of(BudgetChange, streams[name]) if one.limit]
        assert [(one.standing, (one.limit or "").partition(":")[0]) for one in budget][:2] == [
            ("warned", limit),
            ("reached", limit),
        ]
        last, end = streams[name][-2:]
        assert isinstance(last, BudgetChange)
        assert isinstance(end, Finished)
        assert (last.standing, end.outcome) == ("spent", "partial")
        assert last.spent.dollars <= Decimal("0.075")


def test_what_is_spent_never_shrinks_and_grows_with_every_paid_call(logs: Logs, streams: Streams) -> None:
    told = of(BudgetChange, streams["online"])
    spent = [one.spent.dollars for one in told]
    assert spent == sorted(spent)
    assert len(set(spent)) == sum(event.type == "model_responded" for event in logs["online"])


@given(LOGS)
def test_what_is_spent_is_what_the_kernel_counts(facts: list[tuple[str, KnownPayload]]) -> None:
    events = log(*facts)
    runs = list(accumulate(events, fold, initial=RunState()))
    told = of(BudgetChange, list(stream_session(events, view=PLUGIN.stream)))
    assert [Spend.model_validate(dict(one.spent)) for one in told] == [runs[one.seq].spent for one in told]
    assert reduce(fold_stream, events, StreamState()).spent == runs[-1].spent


def test_what_a_newer_release_wrote_and_the_states_of_a_todo_are_passed_over() -> None:
    first = happened()[0]
    newer = first.model_copy(update={"payload": UnknownPayload(type="dreamt", stored_version=9, body="{}")})
    assert list(stream_session([newer], view=PLUGIN.stream)) == []
    assert told_of(StateEntered(scope="t1", previous=None)) == []
