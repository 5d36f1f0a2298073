"""The words of models between the events of a session, for those who follow it in the process that runs it."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from typing import TypeVar

from quaestor.app.shorthands import Quaestor
from quaestor.contracts.immutable import Immutable
from quaestor.contracts.tokens import TokenPiece

P = TypeVar("P")


class LiveTokens(Immutable):
    """Pieces of replies that are being written."""

    pieces: Sequence[TokenPiece]


async def with_tokens(quaestor: Quaestor, session_id: str, pages: AsyncIterator[P]) -> AsyncIterator[P | LiveTokens]:
    """Iterate over pages of a session's events, and over the words of its models as they come in between.

    Who reads slowly misses words and no event. It ends with the pages.
    """

    async def next_page() -> P | None:
        return await anext(pages, None)

    with quaestor.tokens.follow(session_id) as reader:
        page, words = asyncio.create_task(next_page()), asyncio.create_task(reader.read())
        try:
            while True:
                await asyncio.wait((page, words), return_when=asyncio.FIRST_COMPLETED)
                if words.done():
                    pieces, words = words.result(), asyncio.create_task(reader.read())
                    yield LiveTokens(pieces)
                if page.done():
                    read = page.result()
                    if read is None:
                        return
                    page = asyncio.create_task(next_page())
                    yield read
        finally:
            page.cancel()
            words.cancel()
            await asyncio.gather(page, words, return_exceptions=True)
