"""Errors as the OpenAI API has them: `{"error": {message, type, param, code}}`."""

from collections.abc import Mapping
from http import HTTPStatus
from typing import Literal

from fastapi.responses import JSONResponse
from pydantic import Field

from quaestor.contracts.base import Contract
from quaestor.faces.server.problems import PROBLEM_URN, Problem, ProblemRaised

_UNKNOWN = "Extra inputs are not permitted"
"""What pydantic says of a field that there is not."""

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


def is_openai_path(path: str) -> bool:
    """Return whether clients of the OpenAI API call a path."""
    return path.startswith("/v1/")


def render_error(raised: ProblemRaised) -> JSONResponse:
    """Return the answer that a problem is; the SDKs repeat a request only where that may help."""
    problem, headers = raised.problem, dict(raised.headers or {})
    fault = problem.faults[0] if problem.faults else None
    status = HTTPStatus.BAD_REQUEST if fault else HTTPStatus(problem.status)
    kind = _TYPES.get(status, "invalid_request_error" if status < HTTPStatus.INTERNAL_SERVER_ERROR else "server_error")
    param = fault.place.partition(".")[2] or None if fault else None
    is_unknown = fault is not None and fault.message == _UNKNOWN
    details = ErrorDetails(
        message=f"Unknown parameter: '{param}'." if is_unknown else problem.detail,
        type=kind,
        param=param,
        code="unknown_parameter" if is_unknown else _code(problem),
    )
    return JSONResponse(
        ErrorBody(error=details).model_dump(mode="json"),
        status,
        {**headers, "x-should-retry": str("Retry-After" in headers).lower()},
    )


def _code(problem: Problem) -> str | None:
    """Return the name of a problem as a code."""
    return problem.type.removeprefix(PROBLEM_URN).replace("-", "_") if problem.type.startswith(PROBLEM_URN) else None
