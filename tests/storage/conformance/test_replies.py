import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from quaestor.contracts.ports import ReplyCache, Store
from storage.conformance.conftest import Backend
from storage.samples import begun, started, todo

HOSTILE = ["", " ", "a ", "A", "a\0", "%", "_", "'; DROP TABLE replies; --", "Ærø 日本", "x" * 5000]


@pytest.fixture
def replies(backend: Backend) -> ReplyCache:
    return backend.replies


async def test_gives_back_what_was_kept(replies: ReplyCache) -> None:
    await replies.put("a", '{"text": "Ærø 日本 \0"}')
    assert await replies.recall("a") == '{"text": "Ærø 日本 \0"}'


async def test_knows_nothing_of_other_calls(replies: ReplyCache) -> None:
    assert await replies.recall("a") is None
    await replies.put("a", "kept")
    assert [await replies.recall(call) for call in HOSTILE] == [None] * len(HOSTILE)


async def test_calls_are_told_apart_to_the_character(replies: ReplyCache) -> None:
    for place, call in enumerate(HOSTILE):
        await replies.put(call, f"reply {place}")
    assert [await replies.recall(call) for call in HOSTILE] == [f"reply {place}" for place in range(len(HOSTILE))]


async def test_the_first_reply_stays(replies: ReplyCache) -> None:
    await replies.put("a", "first")
    await replies.put("a", "second")
    assert await replies.recall("a") == "first"


@pytest.mark.parametrize("reply", ["", " \n", "x" * 3_000_000])
async def test_any_reply_is_a_reply(replies: ReplyCache, reply: str) -> None:
    await replies.put("a", reply)
    assert await replies.recall("a") == reply


async def test_replies_belong_to_no_session(replies: ReplyCache, store: Store) -> None:
    await replies.put("a", "kept")
    assert await store.sessions() == []
    lease = await begun(store)
    await replies.put("b", "kept too")
    await store.append(lease, [todo(2)])
    assert await store.events("s1") == [started(), todo(2)]
    assert await store.verify_chain("s1") == []
    assert [await replies.recall(call) for call in "ab"] == ["kept", "kept too"]


TEXTS = st.text(st.characters(codec="utf-8"), max_size=5)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(kept=st.lists(st.tuples(TEXTS, TEXTS), max_size=8))
async def test_however_often_it_is_kept_every_call_has_its_first_reply(
    replies: ReplyCache, kept: list[tuple[str, str]]
) -> None:
    first: dict[str, str] = {}
    for call, reply in kept:
        known = await replies.recall(call)
        await replies.put(call, reply)
        first[call] = reply if known is None else known
    assert {call: await replies.recall(call) for call in first} == first
