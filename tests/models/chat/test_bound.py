"""No honest bill is above what was reserved, and nothing that may be charged is left out of what is recorded."""

from decimal import Decimal
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fakes.chat import CLEAR, PRICE, chatting, output_request, tools_request
from fakes.openai_wire import FAULTS
from fakes.prompts import PlainPrompts
from quaestor.contracts.budget import Spend
from quaestor.contracts.errors import ModelFailed
from quaestor.contracts.model import ModelRequest
from quaestor.contracts.provider import OutputMode, Provider
from quaestor.contracts.roles import ClarifyGiven
from quaestor.models.chat.asking import Manner, ask, told
from quaestor.models.chat.bound import most

MODES: tuple[OutputMode, ...] = get_args(OutputMode)


@pytest.mark.parametrize("fault", FAULTS)
@pytest.mark.parametrize("stream", [False, True])
async def test_what_a_server_charges_was_reserved_and_is_recorded(fault: str, *, stream: bool) -> None:
    provider = Provider(stream=stream, retries=1)
    async with chatting(FAULTS[fault](CLEAR), provider, seconds=0.1, max_output_tokens=100) as chat:
        prepared = chat.model.prepare(output_request())
        try:
            spend = (await chat.model.answer(output_request(), prepared)).spend
        except ModelFailed as error:
            spend = error.spend
        assert chat.server.bill(PRICE) <= spend.dollars <= prepared.ceiling.dollars
        assert sum(usage.input_tokens + usage.output_tokens for usage in chat.server.charged) <= spend.tokens
    assert spend.tokens <= prepared.ceiling.tokens
    assert spend.model_calls == prepared.ceiling.model_calls == 1


@given(st.text(), st.booleans(), st.sampled_from(MODES), st.integers(1, 1000))
def test_a_tokenizer_that_makes_a_token_of_every_byte_stays_below(
    question: str, offers_tools: bool, mode: OutputMode, output: int
) -> None:
    request: ModelRequest = tools_request() if offers_tools else output_request(ClarifyGiven(question=question))
    manner = Manner(model="small", output=mode, stream=False, new_limit=False)
    prompt = told(request, PlainPrompts().prompt(request), manner)
    bound = most(ask(request, prompt, manner), output, PRICE)
    assert bound.tokens > sum(len(message.text.encode()) for message in prompt.messages) + output
    assert bound.dollars == PRICE.most(bound.tokens - output, output)


@pytest.mark.parametrize("mode", MODES)
async def test_the_ceiling_covers_every_mode_the_call_may_come_to(mode: OutputMode) -> None:
    async with chatting(provider=Provider(output=mode)) as chat:
        ceiling = chat.model.prepare(output_request()).ceiling
    manner: Manner | None = Manner(model="small", output=mode, stream=False, new_limit=False)
    while manner:
        prompt = told(output_request(), PlainPrompts().prompt(output_request()), manner)
        body = ask(output_request(), prompt, manner)
        assert most(body, prompt.max_output_tokens, PRICE).tokens <= ceiling.tokens
        manner = manner.simpler()


async def test_without_a_price_the_ceiling_has_no_dollars() -> None:
    async with chatting(price=None) as chat:
        ceiling = chat.model.prepare(output_request()).ceiling
    assert ceiling == Spend(model_calls=1, tokens=ceiling.tokens, dollars=Decimal(0))


async def test_preparing_sends_nothing_and_changes_nothing() -> None:
    async with chatting() as chat:
        assert chat.model.prepare(output_request()) == chat.model.prepare(output_request())
        assert chat.server.requests == []
