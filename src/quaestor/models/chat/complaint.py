"""What a server says when it does not answer."""

import json
from dataclasses import dataclass

from pydantic import JsonValue

_SHOWN = 300
_SEARCHED = 2000


@dataclass(frozen=True, slots=True)
class Complaint:
    """An error as a server told it."""

    message: str
    """Its words on one line, at most 300 characters of them."""
    code: str
    about: str
    """All that was said, in lower case."""

    def names(self, *things: str) -> bool:
        """Say whether one of these is named."""
        return any(thing in self.about for thing in things)


def complaint(text: str) -> Complaint:
    """Read an error body: OpenAI's `{"error": {"message", "code", "param"}}`, its relatives, or plain text."""
    try:
        error = _error(json.loads(text))
    except (ValueError, RecursionError):
        error = None
    message = " ".join((_message(error) or text).split()) or "nothing"
    return Complaint(
        message=message if len(message) <= _SHOWN else f"{message[:_SHOWN]} ...",
        code=str(error.get("code", "")) if isinstance(error, dict) else "",
        about=text[:_SEARCHED].lower(),
    )


def _error(said: JsonValue) -> JsonValue:
    match said:
        case [first, *_]:  # Gemini answers a list of one
            return _error(first)
        case {"error": error} if error:
            return error
        case _:  # vLLM and FastAPI have no frame around it
            return said


def _message(error: JsonValue) -> str:
    match error:
        case str():
            return error
        case {"message": str(message), "metadata": {"raw": str(raw)}}:  # OpenRouter passes on what the provider said
            return f"{message}: {raw}"
        case {"message": str(message)} | {"detail": str(message)}:
            return message
        case _:
            return ""
