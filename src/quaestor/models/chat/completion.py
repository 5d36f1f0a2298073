"""Chat completions as servers send them, whole or as the events of a stream. Only the fields in use are parsed."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, JsonValue, ValidationError, WrapValidator
from pydantic import ValidatorFunctionWrapHandler as Handler

from quaestor.contracts.cost import Usage
from quaestor.contracts.immutable import Immutable
from quaestor.models.chat.repetition import LONGEST_END, repeats_itself
from quaestor.models.chat.wire import parse_api_error

_CHECKED_EVERY = 64
"""Characters of a stream between two looks at whether it repeats itself."""


class RawToolCall(Immutable):
    """A tool call as received; `arguments` should be the text of a JSON object."""

    id: str
    name: str
    arguments: str


class Completion(Immutable):
    """A completion; missing fields are empty."""

    text: str
    refusal: str
    calls: tuple[RawToolCall, ...]
    finish: str
    usage: Usage | None

    @property
    def credible_usage(self) -> Usage | None:
        """Return the count of tokens; None for one by which a prompt, or what was said, took none at all."""
        if self.usage is None or not self.usage.input_tokens:
            return None
        says_something = self.text or self.refusal or self.calls
        return self.usage if self.usage.output_tokens or not says_something else None


class InvalidCompletion(Immutable):
    """Why a body is no completion."""

    reason: str


def parse_completion(body: str) -> Completion | InvalidCompletion:
    """Parse a completion that came in one body."""
    reply = _parse_body(body)
    if isinstance(reply, InvalidCompletion):
        return reply
    if not reply.choices or (message := reply.choices[0].message) is None:
        return InvalidCompletion(f"not a chat completion: {parse_api_error(body).message}")
    return Completion(
        text=message.content,
        refusal=message.refusal,
        calls=tuple(
            RawToolCall(call.id, call.function.name, call.function.arguments) for call in message.tool_calls or ()
        ),
        finish=reply.choices[0].finish_reason,
        usage=reply.usage.to_usage() if reply.usage else None,
    )


def _join_text(value: object) -> object:
    """Join a text that comes in parts, and replace lone surrogates, which JSON can spell and UTF-8 cannot."""
    match value:
        case None:
            return ""
        case str():
            return value.encode(errors="replace").decode()
        case list():
            texts = (part.get("text") for part in value if isinstance(part, dict))
            return _join_text("".join(text for text in texts if isinstance(text, str)))
        case dict():
            return json.dumps(value)
        case _:
            return value


class _Wire(BaseModel):
    model_config = ConfigDict(frozen=True, extra="ignore")


_Text = Annotated[str, BeforeValidator(_join_text)]
_TokenCount = Annotated[int, Field(ge=0)]


class _Details(_Wire):
    cached_tokens: _TokenCount | None = None


class _WireUsage(_Wire):
    prompt_tokens: _TokenCount
    completion_tokens: _TokenCount
    total_tokens: _TokenCount | None = None
    prompt_tokens_details: _Details | None = None
    prompt_cache_hit_tokens: _TokenCount | None = None

    def to_usage(self) -> Usage:
        details = self.prompt_tokens_details
        cached = (details.cached_tokens if details else None) or self.prompt_cache_hit_tokens or 0
        # Some servers count the tokens of thinking in the total alone.
        output = max(self.completion_tokens, (self.total_tokens or 0) - self.prompt_tokens)
        return Usage(
            input_tokens=self.prompt_tokens, cached_tokens=min(cached, self.prompt_tokens), output_tokens=output
        )


def _usage_or_none(value: object, handler: Handler) -> _WireUsage | None:
    """Return None for a count that cannot be parsed, because the reply is worth more than its count."""
    try:
        counted: _WireUsage | None = handler(value)
    except ValidationError:
        return None
    return counted


class _Function(_Wire):
    name: _Text = ""
    arguments: _Text = ""


class _Call(_Wire):
    index: int | None = None
    id: _Text = ""
    function: _Function = _Function()


class _Message(_Wire):
    content: _Text = ""
    refusal: _Text = ""
    tool_calls: tuple[_Call, ...] | None = None


class _Choice(_Wire):
    message: _Message | None = None
    delta: _Message | None = None
    finish_reason: _Text = ""


class _Reply(_Wire):
    choices: tuple[_Choice, ...] | None = None
    usage: Annotated[_WireUsage | None, WrapValidator(_usage_or_none)] = None
    error: JsonValue = None


def _parse_body(body: str) -> _Reply | InvalidCompletion:
    try:
        reply = _Reply.model_validate(json.loads(body))
    except (ValueError, RecursionError):
        return InvalidCompletion(f"not the JSON of a chat completion: {parse_api_error(body).message}")
    if reply.error:
        return InvalidCompletion(f"an error in place of an answer: {parse_api_error(body).message}")
    return reply


@dataclass(slots=True)
class _PartialCall:
    index: int | None
    id: str
    name: str
    arguments: list[str]

    def continues_with(self, part: _Call) -> bool:
        """Return whether a part belongs to this call. Some servers send no index, some the same for all calls."""
        if part.id and self.id:
            return part.id == self.id
        return part.index == self.index and not (part.index is None and part.function.name and self.name)


TextListener = Callable[[str], None]
"""Takes the pieces of a text as they come."""


class CompletionStream:
    """A completion that comes event by event; `on_text` is called with each piece of its text."""

    def __init__(self, on_text: TextListener = lambda _: None) -> None:
        self._on_text = on_text
        self.length = 0
        """Characters collected so far."""
        self._text: list[str] = []
        self._refusal: list[str] = []
        self._calls: list[_PartialCall] = []
        self._finish = ""
        self._usage: Usage | None = None
        self._end = ""
        self._unchecked = 0
        self.repeats_itself = False
        """Whether the text has come to repeat one piece without an end."""

    def cut(self, reason: Literal["repetition", "time"]) -> None:
        """End the completion before the server does, for this reason."""
        self._finish = reason

    def add(self, event: str) -> InvalidCompletion | None:
        """Append the data of the next event. Returns the reason when it is no part of a completion."""
        reply = _parse_body(event)
        if isinstance(reply, InvalidCompletion):
            return reply
        if reply.usage:
            self._usage = reply.usage.to_usage()
        # One completion is asked for; the last event, with the token count, may have no choice at all.
        for choice in (reply.choices or ())[:1]:
            self._finish = choice.finish_reason or self._finish
            if choice.delta:
                self._append_delta(choice.delta)
        return None

    def completion(self, *, done: bool) -> Completion | InvalidCompletion:
        """Return the whole; without `done`, the event `[DONE]`, and without a finish reason it was cut off."""
        if not done and not self._finish:
            return InvalidCompletion("the stream ended before the answer did")
        return Completion(
            text="".join(self._text),
            refusal="".join(self._refusal),
            calls=tuple(RawToolCall(call.id, call.name, "".join(call.arguments)) for call in self._calls),
            finish=self._finish,
            usage=self._usage,
        )

    def _append_delta(self, delta: _Message) -> None:
        self.length += len(delta.content) + len(delta.refusal)
        if delta.content:
            self._text.append(delta.content)
            self._on_text(delta.content)
            self._look_for_repetition(delta.content)
        if delta.refusal:
            self._refusal.append(delta.refusal)
        for part in delta.tool_calls or ():
            self.length += 1 + len(part.id) + len(part.function.name) + len(part.function.arguments)
            call = next((call for call in reversed(self._calls) if call.continues_with(part)), None)
            if call is None:
                call = _PartialCall(part.index, part.id, part.function.name, [])
                self._calls.append(call)
            call.arguments.append(part.function.arguments)

    def _look_for_repetition(self, text: str) -> None:
        self._end = (self._end + text)[-LONGEST_END:]
        self._unchecked += len(text)
        if self._unchecked >= _CHECKED_EVERY:
            self._unchecked = 0
            self.repeats_itself = repeats_itself(self._end)
