"""How many calls of a model each effort takes, as docs/models.md has it."""

import json
from collections import Counter
from collections.abc import Mapping

import pytest
from typing_extensions import override

from fakes.openai_server import OpenAIServer
from fakes.openai_wire import Answer, Asked
from fakes.researcher import TASKS, Researcher, fields
from fakes.sample import sample
from online.conftest import Online

WRITING = {"Section": 1, "Frame": 1}
CHECKED = {**WRITING, "SentenceVerdicts": 1}
EACH = {"Reading": len(TASKS), "Review": len(TASKS)}


class NeverSatisfied(Researcher):
    """Reviews every todo as insufficient, and asks for another search."""

    @override
    def __call__(self, asked: Asked) -> Answer:
        answer = super().__call__(asked)
        if "is_sufficient" not in fields(asked):
            return answer
        return json.dumps({**json.loads(str(answer)), "is_sufficient": False, "follow_up_queries": ["Aldmouth"]})


@pytest.mark.parametrize(
    ("effort", "calls"),
    sample(
        [
            ("low", {"PlanDraft": 1, **EACH, **WRITING}),
            ("medium", {"PlanDraft": 1, **EACH, **CHECKED}),
            ("high", {"PlanDraft": 1, **EACH, **CHECKED}),
        ],
        lambda place: place < 2,
    ),
)
async def test_an_effort_takes_the_calls_that_the_documentation_says(
    online: Online, effort: str, calls: Mapping[str, int]
) -> None:
    async with OpenAIServer(Researcher()) as server:
        ran = await online(server, effort=effort)
    assert ran.result.outcome == "done"
    assert Counter(event.contract for event in ran.asked) == calls
    assert len(server.asked) == sum(calls.values())


@pytest.mark.parametrize(("effort", "loops"), [("low", 1), ("medium", 3)])
async def test_a_todo_that_never_suffices_uses_up_the_loops_of_its_effort(
    online: Online, effort: str, loops: int
) -> None:
    async with OpenAIServer(NeverSatisfied()) as server:
        ran = await online(server, effort=effort)
    calls = Counter(event.contract for event in ran.asked)
    assert (calls["Review"], calls["Queries"]) == (loops * len(TASKS), (loops - 1) * len(TASKS))
    assert calls["Reading"] <= loops * len(TASKS)


async def test_where_a_person_may_be_asked_one_more_call_finds_out_whether_to(online: Online) -> None:
    async with OpenAIServer(Researcher()) as server:
        ran = await online(server, questions=True)
    assert Counter(event.contract for event in ran.asked)["Clarity"] == 1
