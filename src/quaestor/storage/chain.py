"""The hash chain of a session: each event's hash covers its content and the hash before it."""

import json
from collections.abc import Callable, Iterable, Iterator
from hashlib import sha256
from typing import NamedTuple

GENESIS = "0" * 64
"""The hash before the first event of every session."""

_ENCODER = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"))

HashedFields = tuple[str, int, int, str, str, str, int]
"""What an event's hash covers beside its todo and its body: session_id, seq, cycle, at, state, type and version."""


class EventRow(NamedTuple):
    """One row of the table `events`, in the order of its columns. The body is inline or a blob's hash."""

    session_id: str
    seq: int
    cycle: int
    at: str
    state: str
    type: str
    version: int
    body: str | None
    blob: str | None
    previous: str
    hash: str
    todo_id: str | None = None


def event_hash(previous: str, content: HashedFields, todo_id: str | None, body_hash: str) -> str:
    """Return an event's hash: SHA-256 of the hash before it and a JSON array of the rest, without blanks.

    A todo is in the array only where there is one, so that rows from before there was a column for it keep their hash.
    """
    todo = () if todo_id is None else (todo_id,)
    array = _ENCODER.encode((*content, *todo, body_hash))
    return sha256((previous + array).encode()).hexdigest()


def rechain(rows: Iterable[EventRow], session_id: str, previous: str = GENESIS) -> Iterator[EventRow]:
    """Yield rows of one session as those of another one, under a chain of its own, which goes on from `previous`."""
    for row in rows:
        moved = row._replace(session_id=session_id, previous=previous)
        previous = _hash(moved)
        yield moved._replace(hash=previous)


def find_breaks(read: Callable[[], Iterable[EventRow]], count: int, head: str) -> Iterator[str]:
    """Name every changed, missing or moved event of one session, whose rows `read` returns in order of `seq`.

    They are read once, and once more where one was changed, as that may be one that was moved.
    `count` and `head` are what the session's own row holds, so that a cut tail is found as well. Whoever rewrites
    every hash from a change up to that row leaves no trace here; only a head kept elsewhere shows it.
    """
    places: dict[int, int] | None = None
    due = 1
    before: str | None = GENESIS
    last = GENESIS
    for row in read():
        if row.seq != due:
            yield from _describe_gap(due, row.seq - 1)
            before = None
        if row.hash != _hash(row):
            places = _chain_positions(read()) if places is None else places
            yield _describe_damage(row, places.get(row.seq))
            before = None
        else:
            if before not in {None, row.previous}:
                yield f"the chain is broken before event {row.seq}: an event was changed and hashed again"
            before = row.hash
        # From here on as the row says, even where it is damaged: one fault is named once, and not by all that follow.
        due = row.seq + 1
        last = row.hash
    yield from _describe_gap(due, count)
    if due - 1 > count:
        yield f"the session counts {count} events, but event {due - 1} is there"
    elif due - 1 == count and head != last:
        yield f"the session's head is not the hash of its last event, {count}"


def _hash(row: EventRow) -> str:
    """Return the hash that a row should have."""
    body = row.blob or sha256((row.body or "").encode()).hexdigest()
    content = (row.session_id, row.seq, row.cycle, row.at, row.state, row.type, row.version)
    return event_hash(row.previous, content, row.todo_id, body)


def _chain_positions(rows: Iterable[EventRow]) -> dict[int, int]:
    """Return the rows, by their `seq`, the numbers that their links lead to, as far as these hold."""
    following = {row.previous: (row.seq, row.hash) for row in rows}
    places: dict[int, int] = {}
    link = GENESIS
    while found := following.pop(link, None):
        seq, link = found
        places[seq] = len(places) + 1
    return places


def _describe_damage(row: EventRow, place: int | None) -> str:
    if place and row.hash == _hash(row._replace(seq=place)):
        return f"event {place} was moved: it is at number {row.seq}"
    return f"event {row.seq} was changed"


def _describe_gap(first: int, last: int) -> Iterator[str]:
    if first == last:
        yield f"event {first} is missing"
    elif first < last:
        yield f"events {first} to {last} are missing"
