"""A todo that another workflow carries out, whichever it is: pure rules over a run that does as it is told."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime

from fakes.findings import finding, hit
from quaestor.contracts.action import Action, Record, ToolRun
from quaestor.contracts.cost import Spend
from quaestor.contracts.event import Event, FactRecorded, KnownPayload, QuestionAsked, ToolResponded
from quaestor.contracts.plugin import TodoWorkflow
from quaestor.contracts.todo import OutputClaim, TodoOutcome, TodoOutput, TodoRequest
from quaestor.contracts.tools import SearchResults
from quaestor.research.contracts.plan import Todo
from quaestor.research.contracts.tools import DepositInput
from quaestor.research.options import ResearchOptions
from quaestor.research.todos import lifecycle, todo_fold, workflow_todo
from quaestor.research.todos.state import TodoState
from quaestor.research.todos.steps import Quoting, Reading, Recording, Working
from quaestor.research.todos.tool_outcomes import ToolOutcomes

AT = datetime(2026, 1, 1, tzinfo=UTC)
OPTIONS = ResearchOptions(todos={"cooking": {"salt": True}}, corpus="c", questions=True)
TODO = Todo(id="t2", task="Cook a soup.", kind="cooking")
SOUP = TodoOutput(key="todo/t2/pot", title="The pot", text="The soup is hot.")
HOT = OutputClaim(claim="It is hot.", output=SOUP.key, quote="hot")


@dataclass(frozen=True, slots=True)
class Cooking:
    """A run that ends with what the workflow was told; a `TodoRun`."""

    request: TodoRequest
    ending: TodoOutcome
    outcome: TodoOutcome | None = None
    open_question: QuestionAsked | None = None
    untrusted_source: str | None = None

    def apply(self, event: Event) -> "Cooking":
        own = event.todo_id == self.request.todo_id and isinstance(event.payload, FactRecorded)
        return replace(self, outcome=self.ending) if own else self

    def next(self) -> Sequence[Action]:
        fact = FactRecorded(key=f"{self.request.key_prefix}pot", contract="Soup", value="hot")
        return [Record(key=fact.key, state="COOKING", todo_id=self.request.todo_id, facts=(fact,))]

    def mark_untrusted(self, source: str) -> "Cooking":
        return replace(self, untrusted_source=source)

    def refuse_answer(self, text: str) -> str | None:
        return None if text == "yes" else "say yes"


def ended(outcome: TodoOutcome) -> TodoState:
    """Return a todo whose run has ended."""
    kitchen = TodoWorkflow(description="cooks", states={}, start=lambda request: Cooking(request, outcome))
    state = lifecycle.start(TODO, [finding("t1/1", "Soup is wet.")], OPTIONS, workflows={"cooking": kitchen})
    [record] = wanted(state)
    assert isinstance(record, Record)
    return after(state, record.facts[0])


def wanted(state: TodoState) -> Sequence[Action]:
    return lifecycle.next_actions(state, TODO, question="?", outcomes=ToolOutcomes(), options=OPTIONS)


def after(state: TodoState, payload: KnownPayload, todo_id: str = "t2") -> TodoState:
    event = Event(session_id="s", seq=1, cycle=1, at=AT, state="COOKING", todo_id=todo_id, payload=payload)
    return todo_fold.fold(workflow_todo.fold(state, event), event, OPTIONS)


def deposited(state: TodoState, text: str | None) -> TodoState:
    """Return the todo once its outputs are sources, of which this text was found."""
    [run] = wanted(state)
    assert isinstance(run, ToolRun)
    assert isinstance(run.given, DepositInput)
    hits = () if text is None else (hit(text).revised(uri=f"quaestor:{SOUP.key}"),)
    responded = ToolResponded(
        key=run.key, tool="deposit", result=SearchResults(hits=hits), error=None, spend=Spend(), milliseconds=0
    )
    return after(state, responded)


def test_a_run_is_given_the_task_what_is_known_and_the_options_of_its_kind() -> None:
    state = ended(TodoOutcome(outcome="done", statement="Cooked."))
    assert isinstance(state.step, Working)
    assert isinstance(state.step.run, Cooking)
    request = state.step.run.request
    assert (request.task, request.known, request.options.own) == (TODO.task, ("Soup is wet.",), {"salt": True})
    assert (request.options.corpus, request.options.run.questions) == ("c", True)


def test_what_it_claims_is_quoted_and_no_reader_is_asked() -> None:
    outcome = TodoOutcome(outcome="done", statement="Cooked.", outputs=(SOUP,), claims=(HOT,), tools_used=("oven",))
    state = ended(outcome)
    [run] = wanted(state)
    assert isinstance(run, ToolRun)
    assert run.given == DepositInput(query="hot", limit=50, outputs=(SOUP,))
    state = deposited(state, SOUP.text)
    assert isinstance(state.step, Quoting)
    assert [(draft.claim, draft.quotes[0].text) for draft in state.step.drafts] == [("It is hot.", "hot")]
    assert not state.step.may_search
    assert (state.summary, state.tools) == ("Cooked.", ("oven", "deposit"))


def test_outputs_without_claims_are_read() -> None:
    state = deposited(ended(TodoOutcome(outcome="done", statement="Cooked.", outputs=(SOUP,))), SOUP.text)
    assert state.step == Reading()


def test_one_that_is_not_done_fails_without_evidence() -> None:
    for outcome, failure in (("failed", "It burnt."), ("partial", "It burnt."), ("done", None)):
        ending = TodoOutcome.model_validate({"outcome": outcome, "statement": "It burnt."})
        assert deposited(ended(ending), None).step == Recording(failure)


def test_a_workflow_that_is_not_installed_any_more_fails_its_todos() -> None:
    state = lifecycle.start(TODO, (), OPTIONS)
    assert state.step == Recording("no workflow is installed that carries out todos of kind cooking")


def test_a_todo_of_a_kind_that_the_session_does_not_have_is_researched() -> None:
    assert not isinstance(lifecycle.start(TODO, (), ResearchOptions()).step, Working | Recording)


def test_its_run_says_which_answers_it_takes_and_what_it_read() -> None:
    state = ended(TodoOutcome(outcome="done", statement="Cooked."))
    assert (workflow_todo.refuse_answer(state, "no"), workflow_todo.refuse_answer(state, "yes")) == ("say yes", None)
    assert workflow_todo.source_read_by_runs([state]) is None
    assert workflow_todo.source_read_by_runs([workflow_todo.mark_untrusted(state, "a book")]) == "t2: a book"
