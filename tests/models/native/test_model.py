import asyncio
import json
import re
import sys
from itertools import product

import pytest

from agents.samples import asked as request_of
from agents.samples import sample
from fakes.chat import QUESTION, output_request, provider_client, tools_request
from fakes.native import MODELS, NATIVE, PRICE, native_model, natively
from fakes.openai_wire import Call, Calls, Said
from fakes.sample import sample as some_of
from quaestor.contracts.cost import Spend
from quaestor.contracts.errors import MissingExtra, UsageError
from quaestor.contracts.installation import install_command
from quaestor.contracts.model import ModelRequest, OutputMode, Provider
from quaestor.contracts.roles import Message, Prompt
from quaestor.models.native.provider import default_mode
from quaestor.replies.parsing import validate_reply
from quaestor.research.contracts.roles import Clarity

EVERY = sorted(MODELS)
QUICK = [kind for kind in EVERY if kind != "bedrock"]
"""Without the one whose client takes half a second to make, for what does not depend on the SDK."""
WITH_SCHEMA = [kind for kind in EVERY if kind != "mistral"]


@pytest.mark.parametrize("kind", EVERY)
async def test_a_contract_is_answered_and_paid_for(kind: str) -> None:
    async with natively(kind) as native:
        reply = await native.ask()
        spent = native.server.bill(PRICE)
        asked = native.server.asked[0]
    assert validate_reply(QUESTION, reply.text).output == Clarity(is_clear=True)
    assert (reply.calls, reply.fault, reply.notes, reply.priced) == ((), None, (), True)
    assert (reply.spend.model_calls, reply.spend.dollars) == (1, spent)
    assert reply.usage
    assert reply.spend.tokens == reply.usage.input_tokens + reply.usage.output_tokens
    assert [message.role for message in asked.messages] == ["system", "user"]
    assert (asked.messages[0].content, asked.temperature, asked.limit) == ("You are the clarifier.", 0.2, 1000)


@pytest.mark.parametrize("kind", WITH_SCHEMA)
async def test_a_contract_is_asked_for_by_its_schema_where_the_model_takes_one(kind: str) -> None:
    async with natively(kind) as native:
        await native.ask()
        asked = native.server.asked[0]
    assert asked.response_format
    assert asked.response_format.json_schema
    assert set(_properties(asked.response_format.json_schema.contract)) == set(Clarity.model_fields)
    assert asked.tools == ()


@pytest.mark.parametrize(
    ("kind", "mode"), some_of(product(EVERY, ["schema", "tool"]), lambda place: place % 4 in {0, 3})
)  # every provider in one mode, the next one in the other
async def test_every_contract_can_be_asked_for_in_no_more_bytes_than_are_reserved(kind: str, mode: OutputMode) -> None:
    requests = [request_of("role", given) for given in sample(1).values()]
    async with natively(kind, provider=NATIVE.model_copy(update={"output": mode})) as native:
        ceilings = [native.model.prepare(request).ceiling.tokens for request in requests]
        replies = [await native.ask(request) for request in requests]
        sizes = [len(received.raw) for received in native.server.requests]
    assert [reply.notes for reply in replies] == [()] * len(requests)
    assert all(size + 1000 <= ceiling for size, ceiling in zip(sizes, ceilings, strict=True))


async def test_without_a_schema_mode_a_contract_is_what_one_tool_takes() -> None:
    async with natively("mistral") as native:
        reply = await native.ask()
        [asked] = native.server.asked
    assert [tool.function.name for tool in asked.tools] == ["clarity"]
    assert asked.tool_choice != "auto"
    assert validate_reply(QUESTION, reply.text).output == Clarity(is_clear=True)


@pytest.mark.parametrize("kind", QUICK)
@pytest.mark.parametrize("mode", ["object", "prompt"])
async def test_what_no_mode_tells_is_told_in_words(kind: str, mode: OutputMode) -> None:
    async with natively(kind, provider=NATIVE.model_copy(update={"output": mode})) as native:
        prepared = native.model.prepare(output_request())
        await native.ask()
        [asked] = native.server.asked
    assert (asked.tools, asked.response_format) == ((), None)
    assert prepared.prompt
    assert "JSON Schema" in prepared.prompt.messages[0].text
    assert asked.messages[0].content == prepared.prompt.messages[0].text


