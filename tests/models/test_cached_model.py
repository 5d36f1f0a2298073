from collections.abc import AsyncIterator
from dataclasses import dataclass

import pytest
from hypothesis import given
from hypothesis import strategies as st
from typing_extensions import override

from fakes.chat import QUESTION, tools_request
from fakes.chat import output_request as call
from fakes.chores import Answers
from fakes.prompts import PlainPrompts
from quaestor.contracts.cost import Spend, Usage
from quaestor.contracts.errors import ModelFailed, ModelRefused
from quaestor.contracts.event import ToolCall
from quaestor.contracts.model import ModelReply, ModelRequest, OutputRequest, PreparedCall
from quaestor.models.wrappers import CachedModel, cache_key
from quaestor.research.contracts.roles import ClarifyInput, Clarity, PlanInput
from quaestor.research.contracts.writing import SummarizeInput
from quaestor.storage.sqlite import SqliteStore, open_store

GOOD = Clarity(is_clear=True).model_dump_json()
PAID = Spend(model_calls=1, tokens=120)
REPLY = ModelReply(text=GOOD, spend=PAID, usage=Usage(input_tokens=100, output_tokens=20), notes=("waited",))
SEARCH = ToolCall(ref="call-1", tool="search", given={"query": "sky"})
CHOICE = ModelReply(text="I look it up.", calls=(SEARCH,), spend=PAID)


class Told(Answers):
    """A model that is told what it is asked by a prompt, and has a name of its own."""

    def __init__(self, *answers: str | ModelReply | Exception, name: str = "large", temperature: float = 0.2) -> None:
        super().__init__(*answers, ceiling=PAID)
        self.name = name
        self._prompts = PlainPrompts(temperature=temperature)

    @override
    def prepare(self, request: ModelRequest) -> PreparedCall:
        return super().prepare(request).model_copy(update={"prompt": self._prompts.prompt(request)})


@dataclass
class Home:
    """Where replies are kept from one session to the next."""

    store: SqliteStore

    async def ask(self, model: Answers, request: ModelRequest) -> ModelReply:
        """Ask a model in a session of its own."""
        cached = CachedModel(model, self.store.replies)
        return await cached.answer(request, cached.prepare(request))

    async def asks(self, model: Answers, request: ModelRequest) -> int:
        """Count how often a call reaches the model itself."""
        before = len(model.requests)
        await self.ask(model, request)
        return len(model.requests) - before


@pytest.fixture
async def home() -> AsyncIterator[Home]:
    store = open_store(":memory:")
    yield Home(store)
    await store.close()


async def test_an_equal_call_of_a_later_session_is_answered_at_no_cost_and_says_so(home: Home) -> None:
    assert await home.ask(Told(REPLY), call()) == REPLY
    later = Told("never asked")
    assert await home.ask(later, call()) == ModelReply(text=GOOD, spend=Spend(), cached=True)
    assert later.requests == []


async def test_tools_that_were_chosen_are_chosen_again(home: Home) -> None:
    assert await home.ask(Told(CHOICE), tools_request()) == CHOICE
    again = await home.ask(Told("never asked"), tools_request())
    assert (again.text, again.calls, again.cached) == (CHOICE.text, (SEARCH,), True)


async def test_what_is_reserved_is_what_the_call_would_cost(home: Home) -> None:
    model = Told(REPLY)
    await home.ask(model, call())
    assert CachedModel(model, home.store.replies).prepare(call()) == model.prepare(call())


def changed(**what: object) -> OutputRequest:
    return call().model_copy(update=what)


@pytest.mark.parametrize(
    "request_",
    [
        changed(key="clarify/2"),
        changed(todo_id="t7"),
        changed(ordinal=9),
        changed(attempt=2),
        changed(failures=1),
        changed(given=ClarifyInput(question=QUESTION.question)),
    ],
)
async def test_it_does_not_matter_where_in_a_run_an_equal_call_is_made(home: Home, request_: OutputRequest) -> None:
    await home.ask(Told(REPLY), call())
    assert await home.asks(Told(REPLY), request_) == 0


