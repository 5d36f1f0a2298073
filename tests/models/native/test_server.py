import pytest

from fakes.chat import KEY, output_request, provider_client
from fakes.native import MODELS, NATIVE
from fakes.native_servers import NativeServer
from fakes.openai_wire import Status
from fakes.prompts import PlainPrompts
from quaestor.contracts.lazy import deferred
from quaestor.models.chat.exchange import ErrorResponse
from quaestor.models.chat.request import RequestMode, build_body
from quaestor.models.native.transport import SdkEndpoint

sdk_server = deferred("quaestor.models.native.server:SdkServer")  # it imports pydantic-ai
MODE = RequestMode(model="m", output="prompt", stream=False, uses_max_completion_tokens=False)
BODY = build_body(output_request(), PlainPrompts().prompt(output_request()), MODE)


async def refusal(kind: str, status: Status) -> ErrorResponse:
    client = provider_client(NATIVE)
    async with NativeServer(lambda _: status) as server:
        outcome = await sdk_server("google", MODELS[kind], SdkEndpoint(server.base_url(kind), KEY, client)).send(BODY)
    await client.close()
    assert isinstance(outcome, ErrorResponse)
    return outcome


@pytest.mark.parametrize(("said", "seconds"), [("7s", 7), ("3600s", 3600), ("a while", None)])
async def test_google_says_in_its_body_how_long_to_wait(said: str, seconds: float | None) -> None:
    assert (await refusal("google", Status(status=429, code=said))).retry_after == seconds
