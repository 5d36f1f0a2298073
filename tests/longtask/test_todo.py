"""A todo that a long task carries out, from its start to its evidence: pure rules over the events of its session."""

from collections.abc import Mapping, Sequence
from datetime import UTC, date, datetime
from typing import cast

import pytest
from pydantic import JsonValue

from fakes.findings import finding, hit
from fakes.tasks import PLAN, noted, reply, shell
from quaestor.contracts.action import OutputPass, Record, ToolRun
from quaestor.contracts.base import Contract
from quaestor.contracts.context import RunContext
from quaestor.contracts.cost import Spend
from quaestor.contracts.event import (
    BudgetReached,
    ContractAccepted,
    ContractRejected,
    Event,
    FactRecorded,
    FinishRequested,
    KnownPayload,
    ToolResponded,
)
from quaestor.contracts.report_settings import ANY_SOURCE, SourceBounds
from quaestor.contracts.source import ANY_DATE, DateRange
from quaestor.contracts.tools import AnyTool, SearchResults
from quaestor.contracts.workspace import DumpInput, DumpResult, ProgramResult
from quaestor.longtask.contracts import RoundInput
from quaestor.longtask.todo import TASK_TODO, task_options
from quaestor.longtask.tools.searches import SEARCH_DATABASE, SEARCH_WEB
from quaestor.research.contracts.plan import Todo, TodoKind
from quaestor.research.contracts.tools import DepositInput
from quaestor.research.options import ResearchOptions
from quaestor.research.todos import lifecycle, todo_fold, workflow_todo
from quaestor.research.todos.state import TodoState
from quaestor.research.todos.steps import Querying, Reading, Recording
from quaestor.research.todos.tool_outcomes import ToolOutcomes
from quaestor.tools.engines import SearchWeb

OPTIONS = ResearchOptions(allow=("python", "shell"), workspace="/w", questions=True, approve=("shell",))
TODO = Todo(id="t2", task="Add up the costs.", kind=TodoKind.TOOL)
DONE = reply("They cost 5,350 crowns.", done=True)
AT = datetime(2026, 1, 1, tzinfo=UTC)


class Run:
    """The state of one todo, and the events that it came of."""

    def __init__(self, *known: str, options: ResearchOptions = OPTIONS) -> None:
        self.options = options
        findings = [finding(f"t1/{at}", claim) for at, claim in enumerate(known, 1)]
        self.state = lifecycle.start(TODO, findings, options, workflows={"tool": TASK_TODO})

    def note(self, fact: KnownPayload) -> None:
        todo_id = None if isinstance(fact, FinishRequested | BudgetReached) else TODO.id
        event = Event(session_id="s", seq=1, cycle=1, at=AT, state="ACTING", todo_id=todo_id, payload=fact)
        self.state = workflow_todo.fold(self.state, event)
        if event.todo_id == TODO.id:
            self.state = todo_fold.fold(self.state, event, self.options)

    def wanted(self) -> OutputPass | Record | ToolRun:
        [action] = lifecycle.next_actions(self.state, TODO, question="?", outcomes=ToolOutcomes(), options=self.options)
        assert isinstance(action, OutputPass | Record | ToolRun)
        return action

    def answer(self, said: Mapping[str, JsonValue]) -> None:
        asked = self.settle()
        assert isinstance(asked, OutputPass)
        self.note(
            ContractAccepted(
                key=asked.key,
                role=asked.role,
                contract=asked.given.gives.__name__,
                output=asked.given.gives.model_validate(said),
            )
        )

    def respond(self, result: Contract | None, error: str | None = None) -> None:
        run = self.wanted()
        assert isinstance(run, ToolRun)
        given = ToolResponded(key=run.key, tool=run.tool, result=result, error=error, spend=Spend(), milliseconds=0)
        self.note(given)

    def settle(self) -> OutputPass | Record | ToolRun:
        """Follow facts and dumps until something else is wanted."""
        while True:
            action = self.wanted()
            if isinstance(action, Record) and isinstance(action.facts[0], FactRecorded):
                self.note(action.facts[0])
            elif isinstance(action, ToolRun) and isinstance(action.given, DumpInput):
                self.respond(DumpResult(plan_sha256="a" * 64))
            else:
                return action

    def plan(self) -> RoundInput:
        self.answer(PLAN)
        return self.shown()

    def shown(self) -> RoundInput:
        asked = self.settle()
        assert isinstance(asked, OutputPass)
        assert isinstance(asked.given, RoundInput)
        return asked.given

    def program(self, code: str, stdout: str, exit_code: int = 0) -> None:
        self.answer(reply(call={"tool": "python", "code": code}))
        self.settle()
        self.respond(ProgramResult(exit_code=exit_code, stdout=stdout))

    def deposited(self) -> DepositInput:
        run = self.settle()
        assert isinstance(run, ToolRun)
        assert (run.key, run.state, run.tool) == ("todo/t2/deposit", "DEPOSITING", "deposit")
        assert isinstance(run.given, DepositInput)
        return run.given


