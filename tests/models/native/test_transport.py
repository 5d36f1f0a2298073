import httpx2
import pytest

from fakes.chat import CLEAR, KEY, provider_client
from fakes.native import MODELS, NATIVE, natively
from fakes.openai_server import OpenAIServer
from fakes.openai_wire import Raw
from quaestor.contracts.errors import ModelFailed
from quaestor.models.native.transport import SdkEndpoint, track_call
from quaestor.version import __version__

EVERY = sorted(MODELS)
QUICK = [kind for kind in EVERY if kind != "bedrock"]
PROVES = {"authorization", "x-api-key", "x-goog-api-key"}


@pytest.mark.parametrize("kind", EVERY)
async def test_the_key_is_sent_in_the_header_that_the_api_reads_and_nowhere_else(kind: str) -> None:
    async with natively(kind) as native:
        await native.ask()
        [received] = native.server.requests
    sent = {name: value for name, value in received.headers.items() if KEY in value}
    match kind:
        case "google":
            assert sent == {"x-goog-api-key": KEY}
        case "anthropic":  # the SDK chooses what the version of the API that it names takes
            assert sent in ({"x-api-key": KEY}, {"authorization": f"Bearer {KEY}"})
            assert received.headers["anthropic-version"]
        case _:
            assert sent == {"authorization": f"Bearer {KEY}"}
    assert KEY not in received.target + received.raw.decode()
    assert received.headers["user-agent"] == f"quaestor/{__version__}"


@pytest.mark.parametrize("kind", QUICK)
async def test_without_a_key_none_is_sent(kind: str) -> None:
    async with natively(kind, key=None) as native:
        await native.ask()
        [received] = native.server.requests
    assert not PROVES & received.headers.keys()


@pytest.mark.parametrize("kind", QUICK)
async def test_what_only_the_sdk_reads_of_the_environment_is_not_sent(
    kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in (
        "ANTHROPIC_API_KEY",
        "ANTHROPIC_AUTH_TOKEN",
        "ANTHROPIC_CUSTOM_HEADERS",
        "GEMINI_API_KEY",
        "GOOGLE_API_KEY",
        "GOOGLE_CLOUD_PROJECT",
        "MISTRAL_API_KEY",
        "OPENAI_API_KEY",
        "OPENAI_CUSTOM_HEADERS",
        "OPENAI_ORG_ID",
        "OPENAI_PROJECT_ID",
    ):
        monkeypatch.setenv(name, "X-Own: elsewhere")
    async with natively(kind) as native:
        await native.ask()
        [received] = native.server.requests
    assert "elsewhere" not in str(received)


async def test_a_call_is_one_request_and_none_when_it_is_over() -> None:
    client = provider_client(NATIVE)
    async with OpenAIServer(lambda _: CLEAR) as server:
        transport = SdkEndpoint(server.url, None, client).transport("")
        with track_call() as record:
            assert (await transport.send(server.url, {}, b"{}")).status_code == 404
            with pytest.raises(httpx2.RequestError, match="one request"):
                await transport.send(server.url, {}, b"{}")
        assert record.sent
        with track_call() as given_up:
            pass
        assert given_up.sent
        assert len(server.requests) == 1
    await client.close()


async def test_a_long_error_is_an_error() -> None:
    long = Raw(status=500, pieces=(b'{"message": "broken', b" pipe" * 1024 * 1024, b'"}'))
    async with natively("mistral", long, NATIVE.model_copy(update={"retries": 0})) as native:
        with pytest.raises(ModelFailed, match=r'answered 500: \{"message": "broken pipe'):
            await native.ask()
