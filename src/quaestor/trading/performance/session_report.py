"""The results of a decision session, read from its events and rendered in each format."""

from collections.abc import AsyncIterator

from quaestor.contracts.event import Event
from quaestor.trading.performance.html_report import render_html
from quaestor.trading.performance.json_report import render_json
from quaestor.trading.performance.markdown_report import render_markdown
from quaestor.trading.sessions import read_results


async def render_markdown_report(events: AsyncIterator[Event]) -> str:
    """Return the results as Markdown. Raises UsageError before the first cycle."""
    return render_markdown(await read_results(events))


async def render_html_report(events: AsyncIterator[Event]) -> str:
    """Return the results as a page. Raises UsageError before the first cycle."""
    return render_html(await read_results(events))


async def render_json_report(events: AsyncIterator[Event]) -> str:
    """Return the results as JSON. Raises UsageError before the first cycle."""
    return render_json(await read_results(events))
