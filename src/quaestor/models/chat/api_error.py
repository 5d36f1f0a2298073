"""The errors that chat APIs report in a response's body."""

import json
from dataclasses import dataclass

from pydantic import JsonValue

_MAX_MESSAGE_LENGTH = 300
_MAX_SEARCHED_LENGTH = 2000


@dataclass(frozen=True, slots=True)
class ApiError:
    """An error as a server reports it."""

    message: str
    """On one line, at most 300 characters."""
    code: str
    lowercase_text: str
    """The whole body in lower case, at most 2,000 characters."""

    def mentions(self, *keywords: str) -> bool:
        """Return whether the body contains one of these words."""
        return any(keyword in self.lowercase_text for keyword in keywords)


def parse_api_error(text: str) -> ApiError:
    """Parse an error body: OpenAI's `{"error": {"message", "code", "param"}}`, its relatives, or plain text."""
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


def _error_object(body: JsonValue) -> JsonValue:
    match body:
        case [first, *_]:  # Gemini answers with a list of one
            return _error_object(first)
        case {"error": error} if error:
            return error
        case _:  # vLLM and FastAPI do not wrap it
            return body


def _message(error: JsonValue) -> str:
    match error:
        case str():
            return error
        case {"message": str(message), "metadata": {"raw": str(raw)}}:  # OpenRouter forwards the provider's own error
            return f"{message}: {raw}"
        case {"message": str(message)} | {"detail": str(message)}:
            return message
        case _:
            return ""
