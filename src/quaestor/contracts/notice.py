"""What a person is notified of: a session is done, has failed, or waits for them."""

from typing import Literal

from pydantic import Field

from quaestor.contracts.base import Contract

MAX_QUESTION_CHARACTERS = 200
NoticeState = Literal["done", "failed", "waiting"]


class Notice(Contract):
    """One notification: nothing of a session leaves by it but the first line of its question."""

    session_id: str
    state: NoticeState
    question: str = Field(max_length=MAX_QUESTION_CHARACTERS, description="The first line of the session's question.")
    address: str = Field(description="The page of the session on a server.")
