"""The words of models for those who follow: only their own sessions, and never more than a bounded number."""

import asyncio

from quaestor.contracts.tokens import TokenPiece
from quaestor.runtime.token_feed import TokenFeed


def piece(text: str) -> TokenPiece:
    return TokenPiece(agent="reader", todo_id="t1", ref="k", attempt=1, text=text)


async def test_a_follower_hears_its_session_alone_from_when_it_came() -> None:
    feed = TokenFeed()
    feed.listener("a")(piece("before"))
    with feed.follow("a") as reader:
        feed.listener("b")(piece("other"))
        feed.listener("a")(piece("one"))
        feed.listener("a")(piece("two"))
        assert [each.text for each in await reader.read()] == ["one", "two"]
        waiting = asyncio.create_task(reader.read())
        await asyncio.sleep(0)
        assert not waiting.done()
        feed.listener("a")(piece("three"))
        assert [each.text for each in await waiting] == ["three"]


async def test_a_follower_that_does_not_read_costs_a_bounded_number_of_bounded_pieces() -> None:
    feed = TokenFeed()
    with feed.follow("a") as reader:
        take = feed.listener("a")
        for number in range(10_000):
            take(piece(f"{'x' * 5_000}{number}"))
        kept = await reader.read()
    assert len(kept) == 256
    assert max(len(each.text) for each in kept) == 1_000
    assert kept[-1].text.endswith("9999")
