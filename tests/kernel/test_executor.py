"""What becomes of a model call: chosen tools, broken contracts, errors, and what each may have cost."""

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from typing import cast

import pytest
from pydantic import JsonValue
from typing_extensions import override

from fakes.chores import (
    ONE_CALL,
    SWEPT,
    Answers,
    Broom,
    Chore,
    Chores,
    ChoresState,
    Done,
    Errands,
    begin,
    carried,
    of,
)
from fakes.time import ManualClock
from quaestor.contracts.action import Action, ToolRun
from quaestor.contracts.cost import Spend
from quaestor.contracts.errors import ModelFailed, ToolFailed
from quaestor.contracts.event import (
    ContractAccepted,
    ContractRejected,
    ErrorRecorded,
    ModelRequested,
    ModelResponded,
    SessionFinished,
    ToolCall,
    ToolRequested,
    ToolResponded,
    ToolsChosen,
)
from quaestor.contracts.model import ModelReply, ModelRequest, PreparedCall, ToolsRequest
from quaestor.kernel.executor import Executor
from quaestor.kernel.run_state import RunState
from quaestor.kernel.tool_table import index_tools
from quaestor.storage.sqlite import SqliteStore, open_store

SUM = Chores({})
LOST = Spend(model_calls=1, tokens=70)


def call(ref: str, given: JsonValue, tool: str = "broom") -> ToolCall:
    return ToolCall(ref=ref, tool=tool, given=given)


def picks(*calls: ToolCall, fault: str | None = None, text: str = "") -> Answers:
    return Answers(ModelReply(text=text, calls=calls, fault=fault, spend=ONE_CALL))


async def test_what_a_tool_pass_chose_is_run(store: SqliteStore, clock: ManualClock) -> None:
    model, broom = picks(call("c1", {"name": "hall"}), call("c2", {"name": "stairs"})), Broom()
    log = await carried(store, clock, Errands(), model, broom=broom)
    [request] = model.requests
    assert isinstance(request, ToolsRequest)
    assert [(offer.name, offer.description) for offer in request.tools] == [("broom", Broom.description)]
    assert request.tools[0].takes == Chore.model_json_schema()
    [asked], [answered], [chosen] = of(ModelRequested, log), of(ModelResponded, log), of(ToolsChosen, log)
    assert (asked.contract, asked.tools) == (None, ("broom",))
    assert answered.calls == chosen.calls == (call("c1", {"name": "hall"}), call("c2", {"name": "stairs"}))
    assert (broom.used, chosen.refused) == (["hall", "stairs"], ())
    assert of(SessionFinished, log)[0].statement == "all done"


@pytest.mark.parametrize(
    ("bad", "reason"),
    [
        (call("c2", {"name": "x"}, "mop"), "mop: no such tool; there is broom"),
        (call("c2", {}), "broom: name: Field required"),
        (call("c2", {"name": "x", "fast": True}), "broom: fast: Extra inputs are not permitted"),
        (call("c2", "x"), "broom: Input should be a valid dictionary or instance of Chore"),
        (call("c2", {"name": "a\ud800"}), "broom: a lone surrogate is character 2 of a string"),
        (call("c2", {"name": "a\0"}), "broom: a NUL is character 2 of a string"),
        (call("c2", {"a\0": "x"}), "broom: a NUL is character 2 of a string"),
        (call("c\0", {"name": "x"}), "broom: a NUL is character 2 of a string"),
        (call("c2", {"name": "x"}, "m\ud800p"), "m?p: no such tool; there is broom"),
    ],
)
async def test_a_call_that_no_tool_takes_is_refused_with_the_reason_and_the_others_run(
    store: SqliteStore, clock: ManualClock, bad: ToolCall, reason: str
) -> None:
    broom = Broom()
    log = await carried(store, clock, Errands(), picks(bad, call("c1", {"name": "hall"})), broom=broom)
    [chosen] = of(ToolsChosen, log)
    assert (broom.used, chosen.calls) == (["hall"], (call("c1", {"name": "hall"}),))
    assert chosen.refused == (reason,)
    assert of(ToolRequested, log)[0].key == "c1"
    assert await store.verify_chain("chores") == []


