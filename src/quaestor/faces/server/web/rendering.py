"""Pages from their templates: every value is escaped, nothing in it is hidden, and a missing name is an error."""

from datetime import UTC, datetime, timedelta
from decimal import Decimal
from functools import cache
from http import HTTPStatus
from urllib.parse import urlsplit

from fastapi.responses import HTMLResponse
from jinja2 import Environment, PackageLoader, StrictUndefined

from quaestor.app.costs import describe_estimate
from quaestor.app.text import count_noun, format_amount, format_dollars, format_timestamp, replace_hidden
from quaestor.faces.server.authentication import Caller
from quaestor.faces.server.web.assets import asset_path
from quaestor.faces.server.web.texts import english_texts

PAGE_HEADERS = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
        "base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
    ),
    "Referrer-Policy": "same-origin",  # with no referrer at all, browsers send a form without its origin
}
"""Of every page: its scripts and its style are files of this server, and nothing in it is run or styled in line."""
_MINUTE, _HOUR, _DAY = 60, 3600, 86_400


@cache
def environment() -> Environment:
    """Return the environment in which templates are rendered."""
    made = Environment(
        loader=PackageLoader("quaestor.faces.server.web"),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=_show_hidden,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.globals |= {
        "t": english_texts(),
        "asset": asset_path,
        "count_noun": count_noun,
        "describe_estimate": describe_estimate,
    }
    made.filters |= {
        "amount": format_amount,
        "dollars": format_dollars,
        "timestamp": format_timestamp,
        "clock": format_clock,
        "duration": format_duration,
        "limit_amount": format_limit,
        "age": format_age,
        "web_link": web_link,
    }
    return made


def compile_templates() -> None:
    """Compile every page, which takes as much CPU as twenty of them take to be rendered."""
    for name in environment().list_templates(extensions=("html",)):
        environment().get_template(name)


def render_template(template: str, caller: Caller | None, **values: object) -> str:
    """Return a page, or a part of one, for whoever calls; None: nobody has logged in."""
    return environment().get_template(template).render(caller=caller, csrf=caller.csrf if caller else None, **values)


def render_page(
    template: str, caller: Caller | None, *, status: HTTPStatus = HTTPStatus.OK, **values: object
) -> HTMLResponse:
    """Return the answer that a page is."""
    return HTMLResponse(render_template(template, caller, **values), status, PAGE_HEADERS)


def format_duration(seconds: float) -> str:
    """Format a time span by its largest unit, and by two below a day: 42 s, 3 min 5 s, 2 h 10 min, 3 days."""
    whole = int(seconds)
    if seconds < 1:
        return "under 1 s"
    if whole < _MINUTE:
        return f"{whole} s"
    if whole < _HOUR:
        return f"{whole // _MINUTE} min" + (f" {whole % _MINUTE} s" if whole % _MINUTE else "")
    if whole < _DAY:
        return f"{whole // _HOUR} h" + (f" {whole % _HOUR // _MINUTE} min" if whole % _HOUR >= _MINUTE else "")
    return count_noun(whole // _DAY, "day")


def format_limit(amount: Decimal, limit: str) -> str:
    """Format how much of a limit there is, in its unit."""
    match limit:
        case "dollars":
            return format_dollars(amount)
        case "seconds":
            return format_duration(float(amount))
        case _:
            return format_amount(amount)


def format_clock(at: datetime) -> str:
    """Format the time of a day, in UTC."""
    return f"{at.astimezone(UTC):%H:%M:%S}"


def format_age(at: datetime, now: datetime) -> str:
    """Format how long ago something was by its largest unit."""
    passed = max(now - at, timedelta()).total_seconds()
    unit = _MINUTE if passed < _HOUR else _HOUR if passed < _DAY else _DAY
    return format_duration(passed // unit * unit) if passed >= _MINUTE else format_duration(passed)


def web_link(uri: str) -> str | None:
    """Return an address that a page may link to; None for any but one of the web, as `javascript:`."""
    try:
        parts = urlsplit(uri)
    except ValueError:
        return None
    return uri if parts.scheme in {"http", "https"} and parts.netloc else None


def _show_hidden(value: object) -> object:
    """Return what a template writes for a value: control characters and turns of direction of a text are shown."""
    return replace_hidden(value) if type(value) is str else value
