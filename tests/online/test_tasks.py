"""Long tasks through the real chat client: what a model is sent, and what becomes of what it answers."""

import json
import re
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest
from pydantic import JsonValue

from fakes.openai_server import OpenAIServer
from fakes.openai_wire import FAULTS, Answer, Asked, refusing
from fakes.sample import sample
from fakes.sandboxes import ObedientSandbox, said
from fakes.tasks import DONE, PLAN, noted, reply, shell
from fakes.workshops import Work, opened
from online.conftest import settings
from quaestor.contracts.event import ContractAccepted, ContractRejected, FactRecorded, ToolRequested
from quaestor.contracts.result import Result
from quaestor.longtask.contracts import Acted

TEXT = "Count the words of the chronicle."
_ROUND = re.compile(r"This is round (\d+); ")
Said = Mapping[str, JsonValue]
Does = Callable[[int], Said]


def round_of(asked: Asked) -> int | None:
    """Return the number of the round that is asked for; None for the plan."""
    found = _ROUND.search(asked.messages[1].content)
    return int(found[1]) if found else None


def model(does: Does) -> Callable[[Asked], Answer]:
    """Plan, then answer round n with what is done in it."""

    def answer(asked: Asked) -> Answer:
        number = round_of(asked)
        return json.dumps(dict(PLAN) if number is None else dict(does(number)))

    return answer


def three_steps(number: int) -> Said:
    """Look, count, and be done; each call notes what it is for."""
    match number:
        case 1:
            return reply("I look.", call=shell("ls"), writeback=noted("Resources: chronicle.txt"))
        case 2:
            return reply("I count.", call=shell("wc -w chronicle.txt"))
        case _:
            return DONE


async def begun(folder: Path, server: OpenAIServer, provider: JsonValue = None, **options: JsonValue) -> Work:
    async with opened(folder / "home", **{**settings(server, provider), **options}) as q:
        session_id = await q.start_task(TEXT)
    return Work(folder / "home", session_id, ObedientSandbox(lambda *_: said("42 chronicle.txt\n")))


async def carried(work: Work, server: OpenAIServer, provider: JsonValue = None) -> Result:
    async with opened(work.folder, work.sandbox, **settings(server, provider)) as q:
        return await q.run(work.session_id)


async def test_a_task_is_planned_and_worked_on_and_native_tool_calls_are_never_used(tmp_path: Path) -> None:
    async with OpenAIServer(model(three_steps)) as server:
        work = await begun(tmp_path, server)
        result = await carried(work, server)
    assert (result.outcome, result.statement) == ("done", "There are 42 words.")
    assert work.sandbox.ran == ["ls", "wc -w chronicle.txt"]
    assert [round_of(asked) for asked in server.asked] == [None, 1, 2, 3]
    assert not any(asked.tools or asked.tool_choice for asked in server.asked)
    assert "42 chronicle.txt" in server.asked[-1].messages[1].content


async def test_nor_where_a_server_knows_no_format_of_a_reply(tmp_path: Path) -> None:
    async with OpenAIServer(refusing(model(three_steps), "json_schema", "json_object")) as server:
        result = await carried(await begun(tmp_path, server), server)
    assert result.outcome == "done"
    assert not any(asked.tools for asked in server.asked)


async def test_a_model_that_produces_garbage_stops_it_after_three_replies_and_it_goes_on_later(tmp_path: Path) -> None:
    garbage = OpenAIServer(lambda asked: model(three_steps)(asked) if round_of(asked) in {None, 1} else "I think so!")
    async with garbage:
        work = await begun(tmp_path, garbage)
        result = await carried(work, garbage)
    assert (result.status, result.pause) == ("paused", "setup")
    assert "three replies could not be used" in result.statement
    assert [one.attempt for one in await work.of(ContractRejected)] == [1, 2, 3]
    assert [round_of(asked) for asked in garbage.asked] == [None, 1, 2, 2, 2]
    assert work.sandbox.ran == ["ls"]
    async with OpenAIServer(model(three_steps), port=int(garbage.url.split(":")[2].split("/")[0])) as server:
        result = await carried(work, server)
    assert result.outcome == "done"
    assert [round_of(asked) for asked in server.asked] == [2, 3]
    assert work.sandbox.ran == ["ls", "wc -w chronicle.txt"]


