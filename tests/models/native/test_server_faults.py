import asyncio
import json
from collections.abc import Mapping

import pytest

from fakes.chat import CLEAR, KEY, QUESTION, output_request, provider_client, tools_request
from fakes.native import MODELS, NATIVE, PRICE, native_model, natively
from fakes.openai_wire import FAULTS, Answer, Asked, Call, Calls, Cut, Hang, Raw, Reply, Said, Status, refusing
from fakes.time import in_no_time
from quaestor.contracts.cost import Spend
from quaestor.contracts.errors import ModelFailed, ModelRefused, ModelUnavailable, SetupError
from quaestor.contracts.model import Provider
from quaestor.replies.parsing import ContractViolation, validate_reply

EVERY = sorted(MODELS)
QUICK = [kind for kind in EVERY if kind != "bedrock"]
"""Without the one whose client takes half a second to make, for what does not depend on the SDK."""
WITH_SCHEMA = [kind for kind in EVERY if kind != "mistral"]


def clear(_: Asked) -> Answer:
    return CLEAR


def after(*faults: Answer) -> Reply:
    """Return a reply that is wrong so often and then right."""
    waiting = list(faults)
    return lambda _: waiting.pop(0) if waiting else CLEAR


def _never(asked: asyncio.Event) -> Reply:
    def reply(_: Asked) -> Answer:
        asked.set()
        return Hang()

    return reply


@pytest.mark.parametrize("kind", EVERY)
async def test_what_was_not_answered_is_asked_again(kind: str) -> None:
    statuses = (408, 409, 429, 500, 503) if kind != "anthropic" else (408, 409, 429, 529)
    provider = NATIVE.model_copy(update={"retries": 5})
    async with natively(kind, after(*(Status(status=status) for status in statuses)), provider) as native:
        reply = await native.ask()
        assert len(native.server.requests) == len(statuses) + 1
        assert reply.spend.dollars == native.server.bill(PRICE)
    assert validate_reply(QUESTION, reply.text)
    assert [note.partition(",")[0] for note in reply.notes] == [str(status) for status in statuses]


@pytest.mark.parametrize("kind", QUICK)
@in_no_time
async def test_it_waits_as_long_as_it_is_asked_to(kind: str) -> None:
    async with natively(kind, after(Status(status=429, headers={"Retry-After": "0.1"}))) as native:
        reply = await native.ask()
        first, second = native.server.requests
        assert second.at - first.at >= 0.1
    assert reply.notes == ("429, waited 0.1 s",)


@in_no_time
async def test_google_says_in_the_body_how_long_to_wait() -> None:
    async with natively("google", after(Status(status=429, code="0.1s"))) as native:
        reply = await native.ask()
        first, second = native.server.requests
        assert second.at - first.at >= 0.1
    assert reply.notes == ("429, waited 0.1 s",)


@pytest.mark.parametrize("kind", QUICK)
async def test_what_stays_unanswered_costs_nothing(kind: str) -> None:
    status = 529 if kind == "anthropic" else 500
    async with natively(
        kind, Status(status=status, message="Overloaded"), NATIVE.model_copy(update={"retries": 2})
    ) as native:
        with pytest.raises(ModelFailed, match=rf"{kind}:.*answered {status}: Overloaded \(after 2 retries\)") as failed:
            await native.ask()
        assert len(native.server.requests) == 3
    assert failed.value.spend == Spend(model_calls=1)


@pytest.mark.parametrize("kind", EVERY)
async def test_what_is_refused_is_asked_once_and_the_key_stays_unsaid(kind: str) -> None:
    async with natively(kind) as native:
        for place, status in enumerate((400, 401, 403, 404, 413), 1):
            native.server.reply = after(Status(status=status, message="No use of", echo=True))
            with pytest.raises(ModelRefused, match=f"answered {status}: No use of") as refused:
                await native.ask()
            assert len(native.server.requests) == place
            assert KEY not in str(refused.value)
            assert ("key_env" in str(refused.value)) == (status in {401, 403})


async def test_an_account_without_credit_is_not_asked_again() -> None:
    low = Status(status=429, message="You exceeded your current quota", code="insufficient_quota")
    async with natively("openai-responses", low) as native:
        with pytest.raises(ModelRefused, match="credit"):
            await native.ask()
        assert len(native.server.requests) == 1


