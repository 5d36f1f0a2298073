"""Small models on servers that take little: a run works with what there is, or ends and says so."""

import json

import pytest

from fakes.openai_server import OpenAIServer
from fakes.openai_wire import Answer, Asked, Raw, Status
from fakes.researcher import Researcher
from online.conftest import Online
from quaestor.contracts.errors import SetupError

UNKNOWN_FORMAT = (
    "[{'type': 'literal_error', 'loc': ('body', 'response_format', 'type'), "
    "'msg': \"Input should be 'text' or 'json_object'\", 'input': 'json_schema'}]"
)
"""The error of llama-cpp-python's server, with status 500, for an output mode that it does not know."""


class LlamaServer:
    """What llama-cpp-python's server makes of a request before a model answers it."""

    def __init__(self, then: Researcher) -> None:
        self._then = then
        self.refused = 0

    def __call__(self, asked: Asked) -> Answer:
        if asked.response_format and asked.response_format.type == "json_schema":
            self.refused += 1
            return Status(status=500, message=UNKNOWN_FORMAT)
        return self._then(asked)


def babble(asked: Asked) -> Answer:
    """Answer as a model does that is too small: with a beginning that it repeats for ever."""
    start = _event("Sure! Here is the JSON:\n") if asked.response_format is None else _event('{"todos": [')
    return Raw(pieces=(start, _event("and so on, ")), content_type="text/event-stream", endless=True)


def _event(text: str) -> bytes:
    return f"data: {json.dumps({'choices': [{'delta': {'content': text}}]})}\n\n".encode()


async def test_a_server_that_answers_an_unknown_format_with_500_is_used_as_it_is(online: Online) -> None:
    llama = LlamaServer(Researcher())
    async with OpenAIServer(llama) as server:
        ran = await online(server, provider={"stream": True})
    assert ran.result.report
    assert llama.refused <= 3, "what was refused is asked again only by calls that were under way"
    assert not any(answer.error for answer in ran.answered)


async def test_a_model_that_babbles_without_an_end_pauses_the_run_with_the_cause(online: Online) -> None:
    async with OpenAIServer(babble) as server:
        with pytest.raises(SetupError, match="gave no usable answer: stopped, because it repeated itself"):
            await online(server, provider={"stream": True})
        assert len(server.requests) < 10
