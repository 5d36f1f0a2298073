"""Samples of each given, as they follow each other in a run; and agents dropped into a directory."""

from collections.abc import Mapping
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from fakes.findings import finding, hit
from quaestor.agents.roster import load
from quaestor.agents.vocabulary import GIVENS, contracts
from quaestor.contracts.agent import AgentCard
from quaestor.contracts.checking import CheckGiven, CheckLine
from quaestor.contracts.decision import (
    DecisionGiven,
    LookGiven,
    QuantGiven,
    QuantReport,
    Reading,
    Room,
    Signal,
    StrategyGiven,
    StudyGiven,
    TradePlan,
)
from quaestor.contracts.delegation import DigestGiven, ScoutGiven
from quaestor.contracts.errors import UsageError
from quaestor.contracts.model import ModelRequest, OutputRequest, ToolOffer, ToolsRequest
from quaestor.contracts.plan import TodoStatus
from quaestor.contracts.roles import (
    ClarifyGiven,
    FrameGiven,
    Given,
    PlanDigestLine,
    PlanGiven,
    QueriesGiven,
    ReadGiven,
    ReflectGiven,
    ReviewGiven,
    SectionGiven,
    Shown,
    SummarizeGiven,
)
from quaestor.contracts.task import RoundGiven, TaskPlanGiven

QUESTION = "Who built the lighthouse of Amrum, when, and how high is it?"


def asked(role: str, given: Shown, **more: Any) -> ModelRequest:  # noqa: ANN401 -- fields of the request
    """Give the request of a role, a tool pass for a ScoutGiven."""
    what = {"key": "k", "todo_id": None, "role": role, "ordinal": 1, "attempt": 1, **more}
    if isinstance(given, Given):
        return OutputRequest(given=given, **what)
    return ToolsRequest(given=given, tools=(ToolOffer(name="search", description="Searches.", takes={}),), **what)


def sample(place: int) -> Mapping[str, Shown]:
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
        ClarifyGiven(question=QUESTION, context=(f"Which one? That of part {place}.",)),
        PlanGiven(question=QUESTION, assumptions=(f"Amrum is the island {place}.",), max_todos=5, agents=cards),
        QueriesGiven(question=QUESTION, task=task, wanted=3, executed=executed, gap="The year is open."),
        ReadGiven(question=QUESTION, task=task, hits=hits, findings=found),
        ReflectGiven(question=QUESTION, task=task, findings=found, executed=executed, loops_left=2),
        ReviewGiven(
            question=QUESTION,
            todo_id=f"t{place}",
            task=task,
            status=TodoStatus.DONE,
            result=found[0].claim,
            plan=tuple(PlanDigestLine(id=f"t{one}", task="Find it.") for one in (1, 2)),
            room=3,
        ),
        SummarizeGiven(lines=(f"t{place}: the tower was finished.", "t9: it is 41 m high."), characters=200),
        SectionGiven(question=QUESTION, todo_id=f"t{place}", task=task, summary="It was finished.", findings=found),
        FrameGiven(question=QUESTION, headings=(f"Part {place}",), findings=found, gaps=("Who built it.",)),
        CheckGiven(sentences=(CheckLine(number=place, text="It was finished.", quotes=("finished in 1875",)),)),
        ScoutGiven(question=QUESTION, task=task, executed=executed, hits=hits, refused=("fetch: no",), passes_left=1),
        DigestGiven(question=QUESTION, task=task, findings=found),
        *_trading(place),
        TaskPlanGiven(task=QUESTION, tools=("shell", "read_file")),
        RoundGiven(
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


def _trading(place: int) -> tuple[Shown, ...]:
    objective, assets, frames, question = "Grow the cash.", ("BTC/USDT",), ("1h",), "Is BTC/USDT oversold?"
    limits, memory = ("max_cash_pct: 50",), ("Next step: Ask again.",)
    market = (f"time: 2026-01-0{place} 12:00 UTC", f"BTC/USDT: 4000{place} USD")
    look = LookGiven(
        objective=objective,
        assets=assets,
        timeframes=frames,
        constraints=limits,
        memory=memory,
        market=market,
        refused=("get_market_snapshot: no",),
        passes_left=1,
    )
    study = StudyGiven(
        quant_question=question,
        assets=assets,
        timeframes=frames,
        expected_outputs=("rsi",),
        readings=(Reading(name="BTC/USDT 1h rsi(14)", value=27.5, run=f"c{place}/indicators"),),
        seen=("sma: too few candles",),
        refused=("python: no",),
        steps_left=3,
    )
    return (
        look,
        StrategyGiven.model_validate(
            {**look.model_dump(exclude={"refused", "passes_left"}), "seen": ("get_portfolio_state: {}",)}
        ),
        study,
        QuantGiven.model_validate(study.model_dump(exclude={"refused", "steps_left"})),
        DecisionGiven(
            objective=objective,
            constraints=limits,
            memory=memory,
            market=market,
            room=(Room(asset=assets[0], price=Decimal(40_000), held=Decimal(0), buy=Decimal(1), sell=Decimal(0)),),
            plan=TradePlan(objective="Enter well.", assets=assets, quant_question=question, timeframes=frames),
            report=QuantReport(signal=Signal.BULLISH, confidence=0.6, reasoning=f"It is oversold, by {place} rules."),
        ),
    )


FRONT = "description: Reads.\ninput: {schema: ReadGiven}\noutput: {schema: Reading}"
TEMPLATE = '{{role "system"}}\nYou read.\n{{role "user"}}\n{{data "question"}}\n'

ANYTHING = f"""description: Takes whatever there is.
tools: [search]
input: {{schema: [{", ".join(GIVENS)}]}}
output: {{schema: [{", ".join(contracts(GIVENS.values()))}]}}"""


def drop(folder: Path, name: str = "mine", *, front: str = FRONT, template: str = TEMPLATE) -> Path:
    """Drop an agent into a directory; a template begins one line below the front matter's closing mark."""
    path = folder / f"{name}.prompt"
    path.write_text(f"---\n{front}\n---\n{template}", encoding="utf-8")
    return path


def fault(folder: Path) -> str:
    """Give what is said when the agents of a directory are read."""
    with pytest.raises(UsageError) as raised:
        load([folder])
    return str(raised.value)


def said(folder: Path, template: str, given: Shown) -> list[tuple[str, str]]:
    """Give the messages that a template makes of a given, each with its role."""
    drop(folder, template=template, front=ANYTHING)
    return [(message.role, message.text) for message in load([folder]).prompt(asked("mine", given)).messages]
