"""What went wrong, as a page for browsers and as a problem document for programs."""

from http import HTTPStatus

from fastapi import Request, Response

from quaestor.faces.server.problems import ProblemRaised, render_problem
from quaestor.faces.server.web.rendering import render_page


def accepts_pages(request: Request) -> bool:
    """Return whether a client asks for a page, as browsers do and programs do not."""
    return "text/html" in request.headers.get("accept", "")


def render_failure(request: Request, raised: ProblemRaised) -> Response:
    """Return the answer that a problem is for a client."""
    if not accepts_pages(request):
        return render_problem(raised)
    problem = raised.problem
    template = "login.html" if problem.status == HTTPStatus.UNAUTHORIZED else "error.html"
    page = render_page(template, None, status=HTTPStatus(problem.status), problem=problem)
    page.headers.update(raised.headers or {})
    return page
