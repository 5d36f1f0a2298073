"""A report or a brief in one line, as it is printed when a run has ended."""

from typing import Literal, assert_never

from quaestor.contracts.base import Contract
from quaestor.research.contracts.brief import Brief, ResearchDocument
from quaestor.research.contracts.report import Report
from quaestor.research.reports.fixed_words import report_words
from quaestor.research.views.report_outline import proof_notice
from quaestor.views.text import count_noun


class ReportSummary(Contract):
    """A report in short."""

    text: str
    explains: Literal["claim", "passage"]
    number: int
    """Of a claim, or of a passage of a brief, that can be explained."""


def summarize_document(document: ResearchDocument) -> ReportSummary:
    """Count what a report or a brief cites, and find a claim or a passage that can be explained."""
    match document:
        case Report():
            return _summarize_claims(document)
        case Brief():
            passages = count_noun(len(document.passages), "passage")
            text = f"{passages} from {count_noun(len(document.sources), 'source')}"
            return ReportSummary(text=text, explains="passage", number=1)
        case never:
            assert_never(never)


def _summarize_claims(report: Report) -> ReportSummary:
    claims = report.claims()
    cited = (
        f"{count_noun(len(report.citations()), 'verified citation')} from {count_noun(len(report.sources), 'source')}"
    )
    proof = proof_notice(report, report_words(None)).removesuffix(".")
    lacking = len(report.making.fallbacks)
    fallbacks = [f"no usable answer of the model for {count_noun(lacking, 'part')}, see its gaps"] if lacking else []
    return ReportSummary(
        text="; ".join((cited, proof, *fallbacks)),
        explains="claim",
        number=next((claim.number for claim in claims if claim.citations), 1),
    )
