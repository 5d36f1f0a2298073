"""Errors as the OpenAI API has them: `{"error": {message, type, param, code}}`."""

from collections.abc import Mapping
from http import HTTPStatus
from typing import Literal

from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from pydantic import Field

from quaestor.app.text import replace_hidden, truncate_line
from quaestor.contracts.base import Contract

PATH_PREFIX = "/v1/"
"""How the paths begin whose errors have this form."""

ErrorType = Literal[
    "invalid_request_error", "authentication_error", "permission_error", "rate_limit_error", "server_error"
]
_TYPES: Mapping[int, ErrorType] = {
    HTTPStatus.UNAUTHORIZED: "authentication_error",
    HTTPStatus.FORBIDDEN: "permission_error",
    HTTPStatus.TOO_MANY_REQUESTS: "rate_limit_error",
}


class ErrorDetails(Contract):
    """What went wrong."""

    message: str = Field(description="What happened, with what input, and what to do.")
    type: ErrorType
    param: str | None = Field(default=None, description="The part of the request that cannot be used.")
    code: str | None = None


class ErrorBody(Contract):
    """The answer to what goes wrong."""

    error: ErrorDetails


def render_error(
    status: int, message: str, code: str | None, param: str | None = None, headers: Mapping[str, str] | None = None
) -> JSONResponse:
    """Return the answer to what went wrong; the SDKs repeat a request only where that may help."""
    kind = _TYPES.get(status, "invalid_request_error" if status < HTTPStatus.INTERNAL_SERVER_ERROR else "server_error")
    body = ErrorBody(error=ErrorDetails(message=message, type=kind, param=param, code=code))
    sent = dict(headers or {})
    return JSONResponse(
        body.model_dump(mode="json"), status, {**sent, "x-should-retry": str("Retry-After" in sent).lower()}
    )


def render_invalid_request(error: RequestValidationError) -> JSONResponse:
    """Return the answer to a request with a part that cannot be used, or that is not known."""
    fault = error.errors()[0]
    param = replace_hidden(".".join(str(part) for part in fault["loc"][1:])) or None
    if fault["type"] == "extra_forbidden":
        return render_error(HTTPStatus.BAD_REQUEST, f"Unknown parameter: '{param}'.", "unknown_parameter", param)
    shown = replace_hidden(truncate_line(repr(fault.get("input"))))
    message = f"{param or 'the body'} {shown} cannot be used: {replace_hidden(fault['msg'])}"
    return render_error(HTTPStatus.BAD_REQUEST, message, "invalid_value", param)
