"""What prompts cost: they share their beginnings, do not grow with a session, and hold either tools or a contract."""

import json
import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from itertools import pairwise, takewhile

import pytest
from pydantic import JsonValue
from typing_extensions import override

from fakes.openai_server import OpenAIServer
from fakes.openai_wire import Answer, Asked
from fakes.researcher import Researcher, fields
from fakes.sample import sample
from online.conftest import Online

NOUNS = ("lighthouse", "fog bell", "leading lights", "harbour guild", "light dues", "keeper", "brig Constancy", "mole")


class Growing(Researcher):
    """A reviewer that wants two more todos after each, until there is no room."""

    def __init__(self) -> None:
        super().__init__([f"What is known of the {noun} of Aldmouth?" for noun in NOUNS[:4]])
        self._made = 0

    @override
    def __call__(self, asked: Asked) -> Answer:
        if not asked.response_format or "new_todos" not in fields(asked):
            return super().__call__(asked)
        room = re.search(r"Room for new todos: (\d+)", asked.messages[1].content)
        wanted = [self._task() for _ in range(min(2, int(room[1]) if room else 0))]
        update: JsonValue = {
            "is_sufficient": True,
            "new_todos": [{"task": task, "kind": "research", "dependencies": []} for task in wanted],
        }
        return json.dumps(update)

    def _task(self) -> str:
        self._made += 1
        return f"What is known of the {NOUNS[self._made % len(NOUNS)]} of Aldmouth in the year {1700 + self._made}?"


def common(one: str, other: str) -> int:
    """Count the characters with which both begin."""
    same: Iterable[tuple[str, str]] = takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False))
    return sum(1 for _ in same)


def sizes(asked: Sequence[Asked]) -> list[int]:
    return [sum(len(message.content.encode()) for message in one.messages) for one in asked]


@pytest.mark.parametrize("many", sample([24, 200], lambda place: place == 0))
async def test_prompts_do_not_grow_with_the_number_of_todos(online: Online, many: int) -> None:
    largest: dict[int, int] = {}
    total: dict[int, int] = {}
    for todos in (many // 2, many):
        async with OpenAIServer(Growing()) as server:
            ran = await online(server, max_todos=todos, max_depth=many)
        assert sum(event.type == "todo_recorded" for event in ran.events) == todos
        largest[todos], total[todos] = max(sizes(server.asked)), sum(sizes(server.asked))
    assert largest[many] <= 1.1 * largest[many // 2]
    assert total[many] <= 1.1 * 2 * total[many // 2]


async def test_consecutive_calls_of_a_role_share_most_of_their_prompt(online: Online) -> None:
    async with OpenAIServer(Researcher()) as server:
        await online(server, effort="medium")
    by_role: dict[str, list[str]] = defaultdict(list)
    for one in server.asked:
        by_role[one.messages[0].content].append("\n".join(message.content for message in one.messages))
    pairs = [pair for prompts in by_role.values() for pair in pairwise(prompts)]
    shared = sum(common(*pair) for pair in pairs)
    assert shared >= 0.6 * sum(len(later) for _, later in pairs)


async def test_no_request_carries_tools_and_a_contract(online: Online) -> None:
    async with OpenAIServer(Delegating()) as server:
        ran = await online(server, orchestrate=True)
    offers = [asked for asked in ran.asked if asked.tools]
    assert offers
    assert all(asked.contract is None for asked in offers)
    assert all(asked.contract for asked in ran.asked if not asked.tools)
    assert [bool(one.tools and one.response_format) for one in server.asked] == [False] * len(server.asked)
    assert sum(bool(one.tools) for one in server.asked) == len(offers)


async def test_every_model_event_says_which_file_spoke_and_what_it_said(online: Online) -> None:
    async with OpenAIServer(Researcher()) as server:
        ran = await online(server)
    sent = [tuple((message.role, message.content) for message in one.messages) for one in server.asked]
    said = [tuple((message.role, message.text) for message in asked.messages) for asked in ran.asked]
    assert sorted(sent) == sorted(said)
    assert all(asked.prompt for asked in ran.asked)
    assert all(answer.usage and answer.usage.input_tokens for answer in ran.answered)


class Delegating(Researcher):
    """An orchestrator that delegates its todos."""

    @override
    def __call__(self, asked: Asked) -> Answer:
        if not asked.response_format or fields(asked) != {"assumptions", "todos"}:
            return super().__call__(asked)
        tasks = ("When was the Aldmouth lighthouse built?", "Is it true that the fog bell cost 310 crowns?")
        agents = ("researcher", "fact_verifier")
        todos: list[JsonValue] = [
            {"task": task, "kind": "research", "dependencies": [], "source_hint": None, "agent": agent}
            for task, agent in zip(tasks, agents, strict=True)
        ]
        return json.dumps({"todos": todos})
