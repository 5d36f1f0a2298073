"""Requests that a client repeats with an `Idempotency-Key`: the first one is taken, the others find what it began."""

from collections.abc import Awaitable, Callable
from typing import Annotated

from fastapi import Header

from quaestor.app.network.access import find_repeated, remember_request
from quaestor.app.turns.turns import TurnRef
from quaestor.contracts.base import Contract
from quaestor.faces.server.authentication import Caller
from quaestor.faces.server.state import ServerState

IdempotencyKey = Annotated[str | None, Header(min_length=1, max_length=255)]
"""With which a client repeats a request; `idempotency_key` is the name of its parameter."""


async def begin_once(
    state: ServerState, caller: Caller, key: str | None, given: Contract, begin: Callable[[], Awaitable[TurnRef]]
) -> TurnRef:
    """Begin what a request asks for, or find what was begun for an equal one under its key.

    Raises UsageError where the request under the key was another one.
    """
    if key is None:
        return await begin()
    body = given.model_dump_json().encode()
    async with state.submission_lock(caller.token.tenant, key):
        known = await find_repeated(caller.quaestor, key, body)
        return known or await remember_request(caller.quaestor, key, body, await begin())
