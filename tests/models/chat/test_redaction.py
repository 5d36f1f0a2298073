import json

import pytest

from fakes.chat import CLEAR, KEY, chatting
from fakes.openai_wire import Raw, Status
from quaestor.contracts.errors import ModelFailed, ModelRefused, QuaestorError, UsageError
from quaestor.contracts.model import Provider
from quaestor.models.chat.exchange import provider_endpoint

SPELLINGS = [KEY, json.dumps(KEY)[1:-1], KEY.replace("/", r"\/")]


@pytest.mark.parametrize("status", [401, 403, 404, 400, 429, 500])
@pytest.mark.parametrize("stream", [False, True])
async def test_a_key_that_a_server_echoes_stands_in_no_error(status: int, *, stream: bool) -> None:
    async with chatting(
        Status(status=status, message="bad key", echo=True), Provider(stream=stream, retries=1)
    ) as chat:
        assert chat.server.requests == []
        with pytest.raises((ModelRefused, ModelFailed)) as caught:
            await chat.ask()
    assert "bad key Bearer [key]" in str(caught.value)
    assert KEY not in str(caught.value)


@pytest.mark.parametrize("key", SPELLINGS)
async def test_a_key_that_a_server_echoes_stands_in_no_reply(key: str) -> None:
    whole = Raw(pieces=(f'{{"choices":[{{"message":{{"content":"It is {key}."}}}}]}}'.encode(),))
    event = f'data: {{"choices":[{{"delta":{{"content":"It is {key}."}},"finish_reason":"stop"}}]}}\n\n'
    for answer in (whole, Raw(pieces=(event.encode(),), content_type="text/event-stream")):
        async with chatting(answer) as chat:
            assert (await chat.ask()).text == "It is [key]."


@pytest.mark.parametrize("key", SPELLINGS)
async def test_a_key_stands_in_no_reason_of_a_lost_reply(key: str) -> None:
    async with chatting(Raw(pieces=(f"<p>{key}</p>".encode(),))) as chat:
        with pytest.raises(ModelFailed, match=r"<p>\[key\]</p>"):
            await chat.ask()


async def test_a_word_that_a_local_server_takes_as_a_key_may_be_said_in_a_reply() -> None:
    async with chatting("I am ollama.", key="ollama") as chat:
        assert (await chat.ask()).text == "I am ollama."
    async with chatting(Status(status=400, echo=True), key="ollama") as chat:
        with pytest.raises(ModelRefused, match=r"Bearer \[key\]"):
            await chat.ask()


async def test_what_proves_who_asks_may_stand_in_the_base_url_and_is_not_named() -> None:
    def with_password(url: str) -> str:
        return url.replace("http://", "http://me:correct-horse-battery@") + "?token=staple"

    async with chatting(Status(status=401, echo=True), key=None, url=with_password) as chat:
        with pytest.raises(ModelRefused) as caught:
            await chat.ask()
        received = chat.server.requests[0]
    assert received.headers["authorization"].startswith("Basic ")
    assert received.target == "/v1/chat/completions?token=staple"
    assert str(caught.value).startswith(f"test:small at {chat.server.url} answered 401: no Basic [key];")


@pytest.mark.parametrize("base_url", ["localhost:1234/v1", "ftp://host/v1", "http://", "", "http://host:port/v1"])
def test_a_base_url_must_be_an_address_of_the_web(base_url: str) -> None:
    with pytest.raises(UsageError, match="write it as http://host:port/v1"):
        provider_endpoint(base_url, None)


@pytest.mark.parametrize("key", ["", "two words", "schlüssel", "line\nbreak"])
def test_a_key_that_no_header_can_carry_is_refused_and_not_named(key: str) -> None:
    with pytest.raises(QuaestorError) as caught:
        provider_endpoint("http://me:secret@host/v1", key)
    assert str(caught.value) == "the key for http://host/v1 is empty or has characters no key has; copy it again"


@pytest.mark.parametrize("base_url", ["http://host/v1", "http://host/v1/"])
def test_a_base_url_may_end_in_a_slash(base_url: str) -> None:
    assert str(provider_endpoint(base_url, None).url("chat/completions")) == "http://host/v1/chat/completions"


async def test_a_good_reply_with_a_key_is_as_good() -> None:
    async with chatting(CLEAR) as chat:
        assert (await chat.ask()).text == CLEAR
