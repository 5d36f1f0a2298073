import asyncio
from collections.abc import AsyncIterator, Sequence
from datetime import UTC, datetime
from typing import TypeVar

import pytest
from pydantic import JsonValue

from fakes.chat import output_request, tools_request
from fakes.chores import (
    SESSION,
    SWEPT,
    Answers,
    Broom,
    Chores,
    Errands,
    begin,
    facts,
    journal_of,
    limits,
    of,
)
from fakes.time import ManualClock
from quaestor.contracts.cost import Spend
from quaestor.contracts.errors import ModelFailed, ReplayMiss
from quaestor.contracts.event import (
    Event,
    KnownPayload,
    ModelRequested,
    ModelResponded,
    ToolCall,
    ToolResponded,
)
from quaestor.contracts.model import ModelReply, ModelRequest, OutputRequest
from quaestor.contracts.ports import Model
from quaestor.contracts.roles import AgentCard
from quaestor.contracts.workflow import Workflow
from quaestor.kernel.drive import drive
from quaestor.kernel.executor import Executor
from quaestor.models.replay import ReplayModel
from quaestor.research.contracts.roles import ClarifyInput, PlanInput
from quaestor.storage.sqlite import SqliteStore, open_store

S = TypeVar("S")

FREE = Spend(model_calls=1)
PAID = Spend(model_calls=1, tokens=900)
SEARCH = ToolCall(ref="call-1", tool="search", given={"query": "sky"})


def asked(request: ModelRequest) -> ModelRequested:
    """Return the intent of a call as the large model's log has it."""
    return ModelRequested(
        key=request.key,
        role=request.role,
        model="lab:large",
        contract=request.given.gives.__name__ if isinstance(request, OutputRequest) else None,
        tools=() if isinstance(request, OutputRequest) else tuple(offer.name for offer in request.tools),
        ordinal=request.ordinal,
        attempt=request.attempt,
        given=request.given.model_dump(mode="json"),
        objections=request.objections,
        reserved=PAID,
    )


def said(
    reply: str | None,
    *calls: ToolCall,
    key: str = "clarify/1",
    error: str | None = None,
    fault: str | None = None,
    spend: Spend = PAID,
) -> ModelResponded:
    return ModelResponded(
        key=key,
        role="clarifier",
        reply=reply,
        calls=calls,
        fault=fault,
        error=error,
        spend=spend,
        milliseconds=9,
    )


def lost(why: str, spend: Spend = PAID) -> ModelResponded:
    return said(None, error=why, spend=spend)


def replay(*payloads: KnownPayload) -> ReplayModel:
    noon = datetime(2026, 1, 1, 12, tzinfo=UTC)
    log = [
        Event(session_id="s1", seq=seq, cycle=1, at=noon, state="CLARIFYING", payload=payload)
        for seq, payload in enumerate(payloads, 1)
    ]
    return ReplayModel("s1", log)


async def ask(model: ReplayModel, request: ModelRequest) -> ModelReply:
    return await model.answer(request, model.prepare(request))


async def test_a_recorded_call_gets_its_reply_again_and_costs_neither_tokens_nor_dollars() -> None:
    model = replay(asked(output_request()), said("yes"))
    assert await ask(model, output_request()) == ModelReply(text="yes", spend=FREE, recorded=PAID)


async def test_tools_that_were_chosen_are_chosen_again() -> None:
    model = replay(asked(tools_request()), said("I look.", SEARCH, key="scout/1"))
    assert (await ask(model, tools_request())).calls == (SEARCH,)


def test_the_log_goes_on_naming_who_answered_and_nothing_is_reserved_but_a_call() -> None:
    model = replay(asked(output_request()), said("yes"))
    prepared = model.prepare(output_request())
    assert (prepared.model, prepared.ceiling, prepared.refused) == ("lab:large", FREE, None)
    assert model.name == "replay:s1"


async def test_a_recorded_error_comes_again_in_its_words() -> None:
    model = replay(asked(output_request()), lost("no answer within 5 s"))
    with pytest.raises(ModelFailed, match=r"^no answer within 5 s$") as caught:
        await ask(model, output_request())
    assert caught.value.spend == FREE