@pytest.mark.parametrize("kind", EVERY)
async def test_tools_are_offered_and_chosen(kind: str) -> None:
    chosen = Calls(
        calls=(
            Call(name="search", arguments='{"query": "blue sky"}', id="aB3dE6gH9"),
            Call(name="search", arguments='{"query": "Rayleigh"}', id="bC4eF7hJ0"),
        ),
        text="Let me look.",
    )
    async with natively(kind, chosen) as native:
        reply = await native.ask(tools_request())
        [asked] = native.server.asked
    assert [(tool.function.name, tool.function.description) for tool in asked.tools] == [
        ("search", "Search the papers.")
    ]
    assert (asked.tool_choice, asked.response_format) == ("auto", None)
    assert [call.given for call in reply.calls] == [{"query": "blue sky"}, {"query": "Rayleigh"}]
    expected = ["call-1", "call-2"] if kind == "google" else ["aB3dE6gH9", "bC4eF7hJ0"]
    assert [call.ref for call in reply.calls] == expected
    assert (reply.text, reply.fault) == ("Let me look.", None)


@pytest.mark.parametrize("kind", QUICK)
async def test_a_model_may_choose_no_tool(kind: str) -> None:
    async with natively(kind, "I know enough.") as native:
        reply = await native.ask(tools_request())
    assert (reply.calls, reply.text, reply.fault) == ((), "I know enough.", None)


@pytest.mark.parametrize("kind", ["anthropic", "bedrock"])
async def test_tokens_of_the_cache_are_counted_and_priced(kind: str) -> None:
    async with natively(kind, cached=40, written=30) as native:
        reply = await native.ask()
        [charged] = native.server.charged
        assert reply.spend.dollars == native.server.bill(PRICE) > 0
    assert reply.usage == charged
    assert (charged.cached_tokens, charged.written_tokens) == (40, 30)


@pytest.mark.parametrize("kind", ["google", "openai-responses"])
async def test_tokens_read_from_the_cache_are_counted_and_priced(kind: str) -> None:
    async with natively(kind, cached=40) as native:
        reply = await native.ask()
        assert reply.spend.dollars == native.server.bill(PRICE) > 0
    assert reply.usage
    assert reply.usage.cached_tokens == 40


@pytest.mark.parametrize("kind", ["anthropic", "bedrock"])
async def test_the_system_prompt_and_the_tools_are_marked_for_the_cache(kind: str) -> None:
    async with natively(kind, "no") as native:
        await native.ask(tools_request())
        [received] = native.server.requests
    mark = b"cachePoint" if kind == "bedrock" else b"cache_control"
    assert received.raw.count(mark) == 2


async def test_openai_is_told_not_to_keep_the_call() -> None:
    async with natively("openai-responses") as native:
        await native.ask()
        [received] = native.server.requests
    assert json.loads(received.raw)["store"] is False


@pytest.mark.parametrize("kind", ["google", "mistral", "openai-responses"])
async def test_a_reply_without_a_count_is_estimated_from_above(kind: str) -> None:
    async with natively(kind, Said(text="I know enough.", counted=False)) as native:
        reply = await native.ask(tools_request())
        assert reply.spend.dollars >= native.server.bill(PRICE)
    assert reply.usage is None
    assert reply.notes == ("the server counts no tokens; estimated from above",)


async def test_without_a_price_only_tokens_are_counted() -> None:
    async with natively("anthropic", price=None) as native:
        reply = await native.ask()
    assert not reply.priced
    assert reply.spend == Spend(model_calls=1, tokens=reply.spend.tokens)
    assert reply.spend.tokens > 0


@pytest.mark.parametrize(
    ("kind", "model"),
    [
        ("anthropic", "claude-opus-5"),
        ("bedrock", "us.anthropic.claude-opus-5"),
        ("openai-responses", "gpt-5-mini"),
        ("openai-responses", "o4-mini"),
    ],
)
async def test_a_model_that_takes_no_temperature_is_told_none(kind: str, model: str) -> None:
    async with natively(kind, model=model) as native:
        reply = await native.ask()
        [asked] = native.server.asked
    assert (asked.temperature, reply.fault, reply.notes) == (None, None, ())


