"""What a cycle ended with, rendered by its kind: a report, or a brief where no model wrote."""

from typing import assert_never

from quaestor.contracts.terminal import ReportFormat
from quaestor.research.contracts.brief import Brief, ResearchDocument
from quaestor.research.views import report_html, report_json, report_markdown
from quaestor.research.views.brief_html import render_brief_html
from quaestor.research.views.brief_json import render_brief_json
from quaestor.research.views.brief_markdown import render_brief_markdown


def render_document(document: ResearchDocument, form: ReportFormat) -> str:
    """Render a report or a brief in a format; the text ends with a line end."""
    match form:
        case "md":
            return render_markdown(document)
        case "html":
            return render_html(document)
        case "json":
            return render_json(document)
        case never:
            assert_never(never)


def render_markdown(document: ResearchDocument) -> str:
    """Render a report or a brief as Markdown."""
    if isinstance(document, Brief):
        return render_brief_markdown(document)
    return report_markdown.render_markdown(document)


def render_html(document: ResearchDocument) -> str:
    """Render a report or a brief as one HTML file that needs nothing else."""
    if isinstance(document, Brief):
        return render_brief_html(document)
    return report_html.render_html(document)


def render_json(document: ResearchDocument) -> str:
    """Render a report or a brief as JSON; `kind` tells which."""
    if isinstance(document, Brief):
        return render_brief_json(document)
    return report_json.render_json(document)