async def test_recorded_errors_come_again_in_their_order_and_then_the_reply() -> None:
    tries = [changed(failures=failures, ordinal=failures + 1) for failures in range(3)]
    answers = (lost("no answer in time"), lost("the connection was cut"), said("yes"))
    model = replay(*(fact for asking, answer in zip(tries, answers, strict=True) for fact in (asked(asking), answer)))
    for asking, why in zip(tries, ("no answer in time", "the connection was cut"), strict=False):
        with pytest.raises(ModelFailed, match=f"^{why}$"):
            await ask(model, asking)
    assert (await ask(model, tries[2])).text == "yes"


async def test_what_was_wrong_with_a_reply_is_wrong_again() -> None:
    cut_off = "the reply was cut off at its limit"
    model = replay(asked(output_request()), said('{"is_cl', fault=cut_off))
    assert await ask(model, output_request()) == ModelReply(text='{"is_cl', fault=cut_off, spend=FREE, recorded=PAID)


@pytest.mark.parametrize("counted", [Spend(), FREE])
async def test_a_call_counts_as_what_it_counted_as_then(counted: Spend) -> None:
    """What was kept, or never sent, was no call."""
    kept = replay(asked(output_request()), said("yes", spend=counted))
    assert (await ask(kept, output_request())).spend == counted
    unsent = replay(asked(output_request()), lost("no connection", counted))
    with pytest.raises(ModelFailed) as caught:
        await ask(unsent, output_request())
    assert caught.value.spend == counted


def changed(**what: object) -> OutputRequest:
    return output_request().model_copy(update=what)


@pytest.mark.parametrize("request_", [changed(todo_id="t9"), changed(ordinal=4), changed(rejected="{}")])
async def test_a_call_is_known_by_its_place_and_by_what_is_asked(request_: OutputRequest) -> None:
    assert (await ask(replay(asked(output_request()), said("yes")), request_)).text == "yes"


@pytest.mark.parametrize("given", [{"question": "Why is the sky blue?"}, {"context": []}, {}])
async def test_a_call_is_known_in_the_log_of_an_older_release_that_asked_less(given: JsonValue) -> None:
    short = asked(output_request()).model_copy(update={"given": given})
    assert (await ask(replay(short, said("yes")), output_request())).text == "yes"


async def test_what_an_older_release_left_out_of_a_part_does_not_count_either() -> None:
    cards = tuple(AgentCard(name=name, description="Looks it up.", tools=("search",)) for name in ("a", "b"))
    asking = output_request(PlanInput(question="Why?", agents=cards))
    older: list[JsonValue] = [{"name": "a"}, {"name": "b"}]

    def log(agents: JsonValue) -> ReplayModel:
        given: JsonValue = {"question": "Why?", "agents": agents}
        return replay(asked(asking).model_copy(update={"given": given}), said("yes"))

    assert (await ask(log(older), asking)).text == "yes"
    others: list[list[JsonValue]] = [older[:1], [*older, {"name": "c"}], older[::-1], [{"tools": []}, older[1]]]
    for other in others:
        with pytest.raises(ReplayMiss):
            await ask(log(other), asking)


@pytest.mark.parametrize(
    "request_",
    [
        changed(key="other"),
        changed(role="planner"),
        changed(attempt=2),
        changed(objections=("no JSON",)),
        output_request(ClarifyInput(question="Why is the sky grey?")),
        output_request(PlanInput(question="Why is the sky blue?", max_todos=3)),
        tools_request(),
    ],
)
async def test_a_call_that_was_never_made_is_named_with_its_session(request_: ModelRequest) -> None:
    model = replay(asked(output_request()), said("yes"))
    with pytest.raises(ReplayMiss, match=f"log of session s1 has no call of {request_.role} for {request_.key} "):
        await ask(model, request_)
    assert model.prepare(request_).refused is None


async def test_other_tools_are_another_call() -> None:
    model = replay(asked(tools_request()), said("", SEARCH, key="scout/1"))
    [offer] = tools_request().tools
    other = tools_request().model_copy(update={"tools": (offer, offer.model_copy(update={"name": "fetch"}))})
    with pytest.raises(ReplayMiss):
        await ask(model, other)


