"""The words of models as they come, from the sessions that this process runs to those who follow them here.

A follower holds a bounded number of pieces: the oldest are dropped where it does not read.
"""

import asyncio
from collections import deque
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from quaestor.contracts.tokens import TokenListener, TokenPiece

_MAX_PIECES = 256
_MAX_CHARACTERS = 1_000
"""Of a piece: a server may send a whole reply as one."""


class TokenReader:
    """The pieces that one follower has not read."""

    def __init__(self) -> None:
        self._pieces: deque[TokenPiece] = deque(maxlen=_MAX_PIECES)
        self._has_news = asyncio.Event()

    def put(self, piece: TokenPiece) -> None:
        """Add a piece; the oldest is dropped where there are too many."""
        self._pieces.append(piece)
        self._has_news.set()

    async def read(self) -> Sequence[TokenPiece]:
        """Wait for pieces, and return all that there are."""
        await self._has_news.wait()
        self._has_news.clear()
        pieces = tuple(self._pieces)
        self._pieces.clear()
        return pieces


class TokenFeed:
    """The followers of the sessions of a process."""

    def __init__(self) -> None:
        self._readers: dict[str, set[TokenReader]] = {}

    def listener(self, session_id: str) -> TokenListener:
        """Return what takes the pieces of a session."""

        def take(piece: TokenPiece) -> None:
            if readers := self._readers.get(session_id):
                kept = piece.revised(text=piece.text[-_MAX_CHARACTERS:])
                for reader in readers:
                    reader.put(kept)

        return take

    @contextmanager
    def follow(self, session_id: str) -> Iterator[TokenReader]:
        """Follow a session until the end of the block."""
        reader = TokenReader()
        readers = self._readers.setdefault(session_id, set())
        readers.add(reader)
        try:
            yield reader
        finally:
            readers.discard(reader)
            if not readers:
                self._readers.pop(session_id, None)