async def test_a_prompt_that_is_too_long_is_said_to_be() -> None:
    async with natively(
        "anthropic", Status(status=400, message="prompt is too long: 213462 tokens > 200000")
    ) as native:
        with pytest.raises(ModelRefused, match="takes longer prompts"):
            await native.ask()


CUT: Mapping[str, Answer] = {
    "cut before the headers": Cut(text=CLEAR, after="nothing"),
    "cut in the middle": Cut(text=CLEAR, after="half"),
    "half a JSON": Raw(pieces=(b'{"id": "msg_01", "content": [{"ty',)),
    "no JSON": Raw(pieces=(b"<html>Bad gateway</html>",), content_type="text/html"),
    "no JSON, said to be": Raw(pieces=(b"<html>Bad gateway</html>",)),
    "nothing": Raw(pieces=()),
    "another shape": Raw(pieces=(b'{"choices": "none", "content": 7, "output": "x", "candidates": {"a": 1}}',)),
    "a list": Raw(pieces=(b"[1, 2]",)),
}


@pytest.mark.parametrize("kind", EVERY)
async def test_what_may_be_charged_is_not_asked_again_and_counts_as_spent(kind: str) -> None:
    async with natively(kind) as native:
        request = output_request()
        prepared = native.model.prepare(request)
        for name, answer in CUT.items():
            native.server.reply = after(answer)
            with pytest.raises(ModelFailed, match="charged all the same") as failed:
                await native.model.answer(request, prepared)
            assert failed.value.spend == prepared.ceiling, name
        assert len(native.server.requests) == len(CUT)
        assert native.server.bill(PRICE) <= prepared.ceiling.dollars * len(CUT)


@pytest.mark.parametrize("kind", EVERY)
async def test_a_call_has_its_time_limit(kind: str) -> None:
    async with natively(kind, Hang(), seconds=0.1) as native:
        request = output_request()
        prepared = native.model.prepare(request)
        with pytest.raises(ModelFailed, match=r"no answer within 0\.1 s") as failed:
            await native.model.answer(request, prepared)
    assert failed.value.spend == prepared.ceiling


@pytest.mark.parametrize("kind", EVERY)
async def test_a_call_can_be_given_up(kind: str) -> None:
    async with natively(kind, provider=NATIVE.model_copy(update={"in_flight": 1})) as native:
        asked = asyncio.Event()
        native.server.reply = _never(asked)
        call = asyncio.create_task(native.ask())
        await asked.wait()
        call.cancel()
        with pytest.raises(asyncio.CancelledError):
            await call
        native.server.reply = clear
        assert validate_reply(QUESTION, (await native.ask()).text)


@pytest.mark.parametrize("kind", EVERY)
async def test_where_nobody_listens_the_model_is_unavailable(kind: str) -> None:
    async with natively(kind) as native:
        native.model.prepare(output_request())
        base_url = native.server.base_url(kind)
    client = provider_client(NATIVE)
    model = native_model(kind, base_url, client, provider=NATIVE.model_copy(update={"retries": 1}))
    with pytest.raises(ModelUnavailable, match=r"no connection .*; .*base_url, and resume"):
        await model.answer(output_request(), model.prepare(output_request()))
    await client.close()


@pytest.mark.parametrize("kind", QUICK)
async def test_an_endless_reply_is_a_fault(kind: str) -> None:
    long = Raw(pieces=(b'{"content": [{"type": "text", "text": "', b"x" * (2 * 1024 * 1024), b'"}]}'))
    async with natively(kind, long) as native:
        reply = await native.ask()
    assert reply.fault
    assert "2,097,152 bytes" in reply.fault
    assert reply.spend.tokens > 1000


@pytest.mark.parametrize("kind", WITH_SCHEMA)
async def test_what_does_not_fulfil_the_contract_comes_as_it_was_said(kind: str) -> None:
    async with natively(kind) as native:
        for name in ("empty", "half a JSON", "prose", "extra fields", "another language"):
            said = FAULTS[name](CLEAR)
            native.server.reply = after(said)
            reply = await native.ask()
            assert (reply.text, reply.fault) == (said, None), name
            with pytest.raises(ContractViolation):
                validate_reply(QUESTION, reply.text)


@pytest.mark.parametrize("kind", EVERY)
async def test_a_tool_call_in_place_of_a_contract_is_a_fault(kind: str) -> None:
    async with natively(kind, FAULTS["a tool call"](CLEAR)) as native:
        reply = await native.ask()
    assert reply.fault == "a tool call, where a Clarity is wanted"


