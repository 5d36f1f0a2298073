"""Errors as RFC 9457 problem documents, in the words of the command line."""

import logging
from collections.abc import Callable, Mapping, Sequence
from http import HTTPStatus

from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from pydantic import BaseModel, ConfigDict, Field
from starlette.exceptions import HTTPException

from quaestor.app.text import replace_hidden, truncate_line
from quaestor.contracts.errors import (
    CommandRefused,
    LeaseUnavailable,
    MissingExtra,
    NoEvidence,
    QuaestorError,
    SetupError,
    StoreFull,
    UnknownSession,
    UsageError,
)
from quaestor.contracts.session import SessionStatus

PROBLEM_TYPE = "application/problem+json"
PROBLEM_URN = "urn:quaestor:problem:"
_LOGGER = logging.getLogger("quaestor")

_STATUSES: Mapping[type[QuaestorError], tuple[HTTPStatus, str]] = {
    UnknownSession: (HTTPStatus.NOT_FOUND, "unknown-session"),
    CommandRefused: (HTTPStatus.CONFLICT, "command-refused"),
    UsageError: (HTTPStatus.BAD_REQUEST, "usage"),
    StoreFull: (HTTPStatus.INSUFFICIENT_STORAGE, "store-full"),
    MissingExtra: (HTTPStatus.NOT_IMPLEMENTED, "missing-extra"),
    SetupError: (HTTPStatus.SERVICE_UNAVAILABLE, "setup"),
    NoEvidence: (HTTPStatus.NOT_FOUND, "no-evidence"),
    LeaseUnavailable: (HTTPStatus.CONFLICT, "session-held"),
    QuaestorError: (HTTPStatus.INTERNAL_SERVER_ERROR, "failed"),
}
"""The status and the name of a problem by the kind of its error; the nearest kind counts."""


class Fault(BaseModel):
    """One value of a request that cannot be used."""

    model_config = ConfigDict(extra="forbid")

    place: str = Field(description="Where the value is, as `body.settings.effort`.")
    message: str


class Problem(BaseModel):
    """A problem document of RFC 9457."""

    model_config = ConfigDict(extra="forbid")

    type: str = Field(default="about:blank", description="`urn:quaestor:problem:NAME`, or `about:blank`.")
    title: str
    status: int
    detail: str = Field(description="What happened, with what input, and what to do.")
    state: SessionStatus | None = Field(default=None, description="Of the session that refused a command.")
    faults: list[Fault] | None = None


class ProblemRaised(Exception):
    """A problem that a route found itself."""

    def __init__(
        self,
        status: HTTPStatus,
        detail: str,
        *,
        name: str | None = None,
        state: SessionStatus | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> None:
        super().__init__(detail)
        self.problem = Problem(
            type=f"{PROBLEM_URN}{name}" if name else "about:blank",
            title=status.phrase,
            status=status,
            detail=replace_hidden(detail),
            state=state,
        )
        self.headers = headers


def problem_of(error: QuaestorError, state: SessionStatus | None = None) -> ProblemRaised:
    """Return the problem that an error is over HTTP."""
    status, name = next(_STATUSES[kind] for kind in type(error).__mro__ if kind in _STATUSES)
    return ProblemRaised(status, str(error), name=name, state=state)


def render_problem(raised: ProblemRaised) -> JSONResponse:
    """Return the answer that a problem is."""
    return JSONResponse(
        raised.problem.model_dump(mode="json", exclude_none=True),
        status_code=raised.problem.status,
        headers=dict(raised.headers or {}),
        media_type=PROBLEM_TYPE,
    )


def install_handlers(app: FastAPI, render: Callable[[Request, ProblemRaised], Response]) -> None:
    """Let every error of a route end in the answer that `render` makes of a problem for a client."""

    def handle(request: Request, error: Exception) -> Response:
        return render(request, _problem_of_any(request, error))

    for kind in (ProblemRaised, QuaestorError, RequestValidationError, HTTPException, Exception):
        app.add_exception_handler(kind, handle)


def _problem_of_any(request: Request, error: Exception) -> ProblemRaised:
    match error:
        case ProblemRaised():
            return error
        case QuaestorError():
            return problem_of(error)
        case RequestValidationError():
            return _invalid(error)
        case HTTPException(status_code=code, detail=detail, headers=headers):
            status = HTTPStatus(code)
            said = _describe_refusal(request, status) if detail == status.phrase else str(detail)
            return ProblemRaised(status, said, headers=headers)
        case _:
            _LOGGER.error("%s %s failed", request.method, request.url.path, exc_info=error)
            detail = f"unexpected {type(error).__name__}; the log of the server shows where"
            return ProblemRaised(HTTPStatus.INTERNAL_SERVER_ERROR, detail, name="failed")


def _describe_refusal(request: Request, status: HTTPStatus) -> str:
    """Return what is to be said of a request for which there is no route."""
    path = truncate_line(repr(request.url.path))
    match status:
        case HTTPStatus.NOT_FOUND:
            return f"there is nothing at {path}; see whether the address is whole"
        case HTTPStatus.METHOD_NOT_ALLOWED:
            return f"{path} takes no {request.method}; /api/v1/openapi.json lists what it takes"
        case _:
            return status.phrase


def _invalid(error: RequestValidationError) -> ProblemRaised:
    found: Sequence[Mapping[str, object]] = error.errors()
    faults = [Fault(place=replace_hidden(_place(each)), message=replace_hidden(str(each["msg"]))) for each in found]
    raised = ProblemRaised(HTTPStatus.UNPROCESSABLE_ENTITY, _describe_fault(found[0]), name="invalid")
    raised.problem = raised.problem.model_copy(update={"faults": faults})
    return raised


def _describe_fault(fault: Mapping[str, object]) -> str:
    match fault:
        case {"type": "json_invalid", "loc": (_, position), "ctx": {"error": reason}}:
            return f"the body is no JSON: {reason} at character {position}"
        case {"type": "missing"}:
            return f"{_place(fault)} is missing"
        case {"loc": ("body",), "input": bytes()}:  # the framework leaves the bodies of other media types unread
            return "the body was not read as JSON; send it with the header Content-Type: application/json"
        case _:
            shown = truncate_line(repr(str(fault.get("input"))))
            return f"{_place(fault)} {shown} cannot be used: {fault['msg']}"


def _place(fault: Mapping[str, object]) -> str:
    """Return where a fault is, as `body.settings.effort`; one of the whole body, which is no JSON, is in `body`."""
    match fault:
        case {"type": "json_invalid"}:
            return "body"
        case {"loc": (*parts,)}:
            return ".".join(map(str, parts))
        case _:
            return ""
