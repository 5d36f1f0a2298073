"""Every order at every moment of real runs: obeyed within the state table, or refused with a reason."""

import asyncio
from collections.abc import Mapping, Sequence
from functools import reduce
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fakes.sample import sample
from fakes.sittings import BELL_IS_LOST, PLANNED, Sitting, sit
from quaestor.contracts.action import Finish
from quaestor.contracts.command import AddBudget, Answer, Cancel, Command, FinishNow, Pause
from quaestor.contracts.event import Event, KnownPayload, StateEntered
from quaestor.kernel.journal import enter_state
from quaestor.kernel.run_state import RunState, fold
from quaestor.research.contracts.commands import EditPlan, RetryTodo, ReviewPlan
from quaestor.research.contracts.plan import AddTodo, ChangeTodo, DropTodo, MoveTodo, PlanEdit, TodoKind
from quaestor.research.events import PlanEdited
from quaestor.research.state import ResearchState
from quaestor.research.table import TABLE
from quaestor.research.workflow import Research

IDS = st.sampled_from(("t1", "t2", "t3", "t2.1", "t2.1.1", "t2.1.1.1", "t4", "t99", "no id", "../t1"))
TEXTS = st.sampled_from(("yes", "/confirm_plan", "/end_plan", "retry", "the lighthouse", " ", "\0", "日本")) | st.text(
    min_size=1, max_size=30
)
TASKS = st.sampled_from(("When was it lit?", "Who collected light dues in Aldmouth?")) | TEXTS
WAITS = st.lists(IDS, max_size=2).map(tuple)
EDITS: st.SearchStrategy[PlanEdit] = st.one_of(
    st.builds(
        AddTodo, task=TASKS, agent=st.sampled_from((None, "", "nobody")), dependencies=WAITS, before=IDS | st.none()
    ),
    st.builds(
        ChangeTodo,
        todo_id=IDS,
        task=st.none() | TASKS,
        does=st.none() | st.sampled_from(TodoKind),
        agent=st.none() | st.just("nobody"),
        dependencies=st.none() | WAITS,
    ),
    st.builds(MoveTodo, todo_id=IDS, before=IDS | st.none()),
    st.builds(DropTodo, todo_id=IDS, force=st.booleans()),
)
ORDERS: st.SearchStrategy[Command] = st.one_of(
    st.builds(Answer, text=TEXTS),
    st.builds(EditPlan, edits=st.lists(EDITS, min_size=1, max_size=3).map(tuple), seen=st.none() | st.integers(1, 400)),
    st.builds(ReviewPlan, review=st.sampled_from(("confirmed", "auto_approved"))),
    st.just(FinishNow()),
    st.just(Cancel()),
    st.builds(RetryTodo, todo_id=IDS),
)
RUNS = ("asked", "poor")
VAGUE = {"reply": {"is_clear": False, "questions": ["Which one?"], "assumptions": []}}
WITHOUT_ID = ("finished", "report is being written", "no plan yet", "has been carried out", "edited by somebody else")


class Logs:
    """What was recorded, by the name of its run; it is not shown where a test fails, for it is long."""

    def __init__(self, of: Mapping[str, Sequence[Event]]) -> None:
        self.of = of


async def _recorded(folder: Path) -> Logs:
    """Return the logs of a run that was asked, reviewed and escalated, and of one that its budget ended."""
    script = {"planner": PLANNED, "clarifier": [VAGUE], "reader": BELL_IS_LOST}
    asked = await sit(folder / "asked", script, review_plan=True)
    for text in ("the one in the harbour", "/confirm_plan", "retry"):
        await asked.run()
        assert await asked.tell(Answer(text=text)) is None
    poor = await sit(folder / "poor", {"planner": PLANNED}, max_model_calls=11)
    return Logs(dict(zip(RUNS, (await _finished(asked), await _finished(poor)), strict=True)))


async def _finished(sitting: Sitting) -> Sequence[Event]:
    assert (await sitting.run()).status == "finished"
    return await sitting.events()


@pytest.fixture(scope="module")
def logs(tmp_path_factory: pytest.TempPathFactory) -> Logs:
    return asyncio.run(_recorded(tmp_path_factory.mktemp("orders")))


def state_of(events: Sequence[Event]) -> ResearchState:
    return reduce(Research().apply, events, Research().begin())


def followed(
    events: Sequence[Event], facts: Sequence[KnownPayload], state: str | None = None, todo_id: str | None = None
) -> Sequence[Event]:
    """Return a log with facts after its end, in the state in which the session is."""
    last, state = events[-1], state or here(events)
    own = (
        last.revised(seq=last.seq + place, state=state, todo_id=todo_id, payload=fact)
        for place, fact in enumerate(facts, 1)
    )
    return (*events, *own)


