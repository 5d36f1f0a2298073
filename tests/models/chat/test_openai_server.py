"""The fake server is a server: for threads, for other processes, and for its own bill."""

import subprocess
import sys
from decimal import Decimal

import httpx2
import pytest

from fakes.chat import PRICE
from fakes.openai_server import OpenAIServer, tokens
from fakes.openai_wire import Asked, Slow

BODY = {"model": "small", "messages": [{"role": "user", "content": "Why?"}]}
POST = "import sys, httpx2; print(httpx2.post(sys.argv[1], content=sys.argv[2], trust_env=False).status_code)"


def test_it_lives_in_a_thread_and_answers_another_process() -> None:
    with OpenAIServer(lambda asked: f"{len(asked.messages)} message") as server:
        url = f"{server.url}/chat/completions"
        asked = Asked.model_validate(BODY).model_dump_json(include=set(BODY))
        run = subprocess.run([sys.executable, "-c", POST, url, asked], check=True, capture_output=True, text=True)
    assert run.stdout == "200\n"
    assert server.answered == {asked: 1}
    assert server.asked == [Asked.model_validate(BODY)]


def test_it_bills_what_it_counts() -> None:
    with OpenAIServer(lambda _: "x" * 41) as server, httpx2.Client(trust_env=False) as client:
        usage = client.post(f"{server.url}/chat/completions", json=BODY).json()["usage"]
    prompt = tokens(server.requests[0].raw.decode())
    assert (usage["prompt_tokens"], usage["completion_tokens"]) == (prompt, 11)
    assert server.bill(PRICE) == (prompt * Decimal("2.5") + 11 * Decimal(10)) / 1_000_000


@pytest.mark.parametrize(
    ("more", "status"),
    [
        ({}, 200),
        ({"surprise": 1}, 422),
        ({"response_format": {"type": "json_object"}}, 200),
        (
            {
                "response_format": {"type": "json_object"},
                "tools": [{"type": "function", "function": {"name": "f", "description": "", "parameters": {}}}],
            },
            422,
        ),
    ],
)
def test_it_takes_no_body_with_tools_and_a_format_or_with_fields_of_its_own(
    more: dict[str, object], status: int
) -> None:
    with OpenAIServer(lambda _: "ok") as server, httpx2.Client(trust_env=False) as client:
        assert client.post(f"{server.url}/chat/completions", json={**BODY, **more}).status_code == status


def test_it_stops_in_the_middle_of_an_answer() -> None:
    with (
        OpenAIServer(lambda _: Slow(seconds=60, then="never")) as server,
        httpx2.Client(trust_env=False, timeout=httpx2.Timeout(300, read=0.1)) as client,
        pytest.raises(httpx2.ReadTimeout),
    ):
        client.post(f"{server.url}/chat/completions", json=BODY)
    assert server.answered == {}
