"""A session as a conversation: what people said, what models answered, and every tool request with its response."""

from collections.abc import Iterable, Iterator
from typing import Literal

from pydantic import Field, JsonValue

from quaestor.contracts.base import Contract
from quaestor.contracts.codec import value_to_json
from quaestor.contracts.event import (
    ActionCancelled,
    Answered,
    ContractAccepted,
    CycleStarted,
    Event,
    QuestionAsked,
    SessionFinished,
    SessionStarted,
    ToolInterrupted,
    ToolRequested,
    ToolResponded,
)


class ConversationLine(Contract):
    """One line of the conversation; `ref` matches a response to its request, and an answer to its question."""

    seq: int = Field(ge=1, description="Of the event.")
    speaker: Literal["user", "model", "tool_request", "tool_response"]
    name: str = Field(description="The role, the tool, or `user`.")
    ref: str | None = None
    content: JsonValue


def build_conversation(events: Iterable[Event]) -> Iterator[ConversationLine]:
    """Return the conversation of a session, in order.

    A tool request is listed once, also where a crash let it be made again, and so is its response; one that was stopped
    or whose process ended is answered with nothing.
    """
    running: dict[str, str] = {}
    for event in events:
        if line := _message_line(event) or _tool_line(event, running):
            yield line


def _message_line(event: Event) -> ConversationLine | None:
    """Return what a person or a model said."""
    own = event.seq
    match event.payload:
        case SessionStarted(question=question) | CycleStarted(question=str(question)):
            return ConversationLine(seq=own, speaker="user", name="user", content=question)
        case Answered(ref=ref, text=text):
            return ConversationLine(seq=own, speaker="user", name="user", ref=ref, content=text)
        case QuestionAsked(ref=ref, agent=agent, questions=questions):
            return ConversationLine(seq=own, speaker="model", name=agent, ref=ref, content=list(questions))
        case ContractAccepted(key=key, role=role, output=output):
            return ConversationLine(seq=own, speaker="model", name=role, ref=key, content=value_to_json(output))
        case SessionFinished(statement=statement):
            return ConversationLine(seq=own, speaker="model", name="quaestor", content=statement)
        case _:
            return None


def _tool_line(event: Event, running: dict[str, str]) -> ConversationLine | None:
    """Return what a tool was asked or gave; `running` keeps the tools that have not answered, by their refs."""
    content: JsonValue = None
    match event.payload:
        case ToolRequested(key=key, tool=tool, given=given) if key not in running:
            running[key] = tool
            return ConversationLine(
                seq=event.seq, speaker="tool_request", name=tool, ref=key, content=value_to_json(given)
            )
        case ToolResponded(key=key, result=result, error=error) if key in running:
            content = value_to_json(result) if error is None else {"error": error}
        case ToolInterrupted(key=key) | ActionCancelled(key=key) if key in running:
            pass
        case _:
            return None
    return ConversationLine(seq=event.seq, speaker="tool_response", name=running.pop(key), ref=key, content=content)