async def test_a_weak_model_whose_json_is_valid_only_every_third_time_gets_it_done(tmp_path: Path) -> None:
    calls: dict[int | None, int] = {}

    def weak(asked: Asked) -> Answer:
        number = round_of(asked)
        calls[number] = calls.get(number, 0) + 1
        good = model(three_steps)(asked)
        assert isinstance(good, str)
        return good if calls[number] % 3 == 0 else (good[:-2] if calls[number] % 3 == 1 else f"Sure! {good[1:]}")

    async with OpenAIServer(weak) as server:
        work = await begun(tmp_path, server, {"output": "prompt"})
        result = await carried(work, server, {"output": "prompt"})
    assert result.outcome == "done"
    assert work.sandbox.ran == ["ls", "wc -w chronicle.txt"]
    assert calls == {None: 3, 1: 3, 2: 3, 3: 3}
    assert not any(one.repaired for one in await work.of(ContractAccepted))


async def test_what_had_to_be_repaired_counts_and_runs_nothing(tmp_path: Path) -> None:
    def sloppy(asked: Asked) -> Answer:
        good = model(three_steps)(asked)
        assert isinstance(good, str)
        return good.replace('"done": false', "done: False") if round_of(asked) else good

    async with OpenAIServer(sloppy) as server:
        work = await begun(tmp_path, server, {"output": "prompt"})
        result = await carried(work, server, {"output": "prompt"})
    assert result.outcome == "done"
    assert work.sandbox.ran == []
    assert "such a reply runs no tool" in server.asked[2].messages[1].content


@pytest.mark.parametrize("last", sample([40, 100], lambda place: place == 0))
async def test_the_prompt_of_a_late_round_has_as_many_bytes_as_that_of_round_10(tmp_path: Path, last: int) -> None:
    def does(number: int) -> Said:
        if number > last:
            return DONE
        found = f"In round {number:03} the part {number:03} of the chronicle was read and it says more."
        return reply(call=shell(f"read part {number:03}"), writeback=noted(found, progress=["Read one part."]))

    async with OpenAIServer(model(does)) as server:
        work = await begun(tmp_path, server, rounds=last + 10)
        work.sandbox = ObedientSandbox(lambda _, command: said(command * 90))
        assert (await carried(work, server)).outcome == "done"
    sizes = {round_of(request.asked): len(request.raw) for request in server.requests if request.asked}
    assert len(sizes) == last + 2
    early, late = sizes[10], sizes[last]
    assert abs(late - early) <= 0.1 * early
    assert max(size for number, size in sizes.items() if number and number > 10) <= 1.1 * early


@pytest.mark.parametrize("name", sample(sorted(FAULTS), lambda place: place % 4 == 0))
async def test_whatever_a_server_does_wrong_a_task_ends_or_rests_honestly_and_runs_a_call_once(
    tmp_path: Path, name: str
) -> None:
    seen: set[int | None] = set()

    def faulty(asked: Asked) -> Answer:
        good, number = model(three_steps)(asked), round_of(asked)
        assert isinstance(good, str)
        if number in seen:
            return good
        seen.add(number)
        return FAULTS[name](good)

    patience = 2 if name == "hang" else 60
    async with OpenAIServer(faulty) as server:
        work = await begun(tmp_path, server, call_seconds=patience)
        async with opened(work.folder, work.sandbox, **settings(server), call_seconds=patience) as q:
            result = await q.run(work.session_id)
    assert result.outcome == "done" or result.status == "paused"
    keys = [asked.key for asked in await work.of(ToolRequested) if asked.tool == "shell"]
    assert len(keys) == len(set(keys)) == len(work.sandbox.ran)
    acted = [Acted.model_validate(fact.value) for fact in await work.of(FactRecorded) if fact.contract == "Acted"]
    assert len({one.round for one in acted}) == len(acted)