async def test_credentials_that_a_model_puts_into_a_call_are_logged_nowhere(
    store: SqliteStore, clock: ManualClock
) -> None:
    leaking = "https://me:hunter-two@example.org/a?api_key=hunter-two"
    chosen = picks(call("c1", {"name": leaking}), call("c2", {leaking: [leaking]}), text=f"I look at {leaking}.")
    log = await carried(store, clock, Errands(), chosen, broom=Broom())
    assert len(of(ToolResponded, log)) == 1
    assert not any("hunter-two" in event.model_dump_json() for event in log)
    assert of(ToolRequested, log)[0].given == {"name": "https://[key]@example.org/a?api_key=[key]"}


async def test_credentials_in_the_words_of_an_error_are_logged_nowhere(store: SqliteStore, clock: ManualClock) -> None:
    class Leaky(Broom):
        @override
        async def run(self, given: Chore) -> Done:
            raise ToolFailed(f"no answer from https://me:hunter-two@example.org/{given.name}")

    log = await carried(store, clock, Errands(), picks(call("c1", {"name": "hall"})), broom=Leaky())
    assert of(ToolResponded, log)[0].error == "no answer from https://[key]@example.org/hall"


async def test_of_a_faulty_tool_pass_nothing_is_run(store: SqliteStore, clock: ManualClock) -> None:
    broom = Broom()
    cut_off = picks(call("c1", {"name": "hall"}), fault="the reply was cut off")
    log = await carried(store, clock, Errands(), cut_off, broom=broom)
    assert broom.used == []
    assert of(ToolsChosen, log)[0].refused == ("the reply was cut off",)


async def test_a_model_error_leads_to_a_second_request_and_nothing_in_between(
    store: SqliteStore, clock: ManualClock
) -> None:
    model = Answers(ModelFailed("the line is down"), SWEPT)
    log = await carried(store, clock, SUM, model)
    assert [(request.attempt, request.failures, request.ordinal) for request in model.requests] == [
        (1, 0, 1),
        (1, 1, 2),
    ]
    first = next(place for place, fact in enumerate(log) if isinstance(fact, ModelRequested))
    assert [fact.type for fact in log[first : first + 5]] == [
        "model_requested",
        "model_responded",
        "model_requested",
        "model_responded",
        "contract_accepted",
    ]
    assert [answered.error for answered in of(ModelResponded, log)] == ["the line is down", None]


@pytest.mark.parametrize("tries", [1, 3, 4])
async def test_after_so_many_errors_a_call_for_a_contract_is_given_up(
    store: SqliteStore, clock: ManualClock, tries: int
) -> None:
    model = Answers(ModelFailed("the line is down"))
    log = await carried(store, clock, SUM, model, tries=tries)
    assert len(model.requests) == tries
    [rejected] = of(ContractRejected, log)
    assert (rejected.final, rejected.objections, rejected.attempt) == (True, ("the line is down",), 1)


async def test_after_so_many_errors_a_tool_pass_has_chosen_nothing(store: SqliteStore, clock: ManualClock) -> None:
    model = Answers(ModelFailed("the line is down"))
    log = await carried(store, clock, Errands(), model, tries=2)
    assert len(model.requests) == 2
    [chosen] = of(ToolsChosen, log)
    assert (chosen.calls, chosen.refused) == ((), ("the line is down",))
    assert of(ContractRejected, log) == []


