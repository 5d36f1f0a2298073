"""Decision cycles with a language model, through the real client and a server on loopback."""

import json
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from pydantic import JsonValue

from fakes.desks import Folder, folder
from fakes.openai_server import OpenAIServer
from fakes.openai_wire import Answer, Asked, Call
from fakes.researcher import parts
from fakes.trader import Trader, offered, report
from online.conftest import PRICE, Ran, settings
from quaestor.app import open_home
from quaestor.contracts.cost import Price
from quaestor.contracts.event import ContractRejected, Event, FactRecorded, ModelRequested, ToolsChosen
from quaestor.trading import sessions
from quaestor.trading.contracts.decision import AgentMemory
from quaestor.trading.contracts.results import DecisionCycle
from quaestor.trading.mandate_file import read_mandate
from quaestor.trading.performance.cycle_reader import CycleReader
from quaestor.trading.sessions import open_next_cycle


@pytest.fixture
def desk(tmp_path: Path) -> Folder:
    return folder(tmp_path / "desk", 3, fresh=True)


async def decided(server: OpenAIServer, desk: Folder, *, cycles: int = 1) -> Ran:
    """Carry out so many cycles of the mandate by hand, one after the other."""
    async with open_home(desk.path / "home", **settings(server)) as q:
        session_id = await sessions.start_or_resume(q, read_mandate(desk.path / "m.toml"), backtest=False)
        for _ in range(cycles):
            await open_next_cycle(q, session_id)
            result = await q.run(session_id)
        return Ran(await q.events(session_id), result)


def told(events: Sequence[Event]) -> list[DecisionCycle]:
    reader = CycleReader()
    over, last = list(reader.read(events)), reader.last()
    return [*over, *([last] if last else [])]


def prompt(events: Sequence[Event], role: str, cycle: int) -> str:
    """Return what a role was told first in a cycle."""
    asked = (event.payload for event in events if event.cycle == cycle)
    return next(one.messages[-1].text for one in asked if isinstance(one, ModelRequested) and one.role == role)


async def test_a_model_looks_around_plans_computes_decides_and_its_order_is_filled(desk: Folder) -> None:
    async with OpenAIServer(Trader()) as server:
        ran = await decided(server, desk)
    [cycle] = told(ran.events)
    assert cycle.execution
    assert cycle.execution.status == "executed", cycle
    assert cycle.report
    assert len(cycle.report.technical_indicators) == 1
    roles = [asked.role for asked in ran.asked]
    assert roles == ["strategist"] * 3 + ["quant"] * 3 + ["portfolio_manager"]


async def test_planning_offers_exactly_two_tools_and_no_request_has_tools_and_a_schema(desk: Folder) -> None:
    async with OpenAIServer(Trader()) as server:
        ran = await decided(server, desk)
    looking = [asked for asked in server.asked if asked.tools and asked.tool_choice == "auto"]
    strategist = [offered(asked) for asked in looking if "get_portfolio_state" in offered(asked)]
    assert strategist == [("get_portfolio_state", "get_market_snapshot")] * 2
    assert {offered(asked) for asked in looking} - set(strategist) == {("run_indicator",)}
    assert len(server.asked) == len(server.requests)  # the server itself takes no request with both
    assert all(bool(asked.tools) != bool(asked.contract) for asked in ran.asked)
    passes = [event for event in ran.events if isinstance(event.payload, ModelRequested) and event.payload.tools]
    assert [event.state for event in passes] == ["PLANNING", "PLANNING", "ANALYZING", "ANALYZING"]


async def test_a_call_of_another_tool_while_planning_is_refused(desk: Folder) -> None:
    order = Call(name="execute", arguments='{"order": {"asset": "BTC/USDT", "side": "buy", "quantity": 1}}', id="c1")
    async with OpenAIServer(Trader(looks=(order,))) as server:
        ran = await decided(server, desk)
    chosen = [event.payload for event in ran.events if isinstance(event.payload, ToolsChosen)]
    assert chosen[0].calls == ()
    assert "execute" in chosen[0].refused[0]
    assert told(ran.events)[0].decision


async def test_the_quant_sees_nothing_of_the_portfolio(desk: Folder) -> None:
    async with OpenAIServer(Trader()) as server:
        ran = await decided(server, desk)
    prompts = {
        role: " ".join(message.text for asked in ran.asked if asked.role == role for message in asked.messages)
        for role in ("quant", "portfolio_manager")
    }
    assert "cash: 10000" in prompts["portfolio_manager"]
    assert "10000" not in prompts["quant"]


@pytest.mark.parametrize(
    "wrapped", [lambda said: json.dumps(json.dumps(said)), lambda said: json.dumps([said])], ids=["string", "list"]
)
async def test_a_report_in_a_json_string_or_alone_in_a_list_is_read(
    desk: Folder, wrapped: Callable[[JsonValue], str]
) -> None:
    async with OpenAIServer(Trader(report=lambda asked: wrapped(report(asked)))) as server:
        ran = await decided(server, desk)
    [cycle] = told(ran.events)
    assert cycle.execution
    assert cycle.execution.status == "executed"
    assert sum(asked.role == "quant" and asked.contract is not None for asked in ran.asked) == 1


async def test_a_quant_that_answers_prose_three_times_leads_to_no_trade(desk: Folder) -> None:
    said: list[Asked] = []

    def prose(asked: Asked) -> Answer:
        said.append(asked)
        return "The market looks rather strong to me."

    async with OpenAIServer(Trader(report=prose)) as server:
        ran = await decided(server, desk)
    assert len(said) == 3
    assert "holds no JSON object" in said[1].messages[-1].content
    assert [one.payload.final for one in ran.events if isinstance(one.payload, ContractRejected)] == [
        False,
        False,
        True,
    ]
    [cycle] = told(ran.events)
    assert cycle.decision is None
    assert cycle.trades == ()
    assert "no usable QuantReport" in (cycle.failed or "")
    assert ran.result.outcome == "failed"
    assert [event.state for event in ran.events if event.type == "state_entered"] == [
        "SCANNING", "PLANNING", "ANALYZING", "MEMORIZING", "DONE",
    ]  # fmt: skip


async def test_the_second_cycle_is_told_what_the_first_one_left_to_do(desk: Folder) -> None:
    async with OpenAIServer(Trader()) as server:
        ran = await decided(server, desk, cycles=2)
    left = [
        AgentMemory.model_validate(event.payload.value)
        for event in ran.events
        if event.cycle == 1 and isinstance(event.payload, FactRecorded) and event.payload.contract == "AgentMemory"
    ]
    assert left[0].next_steps
    for role in ("strategist", "portfolio_manager"):
        first, second = (prompt(ran.events, role, cycle) for cycle in (1, 2))
        assert all(step in second for step in left[0].next_steps)
        assert left[0].short_term_summary in second
        assert left[0].next_steps[0] not in first
    memories = [parts(asked)["memory"] for asked in server.asked if "memory" in parts(asked)]
    assert len(memories) == 4
    assert len(told(ran.events)) == 2


async def test_what_a_cycle_costs_is_counted(desk: Folder) -> None:
    async with OpenAIServer(Trader()) as server:
        ran = await decided(server, desk)
    assert sum(answer.spend.dollars for answer in ran.answered) == server.bill(Price.model_validate(PRICE)) > 0