@pytest.mark.parametrize("kind", EVERY)
async def test_a_reply_that_was_cut_off_is_a_fault(kind: str) -> None:
    async with natively(kind, "x" * 4000, max_output_tokens=50) as native:
        reply = await native.ask()
    assert reply.fault
    assert "at most 50 are allowed" in reply.fault


@pytest.mark.parametrize("kind", [kind for kind in EVERY if kind != "mistral"])
async def test_a_reply_that_a_filter_stopped_is_a_fault(kind: str) -> None:
    async with natively(kind, Said(text=CLEAR[:9], finish="content_filter")) as native:
        reply = await native.ask()
    assert reply.fault == "the provider's content filter stopped the reply"


@pytest.mark.parametrize("kind", EVERY)
async def test_a_refusal_is_a_fault(kind: str) -> None:
    async with natively(kind, Said(text="", refusal="I cannot help with that.")) as native:
        reply = await native.ask()
    assert reply.fault


@pytest.mark.parametrize("kind", WITH_SCHEMA)
async def test_a_refused_schema_is_asked_for_by_a_tool_and_then_in_words(kind: str) -> None:
    async with natively(kind, refusing(clear, "json_schema", "tools")) as native:
        reply = await native.ask()
        modes = [(bool(asked.response_format), len(asked.tools)) for asked in native.server.asked]
        assert (await native.ask()).notes == ()
    assert modes == [(True, 0), (False, 1), (False, 0)]
    assert reply.notes == (
        "400, the server takes no output mode schema; asked with tool",
        "400, the server takes no output mode tool; asked with prompt",
        "the JSON Schema was added to the system message",
    )
    assert validate_reply(QUESTION, reply.text)


async def test_a_refused_temperature_is_left_out() -> None:
    async with natively("mistral", refusing(clear, "temperature")) as native:
        reply = await native.ask()
        assert [asked.temperature for asked in native.server.asked] == [0.2, None]
    assert reply.notes == ("400, the server takes no temperature; asked without one",)


async def test_a_tool_call_that_cannot_be_read_is_left_out() -> None:
    broken = Calls(calls=(Call(name="search", arguments='{"query": ', id="aB3dE6gH9"),))
    async with natively("openai-responses", broken) as native:
        reply = await native.ask(tools_request())
    assert reply.calls == ()
    assert "no JSON object" in reply.notes[0]


async def test_bedrock_signs_what_goes_without_a_key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "AKIDEXAMPLE")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "wJalrXUtnFEMI")
    async with natively("bedrock", key=None) as native:
        await native.ask()
        [received] = native.server.requests
    assert received.headers["authorization"].startswith("AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/")
    assert "wJalrXUtnFEMI" not in json.dumps(dict(received.headers))


async def test_bedrock_without_credentials_cannot_be_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_PROFILE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("AWS_EC2_METADATA_DISABLED", "true")
    monkeypatch.setenv("AWS_SHARED_CREDENTIALS_FILE", "missing")
    monkeypatch.setenv("AWS_CONFIG_FILE", "missing")
    async with natively("bedrock", key=None) as native:
        with pytest.raises(ModelRefused, match="credentials"):
            await native.ask()
        assert native.server.requests == []


def test_bedrock_needs_a_region(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("AWS_DEFAULT_REGION", raising=False)
    monkeypatch.setenv("AWS_CONFIG_FILE", "missing")
    model = native_model("bedrock", None, provider_client(Provider()))
    with pytest.raises(SetupError, match="set AWS_DEFAULT_REGION, or write base_url"):
        model.prepare(output_request())


def test_bedrock_needs_an_address_that_its_sdk_takes() -> None:
    model = native_model("bedrock", "http://-lab-:8000", provider_client(Provider()))
    with pytest.raises(ModelRefused, match=r"bedrock:.* cannot be asked: .*http://-lab-:8000; see to what it names"):
        model.prepare(output_request())


def test_bedrock_needs_settings_of_aws_that_can_be_used(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AWS_PROFILE", "nobody")
    monkeypatch.setenv("AWS_CONFIG_FILE", "missing")
    model = native_model("bedrock", None, provider_client(Provider()))
    with pytest.raises(SetupError, match=r"AWS's own settings .*nobody.*; correct them"):
        model.prepare(output_request())