async def test_errors_are_no_broken_replies_and_what_was_objected_to_outlives_them(
    store: SqliteStore, clock: ManualClock
) -> None:
    down = ModelFailed("the line is down")
    model = Answers(down, down, '{"said": ""}', down, down, "nonsense", SWEPT)
    log = await carried(store, clock, SUM, model)
    asked = [(request.attempt, request.failures, request.rejected) for request in model.requests]
    empty = '{"said": ""}'
    assert asked == [
        (1, 0, None),
        (1, 1, None),
        (1, 2, None),
        (2, 0, empty),
        (2, 1, empty),
        (2, 2, empty),
        (3, 0, "nonsense"),
    ]
    assert [request.objections for request in model.requests[3:6]] == [("say more",)] * 3
    assert [rejected.final for rejected in of(ContractRejected, log)] == [False, False]
    assert of(SessionFinished, log)[0].statement == "swept"


@pytest.mark.parametrize(
    ("reply", "objection"),
    [
        (ModelReply(text=SWEPT, fault="the reply was cut off", spend=ONE_CALL), "the reply was cut off"),
        (
            ModelReply(text=SWEPT, calls=(call("c1", {"name": "hall"}),), spend=ONE_CALL),
            "a tool call, where a Done is wanted; answer with its JSON",
        ),
    ],
)
async def test_a_faulty_reply_and_a_stray_tool_call_are_objected_to(
    store: SqliteStore, clock: ManualClock, reply: ModelReply, objection: str
) -> None:
    model = Answers(reply, SWEPT)
    log = await carried(store, clock, SUM, model)
    assert of(ContractRejected, log)[0].objections == (objection,)
    assert (model.requests[1].attempt, model.requests[1].objections) == (2, (objection,))
    assert len(of(ContractAccepted, log)) == 1


class Hanging(Answers):
    """Never answers at first."""

    @override
    async def answer(self, request: ModelRequest, prepared: PreparedCall) -> ModelReply:
        if request.failures == 0:
            await self.wait()
        return await super().answer(request, prepared)

    async def wait(self) -> None:
        """Wait for longer than any call may take."""
        await asyncio.sleep(3_000)


class Refused(Hanging):
    """Waits between two requests after a refusal."""

    @override
    async def wait(self) -> None:
        try:
            await super().wait()
        except asyncio.CancelledError as error:
            error.add_note("https://ada:secret@host answered 503")
            raise


@pytest.mark.parametrize(
    ("model", "error", "spend"),
    [
        (Answers(ModelFailed("lost", LOST), SWEPT, ceiling=Spend(model_calls=1, tokens=90)), "lost", LOST),
        (Answers(ModelFailed("unsent", Spend()), SWEPT, ceiling=LOST), "unsent", Spend()),
        (Answers(ValueError("odd\ud800"), SWEPT, ceiling=LOST), "ValueError: odd?", LOST),
        (Hanging(SWEPT, ceiling=LOST), "no answer within 0.05 s", LOST),
        (Refused(SWEPT, ceiling=LOST), "no answer within 0.05 s; https://[key]@host answered 503", LOST),
        (Answers(TimeoutError(), SWEPT, ceiling=LOST), "TimeoutError", LOST),
        (Answers(TimeoutError(110, "Connection timed out"), SWEPT, ceiling=LOST), "TimeoutError: [Errno 110]", LOST),
    ],
    ids=["told", "nothing", "unforeseen", "timeout", "refused", "a timeout of its own", "a timeout of the system"],
)
async def test_a_failed_call_costs_what_it_says_or_else_the_most_it_could(
    store: SqliteStore, clock: ManualClock, model: Answers, error: str, spend: Spend
) -> None:
    log = await carried(store, clock, SUM, model, seconds=0.05)
    failed, answered = of(ModelResponded, log)
    assert failed.error
    assert failed.error.startswith(error)
    assert (failed.reply, failed.spend) == (None, spend)
    assert (answered.error, answered.spend) == (None, ONE_CALL)


async def test_a_fault_that_no_contract_foresees_is_on_record(store: SqliteStore, clock: ManualClock) -> None:
    log = await carried(store, clock, SUM, Answers(ZeroDivisionError("oops"), SWEPT))
    assert [(fact.key, fact.message) for fact in of(ErrorRecorded, log)] == [
        ("sum", "output_pass sum: ZeroDivisionError: oops")
    ]


