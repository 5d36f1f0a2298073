"""What a cycle ended with, rendered by its kind: a report, or a brief where no model wrote.

What renders one kind in one format is imported when it is asked for.
"""

from collections.abc import Callable, Mapping
from html import escape
from types import MappingProxyType

from quaestor.contracts.lazy import deferred
from quaestor.contracts.plugin import ReportFormat
from quaestor.research.contracts.brief import ResearchDocument

_VIEWS = "quaestor.research.views"
_RENDERERS: Mapping[tuple[str, ReportFormat], Callable[..., str]] = MappingProxyType(
    {
        ("report", "md"): deferred(f"{_VIEWS}.report_markdown:render_markdown"),
        ("report", "html"): deferred(f"{_VIEWS}.report_html:render_html"),
        ("report", "json"): deferred(f"{_VIEWS}.report_json:render_json"),
        ("brief", "md"): deferred(f"{_VIEWS}.brief_markdown:render_brief_markdown"),
        ("brief", "html"): deferred(f"{_VIEWS}.brief_html:render_brief_html"),
        ("brief", "json"): deferred(f"{_VIEWS}.brief_json:render_brief_json"),
    }
)


def render_document(document: ResearchDocument, form: ReportFormat) -> str:
    """Render a report or a brief in a format; the text ends with a line end."""
    return _RENDERERS[document.kind, form](document)


def render_markdown(document: ResearchDocument) -> str:
    """Render a report or a brief as Markdown."""
    return render_document(document, "md")


def render_html(document: ResearchDocument) -> str:
    """Render a report or a brief as one HTML file that needs nothing else."""
    return render_document(document, "html")


def render_json(document: ResearchDocument) -> str:
    """Render a report or a brief as JSON; `kind` tells which."""
    return render_document(document, "json")


def render_frame(document: ResearchDocument) -> str:
    """Render a report or a brief as a frame within another page, whose styles and scripts it cannot reach."""
    page = escape(render_html(document))
    return f'<iframe srcdoc="{page}" sandbox="allow-popups" style="border: 0; width: 100%; height: 40em"></iframe>'