def found(text: str) -> SearchResults:
    return SearchResults(hits=(hit(text),))


def test_what_its_programs_printed_becomes_evidence_that_is_read() -> None:
    run = Run()
    run.plan()
    run.program("print(1)", "5,350 crowns\n")
    run.program("print(2)", "", 0)
    run.program("print(3)", "wrong", exit_code=1)
    run.answer(DONE)
    given = run.deposited()
    assert given.query == TODO.task
    assert [(one.key, one.title, one.text) for one in given.outputs] == [
        ("todo/t2/round/1/tool", "Output of python in round 1 of t2", "5,350 crowns")
    ]
    run.respond(found("5,350 crowns"))
    assert run.state.step == Reading()
    assert [one.passage.text for one in run.state.unread] == ["5,350 crowns"]
    assert (run.state.summary, run.state.tools) == ("They cost 5,350 crowns.", ("python", "deposit"))


def test_outputs_are_kept_to_the_last_ones_and_each_to_a_length() -> None:
    run = Run()
    run.plan()
    for number in range(25):
        run.program(f"print({number})", f"{number} {'x' * 9000}")
    run.answer(DONE)
    outputs = run.deposited().outputs
    assert [one.text.split()[0] for one in outputs] == [str(number) for number in range(5, 25)]
    assert {len(one.text) for one in outputs} == {4000}


def test_without_an_output_it_ends_with_what_its_rounds_said() -> None:
    run = Run()
    run.plan()
    run.answer(DONE)
    assert run.deposited().outputs == ()
    run.respond(SearchResults())
    assert (run.state.step, run.state.summary) == (Recording(), "They cost 5,350 crowns.")


@pytest.mark.parametrize("printed", [True, False])
def test_one_that_was_not_done_has_a_gap_and_fails_only_without_evidence(printed: bool) -> None:
    run = Run()
    run.plan()
    if printed:
        run.program("print(1)", "5,350 crowns")
    for _ in range(3):
        run.settle()
    asked = run.shown()
    run.note(
        ContractRejected(
            key=f"todo/t2/round/{asked.round}",
            role="worker",
            contract="Round",
            attempt=3,
            objections=("no JSON",),
            final=True,
        )
    )
    run.deposited()
    run.respond(found("5,350 crowns") if printed else SearchResults())
    assert "three replies could not be used: no JSON" in run.state.gaps[0]
    assert run.state.step == (Reading() if printed else Recording(run.state.summary))


@pytest.mark.parametrize(
    "stop", [FinishRequested(), BudgetReached(limit="model_calls: 9", spent=Spend(), refused_key="")]
)
def test_stopped_from_outside_it_writes_its_files_deposits_what_it_has_and_asks_no_model(stop: KnownPayload) -> None:
    run = Run()
    run.plan()
    run.program("print(1)", "5,350 crowns")
    run.note(stop)
    run.state = todo_fold.stop_early(run.state, "enough")
    dump = run.wanted()
    assert isinstance(dump, ToolRun)
    assert isinstance(dump.given, DumpInput)
    assert len(run.deposited().outputs) == 1
    run.respond(found("5,350 crowns"))
    assert isinstance(run.state.step, Recording)
    assert "Ended early, because" in run.state.gaps[0]


def test_a_deposit_that_fails_leaves_the_todo_without_evidence() -> None:
    run = Run()
    run.plan()
    run.program("print(1)", "5,350 crowns")
    run.answer(DONE)
    run.deposited()
    run.respond(None, "the disk is full")
    assert run.state.step == Recording()
    assert run.state.gaps == ("What it produced could not be kept: the disk is full",)