class Mislabelled(Broom):
    """A tool that returns something else than it declares."""

    @override
    async def run(self, given: Chore) -> Done:
        returned: object = given
        return cast("Done", returned)


async def test_a_result_of_another_contract_fails_the_run(store: SqliteStore, clock: ManualClock) -> None:
    log = await carried(store, clock, Chores({"a": ()}), broom=Mislabelled())
    assert of(ToolResponded, log)[0].error == "broom returns a Done, but this run returned Chore"


async def test_an_input_of_another_contract_fails_the_run(store: SqliteStore, clock: ManualClock) -> None:
    class Confused(Chores):
        @override
        def next(self, state: ChoresState) -> Sequence[Action]:
            return [] if state.ended else [ToolRun(key="a", state="WORKING", tool="broom", given=Done(said="a"))]

    broom = Broom()
    log = await carried(store, clock, Confused({"a": ()}), broom=broom)
    assert of(ToolResponded, log)[0].error == "broom takes a Chore, not a Done"
    assert not broom.used


class Sweeper(Broom):
    """A tool that says itself how long it takes at most."""

    @override
    def time_limit(self, given: Chore) -> float:
        return {"hall": 3_000, "stairs": 0.05}[given.name]


def test_workflows_of_one_session_may_each_have_a_tool_of_one_name(clock: ManualClock) -> None:
    everybodys, own = Broom(), Broom()
    own.states, own.spend = frozenset({"SCRUBBING"}), Spend(tool_calls=5)
    tools = index_tools([everybodys, own])
    executor = Executor(model=Answers(), tools=tools, clock=clock, seconds=1, model_seconds=1)
    runs = [ToolRun(key="a", state=state, tool="broom", given=Chore(name="a")) for state in ("WORKING", "SCRUBBING")]
    assert [executor.ceiling(run, RunState()).tool_calls for run in runs] == [everybodys.spend.tool_calls, 5]
    alone = replace(executor, tools=index_tools([own]))
    with pytest.raises(ToolFailed, match="no tool is called 'broom'; this run has broom"):
        alone.ceiling(runs[0], RunState())


async def test_a_tool_that_ends_by_itself_is_waited_for_as_long_as_it_says_and_no_longer(clock: ManualClock) -> None:
    chores = Chores({"hall": (), "stairs": ()})
    for broom, came in (
        (Sweeper({"hall": 0.2, "stairs": 3_000}), {"hall": None, "stairs": "no answer within 0.05 s"}),
        (Broom({"hall": 3_000}), {"hall": "no answer within 0.1 s", "stairs": None}),
    ):
        fresh = open_store(":memory:")
        await begin(fresh, clock)
        log = await carried(fresh, clock, chores, broom=broom, seconds=0.1)
        assert {answered.key: answered.error for answered in of(ToolResponded, log)} == came
        await fresh.close()


async def test_what_a_call_may_cost_is_reserved_with_the_intent(store: SqliteStore, clock: ManualClock) -> None:
    log = await carried(store, clock, Chores({"a": ()}), Answers(SWEPT, ceiling=LOST))
    assert [asked.reserved for asked in of(ModelRequested, log)] == [LOST]
    assert [asked.reserved for asked in of(ToolRequested, log)] == [Broom.spend]


async def test_what_a_model_says_of_its_call_is_on_record_and_storable(store: SqliteStore, clock: ManualClock) -> None:
    odd = ModelReply(text=f"a\0\ud800 {SWEPT}", spend=LOST, priced=False, cached=True, notes=("waited\0",))
    [answered] = of(ModelResponded, await carried(store, clock, SUM, Answers(odd)))
    assert answered.reply == f"a\ufffd? {SWEPT}"
    assert (answered.spend, answered.priced, answered.cached, answered.notes) == (LOST, False, True, ("waited\ufffd",))
