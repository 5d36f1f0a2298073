import pytest

from fakes.chat import KEY, output_request
from fakes.native import MODELS, NATIVE
from fakes.native_servers import NativeServer
from fakes.openai_wire import Status
from fakes.prompts import PlainPrompts
from quaestor.models.chat import Line
from quaestor.models.chat.asking import Manner, ask
from quaestor.models.chat.exchange import Refused
from quaestor.models.native.carrying import Way
from quaestor.models.native.server import Server

MANNER = Manner(model="m", output="prompt", stream=False, new_limit=False)
BODY = ask(output_request(), PlainPrompts().prompt(output_request()), MANNER)


async def refusal(kind: str, status: Status) -> Refused:
    line = Line(NATIVE)
    async with NativeServer(lambda _: status) as server:
        outcome = await Server("google", MODELS[kind], Way(server.base_url(kind), KEY, line, 5)).exchange(BODY)
    await line.close()
    assert isinstance(outcome, Refused)
    return outcome


@pytest.mark.parametrize(("said", "seconds"), [("7s", 7), ("86400s", 120), ("a while", None)])
async def test_google_is_waited_for_as_its_body_says_but_no_longer_than_two_minutes(
    said: str, seconds: float | None
) -> None:
    assert (await refusal("google", Status(status=429, code=said))).retry_after == seconds
