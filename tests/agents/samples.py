"""Samples of each given, as they follow each other in a run; and agents dropped into a directory."""

from collections.abc import Mapping
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from fakes.findings import finding, hit
from quaestor.agents.inputs import INPUT_TYPES, contract_names
from quaestor.agents.registry import load_agents
from quaestor.contracts.agent import AgentCard
from quaestor.contracts.errors import UsageError
from quaestor.contracts.model import ModelRequest, OutputRequest, ToolOffer, ToolsRequest
from quaestor.contracts.roles import PromptInput, RoleInput
from quaestor.longtask.contracts import RoundInput, TaskPlanInput
from quaestor.research.contracts.optional_roles import (
    CheckInput,
    DelegateSummaryInput,
    DelegateToolInput,
    QuotedSentence,
)
from quaestor.research.contracts.plan import TodoStatus
from quaestor.research.contracts.roles import (
    ClarifyInput,
    FrameInput,
    PlanInput,
    PlanOutlineItem,
    QueriesInput,
    ReadInput,
    ReflectInput,
    ReviewInput,
    SectionInput,
    SummarizeInput,
)
from quaestor.trading.contracts.decision import QuantReport, Signal, TradePlan
from quaestor.trading.contracts.role_inputs import (
    ComputedValue,
    DecisionInput,
    QuantInput,
    QuantToolsInput,
    StrategyInput,
    StrategyToolsInput,
    TradeCapacity,
)

QUESTION = "Who built the lighthouse of Amrum, when, and how high is it?"


def asked(role: str, given: PromptInput, **more: Any) -> ModelRequest:  # noqa: ANN401 -- fields of the request
    """Give the request of a role, a tool pass for a DelegateToolInput."""
    what = {"key": "k", "todo_id": None, "role": role, "ordinal": 1, "attempt": 1, **more}
    if isinstance(given, RoleInput):
        return OutputRequest(given=given, **what)
    return ToolsRequest(given=given, tools=(ToolOffer(name="search", description="Searches.", takes={}),), **what)


def sample(place: int) -> Mapping[str, PromptInput]:
    """Give one of each given by name; those of another place are of another todo of the same run."""
    task = f"Find out what the chronicle says of the lighthouse in its part {place}."
    found = (finding(f"t{place}/1", f"Part {place} of the chronicle says the tower was finished in 187{place}."),)
    hits = (
        hit(f"The chronicle, part {place}: in 187{place} the tower was lit for the first time."),
        hit(f"An almanac of 190{place} calls it the tallest on this coast, at 41 m."),
    )
    cards = (AgentCard(name="researcher", description="Searches by itself.", tools=("search",)),)
    executed = (f"lighthouse chronicle {place}",)
    givens = (
        ClarifyInput(question=QUESTION, context=(f"Which one? That of part {place}.",)),
        PlanInput(question=QUESTION, assumptions=(f"Amrum is the island {place}.",), max_todos=5, agents=cards),
        QueriesInput(question=QUESTION, task=task, wanted=3, executed=executed, gap="The year is open."),
        ReadInput(question=QUESTION, task=task, hits=hits, findings=found),
        ReflectInput(question=QUESTION, task=task, findings=found, executed=executed, loops_left=2),
        ReviewInput(
            question=QUESTION,
            todo_id=f"t{place}",
            task=task,
            status=TodoStatus.DONE,
            result=found[0].claim,
            plan=tuple(PlanOutlineItem(id=f"t{one}", task="Find it.") for one in (1, 2)),
            room=3,
        ),
        SummarizeInput(lines=(f"t{place}: the tower was finished.", "t9: it is 41 m high."), characters=200),
        SectionInput(question=QUESTION, todo_id=f"t{place}", task=task, summary="It was finished.", findings=found),
        FrameInput(question=QUESTION, headings=(f"Part {place}",), findings=found, gaps=("Who built it.",)),
        CheckInput(sentences=(QuotedSentence(number=place, text="It was finished.", quotes=("finished in 1875",)),)),
        DelegateToolInput(
            question=QUESTION, task=task, executed=executed, hits=hits, refused=("fetch: no",), passes_left=1
        ),
        DelegateSummaryInput(question=QUESTION, task=task, findings=found),
        *_trading(place),
        TaskPlanInput(task=QUESTION, tools=("shell", "read_file")),
        RoundInput(
            task=QUESTION,
            goal="Builder, year and height are known.",
            phases=("Phase 1 (in_progress): Look", "Phase 2 (todo): Check"),
            current_phase="Phase 1",
            checklist=("open: Read the chronicle",),
            tools=("shell", "read_file"),
            errors=(f"round {place}, shell: exit code 1",),
            findings_tail=f"- 2026-01-01T00:00:00Z, round {place}\n  The tower was finished in 187{place}.",
            progress_tail=f"- 2026-01-01T00:00:00Z, round {place}, action\n  read_file: chronicle.txt: done",
            last_result=f"Round {place}, read_file: chronicle.txt\nThe tower was finished in 187{place}.",
            failed=True,
            hints=("the plan has no phase 'Phase 9'; it has Phase 1, Phase 2",),
            actions=1,
            round=place + 1,
            rounds_left=100 - place,
        ),
    )
    return {type(given).__name__: given for given in givens}


