"""No honest bill is above what was reserved, and nothing that may be charged is left out of what is recorded."""

from decimal import Decimal
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fakes.chat import CLEAR, PRICE, chatting, output_request, tools_request
from fakes.openai_wire import FAULTS
from fakes.prompts import PlainPrompts
from quaestor.contracts.cost import Spend
from quaestor.contracts.errors import ModelFailed
from quaestor.contracts.model import ModelRequest, OutputMode, Provider
from quaestor.models.chat.request import RequestMode, build_body, cost_ceiling, prompt_with_schema
from quaestor.research.contracts.roles import ClarifyInput

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
    question: str, offers_tools: bool, output_mode: OutputMode, output: int
) -> None:
    request: ModelRequest = tools_request() if offers_tools else output_request(ClarifyInput(question=question))
    mode = RequestMode(model="small", output=output_mode, stream=False, uses_max_completion_tokens=False)
    prompt = prompt_with_schema(request, PlainPrompts().prompt(request), mode)
    bound = cost_ceiling(build_body(request, prompt, mode), output, PRICE)
    assert bound.tokens > sum(len(message.text.encode()) for message in prompt.messages) + output
    assert bound.dollars == PRICE.most(bound.tokens - output, output)


@pytest.mark.parametrize("output_mode", MODES)
async def test_the_ceiling_covers_every_mode_the_call_may_come_to(output_mode: OutputMode) -> None:
    async with chatting(provider=Provider(output=output_mode)) as chat:
        ceiling = chat.model.prepare(output_request()).ceiling
    mode: RequestMode | None = RequestMode(
        model="small", output=output_mode, stream=False, uses_max_completion_tokens=False
    )
    while mode:
        prompt = prompt_with_schema(output_request(), PlainPrompts().prompt(output_request()), mode)
        body = build_body(output_request(), prompt, mode)
        assert cost_ceiling(body, prompt.max_output_tokens, PRICE).tokens <= ceiling.tokens
        mode = mode.downgraded()


async def test_without_a_price_the_ceiling_has_no_dollars() -> None:
    async with chatting(price=None) as chat:
        ceiling = chat.model.prepare(output_request()).ceiling
    assert ceiling == Spend(model_calls=1, tokens=ceiling.tokens, dollars=Decimal(0))


async def test_preparing_sends_nothing_and_changes_nothing() -> None:
    async with chatting() as chat:
        assert chat.model.prepare(output_request()) == chat.model.prepare(output_request())
        assert chat.server.requests == []
