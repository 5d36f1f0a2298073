"""The words of a model as they come: progress for those who watch, never recorded and never needed."""

from collections.abc import Callable

from pydantic import Field

from quaestor.contracts.base import Contract


class TokenPiece(Contract):
    """A piece of a reply that is being written. Pieces may be left out; the log has the whole reply."""

    agent: str = Field(description="The role that writes.")
    todo_id: str | None = Field(description="The todo that it writes about; None: the session.")
    ref: str = Field(description="Of the call.")
    attempt: int = Field(description="Rises where the reply before could not be used.")
    text: str


TokenListener = Callable[[TokenPiece], None]
"""Takes the pieces of a session's replies, at once and without raising."""


def ignore_tokens(_: TokenPiece) -> None:
    """Take a piece and do nothing with it."""
