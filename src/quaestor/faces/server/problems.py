"""Errors as RFC 9457 problem documents, in the words of the command line."""

import logging
from collections.abc import Mapping
from http import HTTPStatus

from fastapi import FastAPI, Request
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
from quaestor.faces.server.openai.errors import PATH_PREFIX, render_error, render_invalid_request

PROBLEM_TYPE = "application/problem+json"
_URN = "urn:quaestor:problem:"
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
            type=f"{_URN}{name}" if name else "about:blank",
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


def render_problem(raised: ProblemRaised, path: str) -> JSONResponse:
    """Return the answer that a problem is: where OpenAI clients call, in the form that they know."""
    problem = raised.problem
    if path.startswith(PATH_PREFIX):
        code = problem.type.removeprefix(_URN).replace("-", "_") if problem.type.startswith(_URN) else None
        return render_error(problem.status, problem.detail, code, headers=raised.headers)
    return JSONResponse(
        problem.model_dump(mode="json", exclude_none=True),
        status_code=problem.status,
        headers=dict(raised.headers or {}),
        media_type=PROBLEM_TYPE,
    )


def install_handlers(app: FastAPI) -> None:
    """Let every error of a route end in a problem document."""
    app.add_exception_handler(ProblemRaised, _handle)
    app.add_exception_handler(QuaestorError, _handle)
    app.add_exception_handler(RequestValidationError, _handle)
    app.add_exception_handler(HTTPException, _handle)
    app.add_exception_handler(Exception, _handle)


def _handle(request: Request, error: Exception) -> JSONResponse:
    path = request.url.path
    match error:
        case ProblemRaised():
            return render_problem(error, path)
        case QuaestorError():
            return render_problem(problem_of(error), path)
        case RequestValidationError() if path.startswith(PATH_PREFIX):
            return render_invalid_request(error)
        case RequestValidationError():
            return render_problem(_invalid(error), path)
        case HTTPException(status_code=code, detail=detail, headers=headers):
            return render_problem(ProblemRaised(HTTPStatus(code), str(detail), headers=headers), path)
        case _:
            _LOGGER.error("%s %s failed", request.method, request.url.path, exc_info=error)
            detail = f"unexpected {type(error).__name__}; the log of the server shows where"
            return render_problem(ProblemRaised(HTTPStatus.INTERNAL_SERVER_ERROR, detail, name="failed"), path)


def _invalid(error: RequestValidationError) -> ProblemRaised:
    faults = [
        Fault(place=replace_hidden(".".join(str(part) for part in fault["loc"])), message=replace_hidden(fault["msg"]))
        for fault in error.errors()
    ]
    first = error.errors()[0]
    shown = truncate_line(repr(str(first.get("input"))))
    raised = ProblemRaised(
        HTTPStatus.UNPROCESSABLE_ENTITY,
        f"{faults[0].place} {shown} cannot be used: {faults[0].message}",
        name="invalid",
    )
    raised.problem = raised.problem.model_copy(update={"faults": faults})
    return raised
