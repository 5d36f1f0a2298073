"""Whole research runs through APIs that providers made themselves: Anthropic's Messages, Google's generateContent."""

import re
from collections.abc import Awaitable, Mapping
from decimal import Decimal
from itertools import product
from typing import Protocol

import pytest
from pydantic import JsonValue

from fakes.native_servers import NativeServer
from fakes.openai_wire import FAULTS, Status, refusing
from fakes.papers import QUESTION
from fakes.researcher import Researcher
from fakes.sample import sample
from online.conftest import PRICE, Online, Ran
from online.test_faults import UNUSABLE, always, first_of_each_role, is_honest
from online.test_prompts import Delegating
from quaestor.contracts.cost import Price
from quaestor.contracts.errors import ModelRefused, ProviderUnavailable, SetupError

KEY = "sk-native-0123456789abcdefghijk"
KEYS: Mapping[str, str] = {"anthropic": "ANTHROPIC_API_KEY", "google": "GEMINI_API_KEY"}
MODELS: Mapping[str, str] = {"anthropic": "anthropic:claude-haiku-4-5", "google": "google:gemini-2.5-flash"}
KINDS = sorted(MODELS)
GOOD = Researcher()
CHARGED = Price.model_validate(PRICE)


class Natively(Protocol):
    def __call__(self, kind: str, server: NativeServer, **options: JsonValue) -> Awaitable[Ran]: ...


@pytest.fixture
def natively(online: Online, monkeypatch: pytest.MonkeyPatch) -> Natively:
    """Return what runs the question with a model of a provider; those of the other are known too."""
    for name in KEYS.values():
        monkeypatch.setenv(name, KEY)

    def run(kind: str, server: NativeServer, **options: JsonValue) -> Awaitable[Ran]:
        own: dict[str, JsonValue] = {
            "model": MODELS[kind],
            "providers": {
                each: {"base_url": server.base_url(each), "retries": 1, "backoff_seconds": 0.002} for each in KINDS
            },
            "prices": dict.fromkeys(MODELS.values(), PRICE),
            "max_todos": 1,  # every role is asked for it
        }
        return online(server, QUESTION, None, **{**own, **options})

    return run


def check_requests(server: NativeServer) -> None:
    """Every request was one the API takes, proved who asks as it wants, and had tools or a schema, never both."""
    for received in server.requests:
        assert received.asked, received.raw
        assert not (received.asked.tools and received.asked.response_format)
        proof = {name: value for name, value in received.headers.items() if KEY in value}
        if "generateContent" in received.path:
            assert proof == {"x-goog-api-key": KEY}
        else:
            assert proof in ({"x-api-key": KEY}, {"authorization": f"Bearer {KEY}"})


@pytest.mark.parametrize(
    ("name", "kind"), sample(product(FAULTS, KINDS), lambda place: place % 8 in {0, 5})
)  # every second fault, of one provider after the other
async def test_a_fault_in_the_first_answer_of_every_role_costs_no_report(
    natively: Natively, kind: str, name: str
) -> None:
    async with NativeServer(first_of_each_role(FAULTS[name])) as server:
        ran = await natively(kind, server, call_seconds=2 if name == "hang" else 60)
    assert ran.result.outcome == "done"
    assert is_honest(ran)
    check_requests(server)


@pytest.mark.parametrize("name", sample(FAULTS, lambda place: place % 4 == 1))
async def test_a_fault_in_every_answer_of_both_providers_ends_in_an_honest_end(natively: Natively, name: str) -> None:
    google: JsonValue = dict.fromkeys(("query_writer", "reader", "writer"), MODELS["google"])
    async with NativeServer(always(FAULTS[name])) as server:
        try:
            ran = await natively("anthropic", server, models=google, call_seconds=0.2 if name == "hang" else 60)
        except SetupError as error:
            unusable = re.search(UNUSABLE, str(error))
            assert unusable or isinstance(error, ProviderUnavailable)  # noqa: PT017 -- some faults leave usable replies
            return
    assert is_honest(ran)
    assert {asked.model for asked in ran.asked} == set(MODELS.values())
    check_requests(server)


@pytest.mark.parametrize("kind", KINDS)
async def test_no_request_carries_tools_and_a_contract(natively: Natively, kind: str) -> None:
    async with NativeServer(Delegating()) as server:
        ran = await natively(kind, server, orchestrate=True, max_todos=2)
    assert ran.result.outcome == "done"
    check_requests(server)
    offers = [asked for asked in ran.asked if asked.tools]
    assert offers
    assert sum(bool(asked.tools) for asked in server.asked) == len(offers)
    assert sum(bool(asked.response_format) for asked in server.asked) == len(ran.asked) - len(offers)


@pytest.mark.parametrize("kind", KINDS)
async def test_a_model_that_takes_no_schemas_and_no_tools_is_asked_in_words(natively: Natively, kind: str) -> None:
    async with NativeServer(refusing(GOOD, "json_schema", "tools")) as server:
        ran = await natively(kind, server)
    assert ran.result.outcome == "done"
    assert sum(bool(asked.response_format or asked.tools) for asked in server.asked) <= 2


@pytest.mark.parametrize("kind", KINDS)
async def test_what_is_spent_is_what_the_provider_charges(natively: Natively, kind: str) -> None:
    async with NativeServer(GOOD, cached=20, written=10 if kind == "anthropic" else 0) as server:
        ran = await natively(kind, server)
    assert sum((answer.spend.dollars for answer in ran.answered), Decimal(0)) == server.bill(CHARGED) > 0


@pytest.mark.parametrize("kind", KINDS)
async def test_what_a_provider_refuses_for_good_pauses_the_run(natively: Natively, kind: str) -> None:
    async with NativeServer(lambda _: Status(status=401, message="bad key", echo=True)) as server:
        with pytest.raises(
            ModelRefused, match=f"401: bad key .*; put a key that may use this model into {KEYS[kind]}"
        ) as no:
            await natively(kind, server)
    assert KEY not in str(no.value)


@pytest.mark.parametrize("kind", KINDS)
async def test_a_provider_that_is_gone_pauses_the_run(natively: Natively, kind: str) -> None:
    async with NativeServer(GOOD) as server:
        pass
    with pytest.raises(ProviderUnavailable, match="no connection"):
        await natively(kind, server)