def here(events: Sequence[Event]) -> str:
    return reduce(fold, events, RunState()).entered.get("session", "CLARIFYING")


def check_wanted(events: Sequence[Event]) -> None:
    """Everything that is wanted is reached by the table; a record is followed until no other is wanted."""
    for _ in range(50):
        wanted = Research().next(state_of(events))
        assert len({action.key for action in wanted}) == len(wanted)
        entered = reduce(fold, events, RunState()).entered
        for action in wanted:
            enter_state(TABLE, entered, action.state, action.todo_id)
        records = [action for action in wanted if action.kind == "record"]
        if not records:
            return
        first = records[0]
        facts = (*enter_state(TABLE, entered, first.state, first.todo_id), *first.facts)
        events = followed(events, facts, first.state, first.todo_id)
    raise AssertionError("records without end")


@given(name=st.sampled_from(RUNS), count=st.integers(0, 1000), orders=st.lists(ORDERS, min_size=1, max_size=3))
def test_an_order_is_obeyed_within_the_table_or_refused_with_a_reason(
    logs: Logs, name: str, count: int, orders: Sequence[Command]
) -> None:
    events = cut(logs.of[name], 1 + count % len(logs.of[name]))
    for order in orders:
        state = state_of(events)
        obeyed = Research().handle(state, order)
        assert Research().handle(state, order) == obeyed
        if obeyed.refused is not None:
            assert obeyed.facts == ()
            assert names_what_it_is_about(obeyed.refused, order)
            continue
        assert obeyed.facts
        events = followed(events, obeyed.facts, todo_id=obeyed.todo_id)
        check_wanted(events)
        if isinstance(order, Cancel):
            [finish] = Research().next(state_of(events))
            assert isinstance(finish, Finish)
            assert finish.outcome == "cancelled"


def cut(events: Sequence[Event], count: int) -> Sequence[Event]:
    """Return the first events; a state is entered in one transaction with what happens there, and never without it."""
    while isinstance(events[count - 1].payload, StateEntered):
        count += 1
    return events[:count]


def names_what_it_is_about(reason: str, order: Command) -> bool:
    if any(words in reason for words in WITHOUT_ID):
        return True
    match order:
        case RetryTodo(todo_id=todo_id):
            return todo_id in reason
        case EditPlan(edits=edits):
            words = {repr(edit.task.strip()) if isinstance(edit, AddTodo) else edit.todo_id for edit in edits}
            ids = {"no id", *(f"t{number}" for number in range(1, 100))}
            return any(word in reason for word in words | ids) or "room for" in reason or "no todo" in reason
        case _:
            return bool(reason)


@pytest.mark.parametrize("order", [FinishNow(), Cancel(), Answer(text="retry"), RetryTodo(todo_id="t2.1.1")], ids=str)
@pytest.mark.parametrize("step", sample([9, 1], lambda place: place == 0))
def test_an_order_that_may_end_or_turn_a_run_leads_on_at_every_moment(logs: Logs, order: Command, step: int) -> None:
    for whole in logs.of.values():
        for count in range(1, len(whole) + 1, step):
            events = cut(whole, count)
            obeyed = Research().handle(state_of(events), order)
            assert (obeyed.refused is None) == bool(obeyed.facts)
            check_wanted(followed(events, obeyed.facts, todo_id=obeyed.todo_id))


@pytest.mark.parametrize("order", [Pause(), AddBudget(tokens=1)])
def test_what_the_kernel_itself_does_leads_to_nothing_here(order: Command) -> None:
    state = ResearchState(question="Why?")
    obeyed = Research().handle(state, order)
    assert (obeyed.facts, obeyed.refused) == ((), None)


def test_whatever_is_edited_no_id_is_given_twice(logs: Logs) -> None:
    events = logs.of["asked"]
    created = next(event.seq for event in events if event.type == "plan_created")
    log: Sequence[Event] = events[:created]
    given: list[str] = [todo.id for todo in state_of(log).plan.todos]
    for number in range(4):
        obeyed = Research().handle(state_of(log), EditPlan(edits=(AddTodo(task=f"Look up number {number}"),)))
        [fact] = obeyed.facts
        assert isinstance(fact, PlanEdited)
        new = fact.plan.todos[-1].id
        assert new not in given
        given.append(new)
        dropped = Research().handle(state_of(followed(log, [fact])), EditPlan(edits=(DropTodo(todo_id=new),)))
        log = followed(followed(log, [fact]), dropped.facts)
    assert given == [f"t{number}" for number in range(1, 8)]
