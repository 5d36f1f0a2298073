"""What a server says when it does not answer."""

import json
from dataclasses import dataclass

from pydantic import JsonValue

_MAX_MESSAGE_LENGTH = 300
_MAX_SEARCHED_LENGTH = 2000


@dataclass(frozen=True, slots=True)
class ApiError:
    """An error as a server told it."""

    message: str
    """Its words on one line, at most 300 characters of them."""
    code: str
    lowercase_text: str
    """All that was said, in lower case."""

    def names(self, *things: str) -> bool:
        """Say whether one of these is named."""
        return any(thing in self.lowercase_text for thing in things)


def parse_api_error(text: str) -> ApiError:
    """Read an error body: OpenAI's `{"error": {"message", "code", "param"}}`, its relatives, or plain text."""
    try:
        error = _error_object(json.loads(text))
    except (ValueError, RecursionError):
        error = None
    message = " ".join((_message(error) or text).split()) or "nothing"
    return ApiError(
        message=message if len(message) <= _MAX_MESSAGE_LENGTH else f"{message[:_MAX_MESSAGE_LENGTH]} ...",
        code=str(error.get("code", "")) if isinstance(error, dict) else "",
        lowercase_text=text[:_MAX_SEARCHED_LENGTH].lower(),
    )


def _error_object(said: JsonValue) -> JsonValue:
    match said:
        case [first, *_]:  # Gemini answers a list of one
            return _error_object(first)
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
