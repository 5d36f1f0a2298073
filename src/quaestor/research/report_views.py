"""The newest document of a research session, read from its events and rendered in each format."""

from collections.abc import AsyncIterator

from quaestor.contracts.event import Event
from quaestor.contracts.plugin import ReportFormat
from quaestor.research.contracts.brief import ResearchDocument
from quaestor.research.events import ReportWritten
from quaestor.research.views.document import render_document


async def render_markdown_report(events: AsyncIterator[Event]) -> str | None:
    """Return the report or the brief as Markdown; None when none was written yet."""
    return await _render_newest(events, "md")


async def render_html_report(events: AsyncIterator[Event]) -> str | None:
    """Return the report or the brief as a page; None when none was written yet."""
    return await _render_newest(events, "html")


async def render_json_report(events: AsyncIterator[Event]) -> str | None:
    """Return the report or the brief as JSON; None when none was written yet."""
    return await _render_newest(events, "json")


async def _render_newest(events: AsyncIterator[Event], form: ReportFormat) -> str | None:
    newest: ResearchDocument | None = None
    async for event in events:
        if isinstance(event.payload, ReportWritten):
            newest = event.payload.report
    return render_document(newest, form) if newest else None