async def test_the_settings_may_limit_the_output_otherwise() -> None:
    async with natively("google", max_output_tokens=77) as native:
        reply = await native.ask()
        [asked] = native.server.asked
    assert (asked.limit, reply.fault) == (77, None)


class _Retelling:
    """Tells the model its reply before, and what was wrong with it."""

    def prompt(self, request: ModelRequest) -> Prompt:
        said = (
            ("system", "You are exact."),
            ("user", "Is it clear?"),
            ("assistant", "Hm."),
            ("user", "Say it as JSON."),
        )
        messages = tuple(Message.model_validate({"role": role, "text": text}) for role, text in said)
        return Prompt(agent=request.role, sha256="0" * 64, messages=messages, max_output_tokens=100)


@pytest.mark.parametrize("kind", EVERY)
async def test_a_reply_before_is_told_in_its_place(kind: str) -> None:
    async with natively(kind, prompts=_Retelling()) as native:
        await native.ask()
        [asked] = native.server.asked
    told = [(message.role, message.content) for message in asked.messages]
    assert told == [
        ("system", "You are exact."),
        ("user", "Is it clear?"),
        ("assistant", "Hm."),
        ("user", "Say it as JSON."),
    ]


@pytest.mark.parametrize("kind", QUICK)
async def test_calls_of_one_provider_share_its_limits(kind: str) -> None:
    async with natively(kind, provider=NATIVE.model_copy(update={"in_flight": 1})) as native:
        await asyncio.gather(*(native.ask(output_request(key=f"k{place}")) for place in range(3)))
        assert (len(native.server.requests), native.server.busiest) == (3, 1)


@pytest.mark.parametrize("kind", QUICK)
async def test_equal_calls_send_equal_bytes(kind: str) -> None:
    async with natively(kind, "no", prompts=_Retelling()) as native:
        for request in (output_request(), tools_request(), output_request(key="k2"), tools_request()):
            await native.ask(request)
        contract, tools, contract_again, tools_again = (received.raw for received in native.server.requests)
    assert (contract, tools) == (contract_again, tools_again)


@pytest.mark.parametrize("kind", QUICK)
async def test_preparing_is_pure(kind: str) -> None:
    async with natively(kind) as native:
        first, again = (native.model.prepare(tools_request()) for _ in range(2))
        assert native.server.requests == []
    assert first == again
    assert first.model == f"{kind}:{MODELS[kind]}"


def test_a_provider_without_an_api_of_its_own_is_no_native_one() -> None:
    with pytest.raises(UsageError, match='"chat" and its base_url'):
        native_model("groq", None, provider_client(Provider()), model="llama")


@pytest.mark.parametrize("package", ["pydantic_ai", "google.genai", "google"])
def test_without_the_extra_it_says_what_to_install(package: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in sys.modules if name == package or name.startswith(f"{package}.")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(MissingExtra, match=re.escape(install_command("llm"))):
        native_model("google", None, provider_client(Provider()))


def test_an_sdk_that_cannot_be_imported_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "quaestor.models.native.mistral", raising=False)
    monkeypatch.setitem(sys.modules, "pydantic_ai.models.mistral", None)
    model = native_model("mistral", None, provider_client(Provider()))
    with pytest.raises(MissingExtra, match=re.escape(f"models of mistral need an extra: {install_command('llm')}")):
        model.prepare(output_request())


def test_a_key_that_is_none_and_a_base_url_that_is_none_are_refused() -> None:
    for kind in EVERY:
        for wrong in (
            native_model(kind, "http://127.0.0.1:9", provider_client(Provider()), key="two words"),
            native_model(kind, "api.example.com", provider_client(Provider())),
        ):
            with pytest.raises(UsageError, match=r"copy it again|write it as"):
                wrong.prepare(output_request())


def test_a_model_of_whom_nothing_is_known_is_asked_by_a_tool_or_in_words() -> None:
    assert default_mode("m", "schema", {}).output == "tool"
    assert default_mode("m", "schema", {"supports_tools": False}).output == "prompt"
    assert default_mode("m", "tool", {"supports_tools": False}).output == "prompt"
    assert default_mode("m", "object", {}).output == "prompt"


def _properties(schema: object) -> dict[str, object]:
    assert isinstance(schema, dict)
    properties = schema["properties"]
    assert isinstance(properties, dict)
    return properties
