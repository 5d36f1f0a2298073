"""The newest report of a research session, read from its events and rendered in each format."""

from collections.abc import AsyncIterator

from quaestor.contracts.event import Event, ReportWritten
from quaestor.research.contracts.report import Report
from quaestor.research.views.report_html import render_html
from quaestor.research.views.report_json import render_json
from quaestor.research.views.report_markdown import render_markdown


async def render_markdown_report(events: AsyncIterator[Event]) -> str | None:
    """Return the report as Markdown; None when none was written yet."""
    report = await _newest_report(events)
    return render_markdown(report) if report else None


async def render_html_report(events: AsyncIterator[Event]) -> str | None:
    """Return the report as a page; None when none was written yet."""
    report = await _newest_report(events)
    return render_html(report) if report else None


async def render_json_report(events: AsyncIterator[Event]) -> str | None:
    """Return the report as JSON; None when none was written yet."""
    report = await _newest_report(events)
    return render_json(report) if report else None


async def _newest_report(events: AsyncIterator[Event]) -> Report | None:
    newest = None
    async for event in events:
        if isinstance(event.payload, ReportWritten):
            newest = event.payload.report
    return newest