async def test_a_call_that_was_never_answered_is_not_recorded() -> None:
    with pytest.raises(ReplayMiss):
        await ask(replay(said("before"), asked(output_request())), output_request())


async def test_a_place_where_two_things_were_asked_has_a_reply_to_each() -> None:
    grey = output_request(ClarifyInput(question="Why is the sky grey?"))
    model = replay(asked(output_request()), said("air"), asked(grey), said("clouds"))
    assert [(await ask(model, request)).text for request in (grey, output_request())] == ["clouds", "air"]


async def test_a_call_that_was_made_again_after_a_crash_has_the_reply_that_came() -> None:
    model = replay(asked(output_request()), asked(output_request()), said("yes"))
    assert (await ask(model, output_request())).text == "yes"


async def test_replies_that_come_in_any_order_go_to_their_own_calls() -> None:
    grey = output_request(ClarifyInput(question="Why is the sky grey?"), key="b")
    model = replay(asked(output_request()), asked(grey), said("clouds", key="b"), said("air"))
    assert [(await ask(model, request)).text for request in (output_request(), grey)] == ["air", "clouds"]


@pytest.fixture
async def stores() -> AsyncIterator[tuple[SqliteStore, SqliteStore]]:
    first, second = open_store(":memory:"), open_store(":memory:")
    yield first, second
    await first.close()
    await second.close()


async def carried(store: SqliteStore, workflow: Workflow[S], model: Model) -> Sequence[KnownPayload]:
    clock = ManualClock()
    await begin(store, clock)
    performer = Executor(model, {"broom": Broom()}, clock, 5, 5)
    await drive(await journal_of(store, clock, workflow), performer, limits(), asyncio.Event())
    return await facts(store)


def came_of_it(log: Sequence[KnownPayload]) -> tuple[list[JsonValue], int]:
    """Return what followed from the calls of a session, whatever they were, and as how many they counted."""
    others = [fact for fact in log if not isinstance(fact, ModelRequested | ModelResponded)]
    calls = sum(answered.spend.model_calls for answered in of(ModelResponded, log))
    return [fact.model_dump(mode="json", exclude={"milliseconds"}) for fact in others], calls


GOOD = ModelReply(text=SWEPT, spend=PAID)
SWEEP = ToolCall(ref="call-1", tool="broom", given={"name": "stairs"})


@pytest.mark.parametrize(
    "answers",
    [
        [GOOD],
        [GOOD.model_copy(update={"text": "I swept."}), GOOD],
        [GOOD.model_copy(update={"text": '{"said": ""}'})],
        [GOOD.model_copy(update={"calls": (SWEEP,)}), GOOD],
        [GOOD.model_copy(update={"fault": "the reply was cut off at its limit"}), GOOD],
        [ModelFailed("no connection"), GOOD],
        [ModelFailed("no connection"), ModelFailed("no answer in time"), ModelFailed("cut off")],
        [GOOD.model_copy(update={"spend": Spend(), "cached": True})],
    ],
    ids=["good", "no JSON", "never enough", "a stray tool call", "cut off", "lost", "always lost", "cached"],
)
async def test_a_session_runs_again_as_it_ran(
    stores: tuple[SqliteStore, SqliteStore], answers: list[ModelReply | Exception]
) -> None:
    first, second = stores
    log = await carried(first, Chores({}), Answers(*answers))
    again = await carried(second, Chores({}), ReplayModel(SESSION, await first.events(SESSION)))
    assert came_of_it(again) == came_of_it(log)


@pytest.mark.parametrize("reply", [ModelReply(text="", calls=(SWEEP,), spend=PAID), ModelReply(text="no", spend=PAID)])
async def test_a_tool_pass_runs_again_as_it_ran(stores: tuple[SqliteStore, SqliteStore], reply: ModelReply) -> None:
    first, second = stores
    log = await carried(first, Errands(), Answers(reply))
    again = await carried(second, Errands(), ReplayModel(SESSION, await first.events(SESSION)))
    assert came_of_it(again) == came_of_it(log)
    assert len(of(ToolResponded, again)) == len(reply.calls)
