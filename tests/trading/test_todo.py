"""A decision cycle as a todo of a research session: what it decided stands in the ledger, the memory and the report."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path

import pytest
from pydantic import JsonValue

from fakes.desks import folder as desk_folder
from fakes.papers import write_papers
from fakes.workshops import script
from quaestor.app import open_home
from quaestor.contracts.action import Record, ToolRun
from quaestor.contracts.errors import UsageError
from quaestor.contracts.event import (
    Answered,
    ContractRejected,
    CycleStarted,
    Event,
    FinishRequested,
    KnownPayload,
    ModelRequested,
    QuestionAsked,
    ToolRequested,
)
from quaestor.contracts.immutable import replace
from quaestor.contracts.result import Result
from quaestor.contracts.todo import TodoOptions, TodoOutcome, TodoRequest, TodoRun
from quaestor.research.contracts.brief import Brief
from quaestor.research.contracts.commands import EditPlan, ReviewPlan
from quaestor.research.contracts.plan import AddTodo, TodoStatus
from quaestor.research.contracts.roles import PlanInput
from quaestor.research.state import ResearchState
from quaestor.trading.contracts.decision import (
    DecisionValidation,
    PortfolioDecision,
    QuantReport,
    Signal,
    TradePlan,
)
from quaestor.trading.contracts.portfolio import MarketData, Portfolio
from quaestor.trading.state import Executing
from quaestor.trading.todo import DecisionRun, decision_options, start

QUESTION = "What did the fog bell of Aldmouth cost, and is Bitcoin to be bought?"
READS: Mapping[str, object] = {"task": "What did the fog bell of Aldmouth cost?"}
DECIDES: Mapping[str, object] = {"task": "Decide whether Bitcoin is to be bought.", "kind": "decision"}
BUYS: Mapping[str, object] = {
    "action": "buy",
    "asset": "BTC/USDT",
    "quantity": 0.1,
    "confidence": 0.9,
    "reasoning": "The trend points up.",
    "strategy_used": "trend",
}
AT = datetime(2026, 1, 5, tzinfo=UTC)
ASSET = "BTC/USDT"
Roles = Mapping[str, Sequence[Mapping[str, object]]]
PLANNED: Roles = {"planner": [{"reply": {"todos": [READS, DECIDES]}}], "portfolio_manager": [{"reply": BUYS}]}


@dataclass(frozen=True)
class Session:
    """A research session in a home of its own."""

    folder: Path
    session_id: str

    async def run(self) -> Result:
        async with open_home(self.folder) as q:
            return await q.run(self.session_id)

    async def state(self) -> ResearchState:
        async with open_home(self.folder) as q:
            assert await q.store.verify_chain(self.session_id) == []
            return await q.state(self.session_id)

    async def events(self) -> Sequence[Event]:
        async with open_home(self.folder) as q:
            return await q.events(self.session_id)

    async def tell(self, order: EditPlan | ReviewPlan) -> str | None:
        async with open_home(self.folder) as q:
            return await q.tell(self.session_id, order)

    async def tools(self, todo_id: str) -> list[str]:
        return [
            event.payload.tool
            for event in await self.events()
            if isinstance(event.payload, ToolRequested) and event.todo_id == todo_id
        ]


async def begin(
    folder: Path, roles: Roles, desk: Mapping[str, JsonValue] | None = None, **options: JsonValue
) -> Session:
    """Begin a session that may have todos of kind decision, unless `desk` is empty, and do not carry it on."""
    mandate = str(
        desk_folder(folder, 5, fresh=True).mandate(strategy='{rules = ["cross"], cross = {fast = 2, slow = 3}}')
    )
    settings: dict[str, JsonValue] = {
        "model": script(folder, roles),
        "effort": "low",
        "questions": False,
        "todos": {"decision": {"mandate": mandate, **(desk or {})}} if desk is None or desk else {},
        **options,
    }
    async with open_home(folder / "home", **settings) as q:
        return Session(folder / "home", await q.start(QUESTION, await q.index([write_papers(folder)])))


async def test_its_decision_and_rationale_stand_in_the_ledger_the_memory_and_the_report(tmp_path: Path) -> None:
    session = await begin(tmp_path, PLANNED)
    result = await session.run()
    assert (result.status, result.outcome) == ("finished", "done")
    state = await session.state()
    entry = state.ledger["t2"]
    claims = [finding.claim for finding in entry.findings]
    assert claims[0].endswith("is: buy 0.1 BTC/USDT, with confidence 0.9.")
    assert claims[1] == "The rationale of the decision is: The trend points up."
    assert claims[2] == "The result of the decision is: skipped, orders are not allowed."
    assert {source.uri for source in entry.sources} == {"quaestor:todo/t2/memory"}
    [line] = [line.text for line in state.memory if line.todo_ids == ("t2",)]
    assert "buy 0.1 BTC/USDT: skipped, orders are not allowed. Worth 10,000.00 USD before it" in line
    assert result.report
    assert "quaestor:todo/t2/memory" in {source.uri for source in result.report.sources}
    assert any("The trend points up." in claim.text for claim in result.report.claims() if claim.quoted)
    used = state.plan.todos[1].tools_used
    assert (used[0], used[-2:]) == ("scan", ("deposit", "prove"))


async def test_it_sends_an_order_to_the_paper_broker_only_where_that_is_allowed(tmp_path: Path) -> None:
    without = await begin(tmp_path / "a", PLANNED)
    allowed = await begin(tmp_path / "b", PLANNED, {"orders": True})
    for session in (without, allowed):
        await session.run()
    assert "execute" not in await without.tools("t2")
    assert (await allowed.tools("t2")).count("execute") == 1
    assert "The result of the decision is: executed" in (await allowed.state()).ledger["t2"].findings[2].claim


async def test_a_decision_that_breaks_a_limit_is_recorded_with_the_rule_as_a_gap(tmp_path: Path) -> None:
    roles = {**PLANNED, "portfolio_manager": [{"reply": {**BUYS, "quantity": 1000}}]}
    session = await begin(tmp_path, roles, {"orders": True})
    await session.run()
    entry = (await session.state()).ledger["t2"]
    assert "rejected, it breaks max_cash_pct" in entry.findings[2].claim
    assert entry.gaps == ("The decision was not carried out: it breaks max_cash_pct.",)
    assert "execute" not in await session.tools("t2")


async def test_a_cycle_that_fails_is_a_todo_that_failed_and_harms_no_other(tmp_path: Path) -> None:
    bad = {"reply": {"signal": "up"}, "times": 99}
    session = await begin(tmp_path, {**PLANNED, "quant": [bad]})
    result = await session.run()
    assert result.outcome == "partial"
    todos = {todo.id: todo for todo in (await session.state()).plan.todos}
    assert todos["t1"].status is TodoStatus.DONE
    assert todos["t2"].status is TodoStatus.FAILED
    assert "no usable QuantReport" in (todos["t2"].result or "")


async def test_a_person_adds_one_where_the_session_has_them(tmp_path: Path) -> None:
    reads = {"planner": [{"reply": {"todos": [READS, {"task": "What did the lighthouse of Aldmouth cost?"}]}}]}
    edit = EditPlan(edits=(AddTodo(task="Decide.", does="decision"),))
    without = await begin(tmp_path / "a", reads, {}, review_plan=True)
    enabled = await begin(tmp_path / "b", {}, review_plan=True, model="offline")
    for session in (without, enabled):
        await session.run()
    assert await without.tell(edit) == (
        "'Decide.': this session has no todos of kind decision; kinds are research, analysis. Start another session "
        "for it"
    )
    assert await enabled.tell(edit) is None
    assert await enabled.tell(ReviewPlan(review="confirmed")) is None
    result = await enabled.run()
    assert result.outcome == "done"
    assert isinstance(result.report, Brief)
    shown = [passage.text for passage in result.report.passages if passage.part == "Decide."]
    assert shown[0].startswith("The decision of ")


async def test_a_planner_is_shown_the_kind_and_what_it_is_for_only_where_the_session_has_it(tmp_path: Path) -> None:
    shown = []
    for place, desk in (("a", {}), ("b", None)):
        session = await begin(tmp_path / place, PLANNED, desk)
        await session.run()
        requests = [one.payload for one in await session.events() if isinstance(one.payload, ModelRequested)]
        asked = next(one.given for one in requests if one.role == "planner")
        shown.append(PlanInput.model_validate(asked))
    [without, enabled] = shown
    assert (without.kinds, without.other_kinds) == (("research", "analysis"), ())
    assert enabled.kinds == ("research", "analysis", "decision")
    assert enabled.other_kinds[0].startswith("decision decides once what is bought or sold")


@pytest.mark.parametrize(
    ("todos", "options", "reason"),
    [
        ({"decision": {}}, {}, "todos of kind decision need a mandate"),
        ({"decision": {"mandate": "none.toml"}}, {}, "there is no mandate none.toml"),
        ({"decision": {"mandate": "m.toml", "ordrs": True}}, {}, "ordrs: Extra inputs"),
        ({"decision": {"mandate": "m.toml"}}, {"as_of": "2025-01-01"}, "nothing can be as of 2025-01-01"),
        ({"cooking": {}}, {}, "no workflow carries out todos of kind 'cooking'; kinds are "),
        ({"longtask": {}}, {}, "no workflow carries out todos of kind 'longtask'"),
    ],
)
async def test_what_cannot_be_used_is_refused_before_the_session_starts(
    todos: JsonValue, options: Mapping[str, JsonValue], reason: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk_folder(tmp_path, 5)
    monkeypatch.chdir(tmp_path)
    async with open_home(tmp_path / "home", todos=todos, **options) as q:
        corpus = await q.index([write_papers(tmp_path)])
        with pytest.raises(UsageError, match=reason):
            await q.start(QUESTION, corpus)


@pytest.mark.parametrize("allowed", [True, False])
def test_its_quant_has_python_where_todos_may_call_it(allowed: bool) -> None:
    mandate: JsonValue = {"assets": [ASSET], "cash": "1000", "objective": "Grow."}
    tools = ("python", "read_file") if allowed else ("read_file",)
    assert decision_options(TodoOptions(own={"mandate": mandate}, tools=tools)).python == allowed


def live_run() -> DecisionRun:
    """Return the run of a todo whose decision to buy keeps the limits, for real money."""
    live: dict[str, JsonValue] = {"broker": "exchange", "exchange": "x", "live": True}
    mandate: dict[str, JsonValue] = {"assets": [ASSET], "cash": "1000", "objective": "Grow.", **live}
    own: JsonValue = {"mandate": mandate, "orders": True}
    run = start(TodoRequest(session_id="s", todo_id="t2", task="Decide.", options=TodoOptions(own=own)))
    portfolio = Portfolio(cash=Decimal(1000))
    market = MarketData(
        at=AT, prices={ASSET: Decimal(100)}, volumes={ASSET: Decimal(9)}, portfolio=portfolio, equity=Decimal(1000)
    )
    plan = TradePlan(objective="Grow.", assets=(ASSET,), quant_question="Up?", timeframes=("1h",))
    report = QuantReport(signal=Signal.BULLISH, confidence=0.9, reasoning="Up.")
    decision = PortfolioDecision(
        action="buy", asset=ASSET, quantity=1, confidence=0.9, reasoning="Up.", strategy_used="x"
    )
    stage = Executing(market, plan, report, decision, DecisionValidation(passed=True))
    return replace(run, state=replace(run.state, stage=stage))


def after(run: TodoRun, payload: KnownPayload, todo_id: str | None = "t2") -> TodoRun:
    event = Event(session_id="s", seq=1, cycle=1, at=AT, state="EXECUTING_TRADE", todo_id=todo_id, payload=payload)
    return run.apply(event)


def test_a_live_order_waits_for_a_persons_yes() -> None:
    run: TodoRun = live_run()
    [ask] = run.next()
    assert isinstance(ask, Record)
    [asked] = ask.facts
    assert isinstance(asked, QuestionAsked)
    assert (ask.key, ask.state, ask.todo_id, asked.ref) == ("todo/t2/ask", "EXECUTING_TRADE", "t2", "s/t2/decision")
    run = after(run, asked)
    assert (run.open_question, run.next()) == (asked, ())
    assert after(run, Answered(ref="another", text="yes"), "t1").next() == ()
    [order] = after(run, Answered(ref=asked.ref, text="yes")).next()
    assert isinstance(order, ToolRun)
    assert (order.key, order.tool, order.todo_id) == ("todo/t2/execute", "execute", "t2")
    [refused] = after(run, Answered(ref=asked.ref, text="no")).next()
    assert isinstance(refused, Record)
    assert refused.key == "todo/t2/result"


def test_what_other_todos_do_changes_nothing_and_the_end_of_the_session_ends_it() -> None:
    run = live_run()
    rejected = ContractRejected(key="k", role="reader", contract="Reading", attempt=3, objections=("no",), final=True)
    assert after(run, rejected, "t1") is run
    assert after(run, CycleStarted(why="question"), None) is run
    stopped = after(run, FinishRequested(), None)
    [memory] = stopped.next()
    assert isinstance(memory, Record)
    ended = after(stopped, memory.facts[0])
    assert ended.next() == ()
    assert ended.outcome == TodoOutcome(
        outcome="partial", statement="Nothing was decided, because a person ended it.", tools_used=()
    )
