"""A plan of many todos that is carried out in memory: outcomes are made up, and nothing is stored."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

from fakes.findings import finding, hit, source
from quaestor.contracts.action import Action, Finish, OutputPass, Record, ToolPass, ToolRun
from quaestor.contracts.base import Contract
from quaestor.contracts.cost import Spend
from quaestor.contracts.event import (
    ContractAccepted,
    Event,
    KnownPayload,
    ModelRequested,
    ModelResponded,
    SessionStarted,
    ToolRequested,
    ToolResponded,
)
from quaestor.contracts.tools import SearchResults
from quaestor.research.contracts.plan import Plan, Todo
from quaestor.research.contracts.roles import DraftFinding, DraftQuote, Queries, Reading, Review
from quaestor.research.contracts.tools import Proof
from quaestor.research.contracts.writing import Section, Summary, WrittenSentence
from quaestor.research.events import PlanCreated
from quaestor.research.options import ResearchOptions
from quaestor.research.workflow import Research

_NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)


class CarriedOut:
    """A research session with a plan of `count` todos that depend on nothing."""

    def __init__(self, count: int, *, parallel: int = 4) -> None:
        options = ResearchOptions(
            corpus="corpus_1", model="test:model", max_todos=1_000, max_steps=10**6, parallel=parallel, loops=1
        )
        todos = tuple(
            Todo(id=f"t{number}", task=f"Look at light {number}", queries=(f"light {number}",))
            for number in range(1, count + 1)
        )
        started = SessionStarted(
            question="What are the lights?", workflow="research", task_key="k", options=options.model_dump(mode="json")
        )
        self.workflow = Research()
        self.state = self.workflow.begin()
        self.seq = 0
        self.take("CLARIFYING", None, started)
        self.take("PLANNING", None, PlanCreated(plan=Plan(todos=todos)))

    def take(self, state: str, todo_id: str | None, fact: KnownPayload) -> None:
        """Fold one more fact."""
        self.seq += 1
        at = _NOON + timedelta(milliseconds=self.seq)
        event = Event(session_id="s", seq=self.seq, cycle=1, at=at, state=state, todo_id=todo_id, payload=fact)
        self.state = self.workflow.apply(self.state, event)

    @property
    def reviewed(self) -> int:
        """How many todos are done and reviewed."""
        return len(self.state.reviewed)

    def go_on(self, until: int) -> None:
        """Carry todos out, asking for the next actions after every event, until so many are reviewed."""
        while self.reviewed < until:
            action = next(iter(self.workflow.next(self.state)))
            if isinstance(action, Finish):
                return
            for fact in _facts(action):
                self.take(action.state, action.todo_id, fact)
                list(self.workflow.next(self.state))


def _facts(action: Action) -> Iterator[KnownPayload]:
    """Yield what an action leads to: its intent and its outcome."""
    match action:
        case Record(facts=facts):
            yield from facts
        case ToolRun(key=key, tool=tool, given=given):
            yield ToolRequested(key=key, tool=tool, repeatable=True, given=given)
            spend = Spend(tool_calls=1)
            yield ToolResponded(key=key, tool=tool, result=_result(action), error=None, spend=spend, milliseconds=1)
        case OutputPass(key=key, role=role, given=given):
            yield ModelRequested(
                key=key, role=role, model="m", contract=given.gives.__name__, ordinal=1, attempt=1, given={}
            )
            yield ModelResponded(key=key, role=role, reply="{}", error=None, spend=Spend(model_calls=1), milliseconds=1)
            yield ContractAccepted(key=key, role=role, contract=given.gives.__name__, output=_output(action))
        case ToolPass() | Finish():
            raise AssertionError(f"{action.key} is not part of this plan")


def _result(run: ToolRun) -> Contract:
    own = str(run.todo_id)
    if run.tool == "search":
        return SearchResults(hits=(hit(_said(own)),))
    return Proof(findings=(finding(f"{own}/1", _said(own)),), sources=(source(_said(own)),))


def _said(todo_id: str) -> str:
    """Return a sentence that shares no three words with that of another todo."""
    return " ".join(f"{word}{todo_id.replace('.', '')}" for word in ("light", "tower", "keeper", "shines", "north"))


def _output(asked: OutputPass) -> Contract:
    said = _said(str(asked.todo_id))
    match asked.role:
        case "query_writer":
            return Queries(queries=(f"light {asked.todo_id}",))
        case "reader":
            return Reading(findings=(DraftFinding(claim=said, quotes=(DraftQuote(source="p1", text=said),)),))
        case "reviewer":
            return Review(is_sufficient=True, summary=said)
        case "summarizer":
            return Summary(text="They shine.")
        case _:
            return Section(heading="Lights", sentences=(WrittenSentence(text=said, findings=(f"{asked.todo_id}/1",)),))
