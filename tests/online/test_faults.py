"""Whatever a server does wrong, a run ends in a report or in an honest failure."""

import re
from collections.abc import Callable

import pytest

from fakes.openai_server import OpenAIServer
from fakes.openai_wire import FAULTS, Answer, Asked, Reply, Status, refusing
from fakes.researcher import Researcher, fields
from fakes.sample import sample
from online.conftest import Online, Ran
from quaestor.contracts.errors import ModelRefused, ProviderUnavailable, SetupError

GOOD = Researcher()
HONEST = {"done", "partial", "no_result", "failed"}
UNUSABLE = "no model call was answered|no reply of this cycle could be used"


def text_of(answer: Answer) -> str:
    assert isinstance(answer, str)
    return answer


def always(fault: Callable[[str], Answer]) -> Reply:
    """Make the same of every good answer."""
    return lambda asked: fault(text_of(GOOD(asked)))


def first_of_each_role(fault: Callable[[str], Answer]) -> Reply:
    """Make this of the first good answer of every role."""
    seen: set[frozenset[str]] = set()

    def reply(asked: Asked) -> Answer:
        good = GOOD(asked)
        role = fields(asked)
        if role in seen:
            return good
        seen.add(role)
        return fault(text_of(good))

    return reply


def is_honest(ran: Ran) -> bool:
    """Return whether a run ended as it says: with a report whose claims are proven, or with none and a statement."""
    report = ran.result.report
    if ran.result.outcome not in HONEST or not ran.result.statement:
        return False
    return any(claim.quoted for claim in report.claims()) if report else ran.result.outcome in {"no_result", "failed"}


@pytest.mark.parametrize("name", sample(FAULTS, lambda place: place % 3 == 0))
async def test_a_fault_in_the_first_answer_of_every_role_costs_no_report(online: Online, name: str) -> None:
    async with OpenAIServer(first_of_each_role(FAULTS[name])) as server:
        ran = await online(server, call_seconds=2 if name == "hang" else 60)
    assert ran.result.outcome == "done"
    assert is_honest(ran)


@pytest.mark.parametrize("name", sample(FAULTS, lambda place: place % 3 == 1))
async def test_a_fault_in_every_answer_ends_in_an_honest_end(online: Online, name: str) -> None:
    async with OpenAIServer(always(FAULTS[name])) as server:
        try:
            ran = await online(server, call_seconds=0.2 if name == "hang" else 60)
        except ProviderUnavailable:
            return
        except SetupError as error:
            assert re.search(UNUSABLE, str(error))  # noqa: PT017 -- some faults still leave replies that can be used
            return
    assert is_honest(ran)
    if ran.result.report is None:
        assert ran.result.outcome == "no_result"
        assert all(not event.type.startswith("report") for event in ran.events)


@pytest.mark.parametrize("name", sample(FAULTS, lambda place: place % 3 == 2))
async def test_the_same_faults_in_a_stream(online: Online, name: str) -> None:
    async with OpenAIServer(first_of_each_role(FAULTS[name])) as server:
        ran = await online(server, provider={"stream": True}, call_seconds=2 if name == "hang" else 60)
    assert ran.result.outcome == "done"
    assert is_honest(ran)


async def test_every_manner_of_asking_for_a_contract_leads_to_the_same_report(online: Online) -> None:
    async with OpenAIServer(GOOD) as server:
        runs = [
            await online(server, provider={"output": output} if output else None)
            for output in (None, "object", "tool", "prompt")
        ]
    assert len({ran.result.report.claims() for ran in runs if ran.result.report}) == 1
    assert all(ran.result.report for ran in runs)


async def test_a_server_that_knows_no_schemas_and_no_tools_is_asked_in_words(online: Online) -> None:
    async with OpenAIServer(refusing(GOOD, "json_schema", "json_object", "tools")) as server:
        ran = await online(server)
    assert ran.result.outcome == "done"
    assert sum(bool(asked.response_format) for asked in server.asked) <= 2


async def test_a_weak_model_whose_json_is_valid_only_every_third_time_completes(online: Online) -> None:
    calls: dict[str, int] = {}

    def weak(asked: Asked) -> Answer:
        task = "\n".join(message.content for message in asked.messages[:2])
        calls[task] = calls.get(task, 0) + 1
        good = text_of(GOOD(asked))
        return good if calls[task] % 3 == 0 else (good[:-2] if calls[task] % 3 == 1 else f"Sure! {good[1:]}")

    async with OpenAIServer(weak) as server:
        ran = await online(server, provider={"output": "prompt"})
    assert ran.result.outcome == "done"
    assert is_honest(ran)
    assert sum(event.type == "contract_rejected" for event in ran.events) >= 2 * len({asked.key for asked in ran.asked})


async def test_a_server_that_is_gone_pauses_the_run(online: Online) -> None:
    async with OpenAIServer(GOOD) as server:
        pass
    with pytest.raises(ProviderUnavailable, match="no connection"):
        await online(server)


async def test_what_a_server_refuses_for_good_pauses_the_run(online: Online) -> None:
    async with OpenAIServer(lambda _: Status(status=401, message="bad key")) as server:
        with pytest.raises(ModelRefused, match="401: bad key"):
            await online(server)
