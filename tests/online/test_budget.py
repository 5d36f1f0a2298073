"""The wall: what a server charges never exceeds what a session may spend, over all branches and restarts."""

import asyncio
import re
from decimal import Decimal
from pathlib import Path

import pytest
from pydantic import JsonValue

from fakes.openai_server import OpenAIServer
from fakes.openai_wire import Answer, Asked, Slow
from fakes.papers import QUESTION, write_papers
from fakes.researcher import Researcher
from fakes.sample import sample
from online.conftest import MODEL, Online, settings
from quaestor.app import open_home
from quaestor.contracts.cost import Price
from quaestor.contracts.event import BudgetReached, BudgetWarned, ModelResponded
from quaestor.faces.cli.approval import approve_cost
from quaestor.kernel.run_state import RunState, fold

THINGS = ("Lighthouse", "Bell", "Lights", "Guild", "Dues", "Keepers")
SIX = Researcher([f"{thing} of Aldmouth: when and for how much?" for thing in THINGS])
LIMIT = Decimal("0.10")
PRICE: JsonValue = {"input": 3, "output": 12, "window": 128_000}
CHARGED = Price.model_validate(PRICE)
WALL: dict[str, JsonValue] = {"max_dollars": str(LIMIT), "output_tokens": 500, "parallel": 6, "prices": {MODEL: PRICE}}


async def test_six_todos_at_once_never_cost_more_than_the_budget(online: Online) -> None:
    async with OpenAIServer(SIX) as server:
        ran = await online(server, QUESTION, None, **WALL)
    assert Decimal("0.05") < server.bill(CHARGED) <= LIMIT
    assert ran.result.outcome == "partial"
    assert ran.result.report is not None
    assert ran.result.report.partial
    kinds = [event.type for event in ran.events if isinstance(event.payload, BudgetWarned | BudgetReached)]
    assert kinds[:2] == ["budget_warned", "budget_reached"]


async def test_a_budget_that_is_too_small_for_the_first_call_says_what_that_needs_and_warns_of_nothing(
    online: Online,
) -> None:
    async with OpenAIServer(SIX) as server:
        ran = await online(server, QUESTION, None, max_dollars="0.02", prices={MODEL: PRICE})
    assert not server.requests
    [reached] = [event.payload for event in ran.events if isinstance(event.payload, BudgetWarned | BudgetReached)]
    assert isinstance(reached, BudgetReached)
    said = re.fullmatch(
        r"dollars: 0.02; the next call may take (0\.\d+), and 0.016 is left beside the reserve", reached.limit
    )
    assert said
    assert Decimal(said[1]) > Decimal("0.016")
    assert f"It ended early: the budget is reached ({reached.limit})." in ran.result.statement


async def test_what_is_spent_is_what_the_server_charges(online: Online) -> None:
    async with OpenAIServer(SIX) as server:
        ran = await online(server, parallel=6, prices={MODEL: PRICE})
    assert sum((answer.spend.dollars for answer in ran.answered), Decimal(0)) == server.bill(CHARGED)
    assert ran.result.outcome == "done"


@pytest.mark.parametrize("prices", [{}, {MODEL: {"input": 0, "output": 0}}])
async def test_after_a_session_that_cost_nothing_a_model_that_now_has_a_price_starts_with_a_yes_alone(
    tmp_path: Path, prices: JsonValue
) -> None:
    docs, asked = write_papers(tmp_path), list[str]()

    def decline(question: str) -> bool:
        asked.append(question)
        return False

    async with OpenAIServer(SIX) as server:
        said = {**settings(server), "confirm_dollars": "0.01"}
        async with open_home(tmp_path / "home", **{**said, "prices": prices}) as q:
            await q.run(await q.start(QUESTION, await q.index([docs])))
            assert await approve_cost(q, decline)
        assert server.bill(CHARGED) > Decimal("0.01")
        async with open_home(tmp_path / "home", **{**said, "prices": {MODEL: PRICE}}) as q:
            assert not await approve_cost(q, decline)
    assert len(asked) == 1


@pytest.mark.parametrize("seconds", sample([0.1, 0.3, 0.5], lambda place: place == 1))
async def test_calls_that_were_lost_count_as_spent(tmp_path: Path, seconds: float) -> None:
    docs = write_papers(tmp_path)

    def slow(asked: Asked) -> Answer:
        return Slow(seconds=0.2, then=SIX(asked))

    async with OpenAIServer(slow) as server:
        options = {**settings(server), **WALL}
        async with open_home(tmp_path / "home", **options) as q:
            session_id = await q.start(QUESTION, await q.index([docs]))
            running = asyncio.create_task(q.run(session_id))
            await asyncio.sleep(seconds)
            running.cancel()
            await asyncio.gather(running, return_exceptions=True)
        server.reply = SIX
        async with open_home(tmp_path / "home", **options) as q:
            result = await q.run(session_id)
            events = await q.events(session_id)
    assert result.status == "finished"
    run = RunState()
    for event in events:
        run = fold(run, event)
    assert server.bill(CHARGED) <= run.spent.dollars <= LIMIT
    answered = sum(
        (event.payload.spend.dollars for event in events if isinstance(event.payload, ModelResponded)), Decimal(0)
    )
    assert run.spent.dollars > answered