@pytest.mark.parametrize(
    ("model", "request_"),
    [
        (Told(REPLY, name="small"), call()),
        (Told(REPLY, temperature=0.3), call()),
        (Told(REPLY), call(ClarifyInput(question="Why is the sky grey?"))),
        (Told(REPLY), changed(objections=("the reply is no JSON",))),
        (Told(REPLY), changed(role="planner")),
        (Told('{"todos": []}'), call(PlanInput(question=QUESTION.question, max_todos=3))),
        (Told(CHOICE), tools_request()),
        (Answers(REPLY), call()),
    ],
)
async def test_who_is_asked_what_they_are_told_and_what_they_may_answer_all_matter(
    home: Home, model: Answers, request_: ModelRequest
) -> None:
    await home.ask(Told(REPLY), call())
    assert await home.asks(model, request_) == 1


async def test_tools_that_are_offered_matter(home: Home) -> None:
    await home.ask(Told(CHOICE), tools_request())
    [offer] = tools_request().tools
    for other in ((offer, offer.model_copy(update={"name": "fetch"})), (offer.model_copy(update={"takes": {}}),)):
        assert await home.asks(Told(CHOICE), tools_request().model_copy(update={"tools": other})) == 1


async def test_a_model_without_prompts_is_told_what_it_is_given(home: Home) -> None:
    await home.ask(Answers(REPLY), call())
    assert await home.asks(Answers(REPLY), call()) == 0
    assert await home.asks(Answers(REPLY), call(ClarifyInput(question="Why is the sky grey?"))) == 1


SHORT = SummarizeInput(lines=("a line",), characters=5)


@pytest.mark.parametrize(
    ("request_", "bad"),
    [
        (call(), "I cannot say."),
        (call(), GOOD[:-1].replace("true", "")),
        (call(), '{"is_clear": "perhaps"}'),
        (call(), '{"is_clear": true, "confidence": 0.9}'),
        (call(SHORT), '{"text": "far too long"}'),
        (call(), REPLY.model_copy(update={"fault": "cut off at its limit"})),
        (call(), REPLY.model_copy(update={"calls": (SEARCH,)})),
        (tools_request(), CHOICE.model_copy(update={"fault": "it declined"})),
        (tools_request(), CHOICE.model_copy(update={"calls": (SEARCH, SEARCH.model_copy(update={"tool": "browse"}))})),
    ],
)
async def test_a_reply_that_cannot_be_used_is_handed_on_but_not_kept(
    home: Home, request_: ModelRequest, bad: str | ModelReply
) -> None:
    model = Told(bad)
    first = await home.ask(model, request_)
    assert first.text == (bad if isinstance(bad, str) else bad.text)
    assert await home.asks(model, request_) == 1


@pytest.mark.parametrize("error", [ModelFailed("no connection"), ModelRefused("401: bad key")])
async def test_an_error_is_raised_and_the_call_made_again(home: Home, error: Exception) -> None:
    model = Told(error, REPLY)
    with pytest.raises(type(error), match=str(error)):
        await home.ask(model, call())
    assert await home.ask(model, call()) == REPLY
    assert await home.asks(model, call()) == 0


@pytest.mark.parametrize("kept", ["", "{}", "[]", '{"text": "x", "thoughts": "y"}', '{"text": 7}'])
async def test_what_a_later_release_keeps_in_another_shape_is_not_used(home: Home, kept: str) -> None:
    model = Told(REPLY)
    await home.store.replies.put(cache_key(call(), model.prepare(call())), kept)
    assert await home.ask(model, call()) == REPLY


async def test_a_kept_reply_without_a_word_is_a_reply(home: Home) -> None:
    silent = ModelReply(text="", spend=PAID)
    await home.ask(Told(silent), tools_request())
    assert (await home.ask(Told("never asked"), tools_request())).cached


STORABLE = st.text(st.characters(codec="utf-8", exclude_characters="\0"))


@given(assumption=STORABLE, query=STORABLE)
async def test_what_comes_from_the_cache_is_what_was_kept_to_the_character(assumption: str, query: str) -> None:
    store = open_store(":memory:")
    home = Home(store)
    clarity = Clarity(is_clear=True, assumptions=(assumption,)).model_dump_json()
    picked = (SEARCH.model_copy(update={"given": {"query": query}}),)
    pairs: list[tuple[ModelRequest, ModelReply]] = [
        (call(), ModelReply(text=clarity, spend=PAID)),
        (tools_request(), ModelReply(text=assumption, calls=picked, spend=PAID)),
    ]
    for request, reply in pairs:
        await home.ask(Told(reply), request)
        again = await home.ask(Told("never asked"), request)
        assert (again.text, again.calls, again.cached) == (reply.text, reply.calls, True)
    await store.close()