def test_what_its_dependencies_found_stands_in_its_findings() -> None:
    shown = Run("The lighthouse cost 4,200 crowns.", "The lights cost 1,150 crowns.").plan()
    assert "Requirements" in shown.findings_tail
    assert "## Research findings" in shown.findings_tail
    assert "  The lighthouse cost 4,200 crowns.\n" in shown.findings_tail
    assert "The lights cost 1,150 crowns." in shown.findings_tail
    assert shown.actions == 0


def test_it_works_in_a_folder_of_its_own_with_the_tools_of_the_session() -> None:
    run = Run()
    assert run.plan().tools == ("shell", "python")
    run.answer(reply(call={"tool": "python", "code": "1"}))
    acting = run.settle()
    assert isinstance(acting, ToolRun)
    assert acting.given.model_dump()["folder"] == "t2"
    said = task_options(workflow_todo.todo_options(OPTIONS, "tool"))
    assert (said.workspace, said.approve, said.questions) == ("/w", ("shell",), True)
    apart = task_options(workflow_todo.todo_options(OPTIONS.revised(approve_after_untrusted=False), "tool"))
    assert (said.approve_after_untrusted, apart.approve_after_untrusted) == (True, False)


def test_a_question_names_the_todo_that_asks_it() -> None:
    run = Run()
    run.plan()
    run.answer(reply(call=shell("rm a")))
    asked = run.settle()
    assert isinstance(asked, Record)
    assert asked.todo_id == "t2"
    [question] = asked.facts[0].model_dump()["questions"]
    assert question.startswith('t2: round 1 wants to call shell with exactly this: {"command": "rm a"')


class Wanted:
    """Services of which only the arguments are kept."""

    def __init__(self) -> None:
        self.asked: list[object] = []

    def web_search(self, _engines: Sequence[str], sources: SourceBounds = ANY_SOURCE) -> AnyTool:
        self.asked.append(sources)
        return SearchWeb([])

    def databases(self, _names: Sequence[str], _corpus: str = "", dates: DateRange = ANY_DATE) -> AnyTool:
        self.asked.append(dates)
        return SearchWeb([])


async def test_its_searches_keep_to_the_domains_and_the_days_of_the_report() -> None:
    bounds = SourceBounds(denied_domains=("ads.example",), since=date(2024, 1, 1))
    options = OPTIONS.revised(denied_domains=bounds.denied_domains, since=bounds.since)
    context = Wanted()
    for tool in (SEARCH_WEB, SEARCH_DATABASE):
        await tool.build(cast("RunContext", context), task_options(workflow_todo.todo_options(options, "tool")))
    assert context.asked == [bounds, DateRange(first=date(2024, 1, 1))]


def event(fact: KnownPayload, todo_id: str | None) -> Event:
    return Event(session_id="s", seq=1, cycle=1, at=AT, state="SEARCHING", todo_id=todo_id, payload=fact)


def ran(tool: str, error: str | None = None, todo_id: str | None = "t1") -> Event:
    result: JsonValue = None if error else {}
    fact = ToolResponded(key="k", tool=tool, result=result, error=error, spend=Spend(), milliseconds=0)
    return event(fact, todo_id)


def test_words_of_others_are_what_documents_pages_and_servers_brought() -> None:
    for tool in ("search", "search_web", "web_search", "fetch", "pick", "survey", "consult", "operate"):
        assert workflow_todo.untrusted_source(ran(tool)) == f"{tool} for t1"
        assert workflow_todo.untrusted_source(ran(tool, "no answer")) is None
    assert workflow_todo.untrusted_source(ran("search", todo_id=None)) == "search"
    for tool in ("python", "dump", "deposit", "prove", "verify"):
        assert workflow_todo.untrusted_source(ran(tool)) is None


def test_after_them_a_todo_is_asked_about_before_it_runs_anything() -> None:
    run = Run(options=OPTIONS.model_copy(update={"approve": ()}))
    run.plan()
    run.state = workflow_todo.mark_untrusted(workflow_todo.mark_untrusted(run.state, "search for t1"), "fetch for t3")
    run.answer(reply(call={"tool": "python", "code": "1"}, writeback=noted("I add up.")))
    asked = run.settle()
    assert isinstance(asked, Record)
    assert "words of others were read before (search for t1)" in asked.facts[0].model_dump()["questions"][0]
    other = TodoState(todo_id="t9", step=Querying())
    assert workflow_todo.mark_untrusted(other, "search for t1") is other
