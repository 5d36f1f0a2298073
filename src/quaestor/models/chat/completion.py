"""What a server answers, whole or as the events of a stream. Of all it says, only what is used is read."""

import json
from dataclasses import dataclass
from typing import Annotated

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, JsonValue, ValidationError, WrapValidator
from pydantic import ValidatorFunctionWrapHandler as Handler

from quaestor.contracts.price import Usage
from quaestor.models.chat.complaint import complaint


@dataclass(frozen=True, slots=True)
class Called:
    """A tool call as it came; `arguments` should be the text of a JSON object."""

    id: str
    name: str
    arguments: str


@dataclass(frozen=True, slots=True)
class Completion:
    """An answer; what was not said is empty."""

    text: str
    refusal: str
    calls: tuple[Called, ...]
    finish: str
    usage: Usage | None


@dataclass(frozen=True, slots=True)
class Unreadable:
    """Why what was received is no answer."""

    reason: str


def whole(body: str) -> Completion | Unreadable:
    """Read an answer that came at once."""
    reply = _read(body)
    if isinstance(reply, Unreadable):
        return reply
    if not reply.choices or (message := reply.choices[0].message) is None:
        return Unreadable(f"not a chat completion: {complaint(body).message}")
    return Completion(
        text=message.content,
        refusal=message.refusal,
        calls=tuple(Called(call.id, call.function.name, call.function.arguments) for call in message.tool_calls or ()),
        finish=reply.choices[0].finish_reason,
        usage=reply.usage.tokens() if reply.usage else None,
    )


def _text(value: object) -> object:
    """Join a text that comes in parts, and replace what UTF-8 cannot say: JSON may spell half of a pair."""
    match value:
        case None:
            return ""
        case str():
            return value.encode(errors="replace").decode()
        case list():
            texts = (part.get("text") for part in value if isinstance(part, dict))
            return _text("".join(text for text in texts if isinstance(text, str)))
        case dict():
            return json.dumps(value)
        case _:
            return value


class _Wire(BaseModel):
    model_config = ConfigDict(frozen=True, extra="ignore")


_Text = Annotated[str, BeforeValidator(_text)]
_Count = Annotated[int, Field(ge=0)]


class _Details(_Wire):
    cached_tokens: _Count | None = None


class _Counted(_Wire):
    prompt_tokens: _Count
    completion_tokens: _Count
    total_tokens: _Count | None = None
    prompt_tokens_details: _Details | None = None
    prompt_cache_hit_tokens: _Count | None = None

    def tokens(self) -> Usage:
        details = self.prompt_tokens_details
        cached = (details.cached_tokens if details else None) or self.prompt_cache_hit_tokens or 0
        # Some servers count what was thought in the total alone.
        output = max(self.completion_tokens, (self.total_tokens or 0) - self.prompt_tokens)
        return Usage(
            input_tokens=self.prompt_tokens, cached_tokens=min(cached, self.prompt_tokens), output_tokens=output
        )


def _counted(value: object, handler: Handler) -> _Counted | None:
    """Take a count that cannot be read as not given, for the answer is worth more than its count."""
    try:
        counted: _Counted | None = handler(value)
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
    usage: Annotated[_Counted | None, WrapValidator(_counted)] = None
    error: JsonValue = None


def _read(body: str) -> _Reply | Unreadable:
    try:
        reply = _Reply.model_validate(json.loads(body))
    except (ValueError, RecursionError):
        return Unreadable(f"not the JSON of a chat completion: {complaint(body).message}")
    if reply.error:
        return Unreadable(f"an error in place of an answer: {complaint(body).message}")
    return reply


@dataclass(slots=True)
class _Growing:
    index: int | None
    id: str
    name: str
    arguments: list[str]

    def goes_on(self, part: _Call) -> bool:
        """Say whether a part belongs to this call. Some servers give no index, some give all calls the same."""
        if part.id and self.id:
            return part.id == self.id
        return part.index == self.index and not (part.index is None and part.function.name and self.name)


class Stream:
    """An answer that comes event by event."""

    def __init__(self) -> None:
        self.characters = 0
        """How much of it is kept."""
        self._text: list[str] = []
        self._refusal: list[str] = []
        self._calls: list[_Growing] = []
        self._finish = ""
        self._usage: Usage | None = None

    def add(self, event: str) -> Unreadable | None:
        """Take in the data of the next event, or say why it is none."""
        reply = _read(event)
        if isinstance(reply, Unreadable):
            return reply
        if reply.usage:
            self._usage = reply.usage.tokens()
        for choice in (reply.choices or ())[:1]:
            self._finish = choice.finish_reason or self._finish
            if choice.delta:
                self._grow(choice.delta)
        return None

    def completion(self, *, done: bool) -> Completion | Unreadable:
        """Give the whole; `done` says whether `[DONE]` came. Without it and without a reason to end it is cut."""
        if not done and not self._finish:
            return Unreadable("the stream ended before the answer did")
        return Completion(
            text="".join(self._text),
            refusal="".join(self._refusal),
            calls=tuple(Called(call.id, call.name, "".join(call.arguments)) for call in self._calls),
            finish=self._finish,
            usage=self._usage,
        )

    def _grow(self, delta: _Message) -> None:
        self.characters += len(delta.content) + len(delta.refusal)
        if delta.content:
            self._text.append(delta.content)
        if delta.refusal:
            self._refusal.append(delta.refusal)
        for part in delta.tool_calls or ():
            self.characters += 1 + len(part.id) + len(part.function.name) + len(part.function.arguments)
            call = next((call for call in reversed(self._calls) if call.goes_on(part)), None)
            if call is None:
                call = _Growing(part.index, part.id, part.function.name, [])
                self._calls.append(call)
            call.arguments.append(part.function.arguments)