def _trading(place: int) -> tuple[PromptInput, ...]:
    objective, assets, frames, question = "Grow the cash.", ("BTC/USDT",), ("1h",), "Is BTC/USDT oversold?"
    limits, memory = ("max_cash_pct: 50",), ("Next step: Ask again.",)
    market = (f"time: 2026-01-0{place} 12:00 UTC", f"BTC/USDT: 4000{place} USD")
    look = StrategyToolsInput(
        objective=objective,
        assets=assets,
        timeframes=frames,
        constraints=limits,
        memory=memory,
        market=market,
        refused=("get_market_snapshot: no",),
        passes_left=1,
    )
    study = QuantToolsInput(
        quant_question=question,
        assets=assets,
        timeframes=frames,
        expected_outputs=("rsi",),
        readings=(ComputedValue(name="BTC/USDT 1h rsi(14)", value=27.5, run=f"c{place}/indicators"),),
        seen=("sma: too few candles",),
        refused=("python: no",),
        steps_left=3,
    )
    return (
        look,
        StrategyInput.model_validate(
            {**look.model_dump(exclude={"refused", "passes_left"}), "seen": ("get_portfolio_state: {}",)}
        ),
        study,
        QuantInput.model_validate(study.model_dump(exclude={"refused", "steps_left"})),
        DecisionInput(
            objective=objective,
            constraints=limits,
            memory=memory,
            market=market,
            room=(
                TradeCapacity(asset=assets[0], price=Decimal(40_000), held=Decimal(0), buy=Decimal(1), sell=Decimal(0)),
            ),
            plan=TradePlan(objective="Enter well.", assets=assets, quant_question=question, timeframes=frames),
            report=QuantReport(signal=Signal.BULLISH, confidence=0.6, reasoning=f"It is oversold, by {place} rules."),
        ),
    )


FRONT = "description: Reads.\ninput: {schema: ReadInput}\noutput: {schema: Reading}"
TEMPLATE = '{{role "system"}}\nYou read.\n{{role "user"}}\n{{data "question"}}\n'

ANYTHING = f"""description: Takes whatever there is.
tools: [search]
input: {{schema: [{", ".join(INPUT_TYPES)}]}}
output: {{schema: [{", ".join(contract_names(INPUT_TYPES.values()))}]}}"""


def drop(folder: Path, name: str = "mine", *, front: str = FRONT, template: str = TEMPLATE) -> Path:
    """Drop an agent into a directory; a template begins one line below the front matter's closing mark."""
    path = folder / f"{name}.prompt"
    path.write_text(f"---\n{front}\n---\n{template}", encoding="utf-8")
    return path


def fault(folder: Path) -> str:
    """Give what is said when the agents of a directory are read."""
    with pytest.raises(UsageError) as raised:
        load_agents([folder])
    return str(raised.value)


def said(folder: Path, template: str, given: PromptInput) -> list[tuple[str, str]]:
    """Give the messages that a template makes of a given, each with its role."""
    drop(folder, template=template, front=ANYTHING)
    return [(message.role, message.text) for message in load_agents([folder]).prompt(asked("mine", given)).messages]
