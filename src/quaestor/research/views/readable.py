"""A report or a brief as pages show it: chapters in reading order, with the sentences, marks and numbers of each."""

from collections.abc import Iterable, Iterator
from typing import assert_never

from quaestor.contracts.immutable import Immutable
from quaestor.research.contracts.brief import Brief, ResearchDocument, ShownRow
from quaestor.research.contracts.report import Claim, Report
from quaestor.research.contracts.verdicts import Verdict
from quaestor.research.reports.fixed_words import ENGLISH_CODE, ReportWords, report_words
from quaestor.research.reports.languages import text_direction
from quaestor.research.views.brief_outline import MarkedParagraph, answer_label, brief_changes, brief_parts
from quaestor.research.views.report_outline import (
    Dispute,
    DisputePosition,
    Reference,
    ReportPart,
    citation_numbers,
    claim_status,
    closing_parts,
    detail_parts,
    disputes,
    open_points,
    opening_parts,
    production_facts,
    proof_notice,
    references,
)
from quaestor.views.escaping import one_line, quote_line


class Sentence(Immutable):
    """A sentence with the numbers of its citations, and what a reader must know of it; empty where nothing is wrong."""

    text: str
    numbers: tuple[int, ...]
    status: str = ""
    is_supported: bool = False
    claim: int | None = None
    """The number of the claim of a report that it is."""


class Chapter(Immutable):
    """What is under one heading; `parts` are the headings below it."""

    key: str
    heading: str
    sentences: tuple[Sentence, ...] = ()
    is_list: bool = True
    note: str | None = None
    parts: tuple["Chapter", ...] = ()
    disputes: tuple[Dispute, ...] = ()
    points: tuple[str, ...] = ()
    paragraphs: tuple[MarkedParagraph, ...] = ()

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing under the heading."""
        return not (self.sentences or self.note or self.parts or self.disputes or self.points or self.paragraphs)


class ReadableDocument(Immutable):
    """A version of a report or a brief."""

    kind: str
    version: int
    title: str
    question: str
    notices: tuple[str, ...]
    partial: str | None
    answer_label: str
    answer: Sentence | None
    chapters: tuple[Chapter, ...]
    references: tuple[Reference, ...]
    facts: tuple[tuple[str, str], ...]
    words: ReportWords
    """In the language of the document, as all its headings are."""
    language: str
    direction: str


def readable_document(document: ResearchDocument) -> ReadableDocument:
    """Return a report or a brief in the order of reading; what is empty is left out."""
    match document:
        case Report():
            return _readable_report(document)
        case Brief():
            return _readable_brief(document)
        case never:
            assert_never(never)


def citing_claims(document: ResearchDocument, number: int) -> tuple[Claim, ...]:
    """Return the claims of a report that rest on a citation; a brief claims nothing."""
    claims = document.claims() if isinstance(document, Report) else ()
    return tuple(claim for claim in claims if number in citation_numbers(claim))


def _readable_report(report: Report) -> ReadableDocument:
    words = report_words(report.language)
    extractive = (words.extractive_notice,) if report.making.extractive else ()
    answer = report.answer_claim
    return ReadableDocument(
        kind=report.kind,
        version=report.version,
        title=report.title,
        question=report.question,
        notices=tuple(filter(None, (*extractive, proof_notice(report, words)))),
        partial=report.partial,
        answer_label=words.answer,
        answer=_sentence(answer, report.language)
        if answer
        else Sentence(report.answer, (), words.not_quoted)
        if report.answer
        else None,
        chapters=_non_empty(
            *_chapters(opening_parts(report), report),
            Chapter("details", words.details, parts=_chapters(detail_parts(report), report)),
            Chapter("contradictions", words.contradictions, disputes=disputes(report)),
            Chapter("assumptions", words.assumptions, points=report.assumptions),
            Chapter("gaps", words.gaps, points=open_points(report)),
            *_chapters(closing_parts(report), report),
        ),
        references=references(report),
        facts=production_facts(report.making, words),
        words=words,
        language=report.language or ENGLISH_CODE,
        direction=text_direction(report.language or ENGLISH_CODE),
    )


def _readable_brief(brief: Brief) -> ReadableDocument:
    proof, words = brief.answer_proof, report_words(brief.language)
    return ReadableDocument(
        kind=brief.kind,
        version=brief.version,
        title=brief.question,
        question=brief.question,
        notices=(words.brief_notice,),
        partial=brief.partial,
        answer_label=answer_label(proof, words) if proof else words.answer,
        answer=Sentence(brief.answer, proof.passages) if brief.answer and proof else None,
        chapters=_non_empty(
            Chapter("rows", words.rows, points=tuple(map(_shown_row, proof.rows)) if proof else ()),
            Chapter("gaps", words.absent_heading, points=brief.gaps),
            Chapter("differences", words.differences, disputes=tuple(_differences(brief, words))),
            *(Chapter(part.key, part.heading, paragraphs=part.paragraphs) for part in brief_parts(brief)),
            Chapter("changes", words.changes, points=tuple(_shown_changes(brief, only_later=False))),
            Chapter("later", words.said_later, points=tuple(_shown_changes(brief, only_later=True))),
        ),
        references=tuple(
            Reference(source, tuple(each for each in brief.passages if each.source == source.sha256))
            for source in brief.sources
        ),
        facts=production_facts(brief.making, words),
        words=words,
        language=brief.language or ENGLISH_CODE,
        direction=text_direction(brief.language or ENGLISH_CODE),
    )


def _shown_row(row: ShownRow) -> str:
    return f"{one_line(row.name)}: “{quote_line(row.quote.text)}”"


def _shown_changes(brief: Brief, *, only_later: bool) -> Iterator[str]:
    for change in brief_changes(brief, only_later=only_later):
        yield f"“{one_line(change.text)}” ({one_line(change.name)})"


def _differences(brief: Brief, words: ReportWords) -> Iterator[Dispute]:
    for difference in brief.differences:
        sides = zip(difference.values, difference.passages, strict=True)
        yield Dispute(
            difference.subject,
            tuple(DisputePosition(value, words.passage.format(number=number), (number,)) for value, number in sides),
        )


def _chapters(parts: Iterable[ReportPart], report: Report) -> tuple[Chapter, ...]:
    return tuple(
        Chapter(
            part.key,
            part.heading,
            tuple(_sentence(claim, report.language) for claim in part.claims),
            part.listed,
            part.note,
        )
        for part in parts
    )


def _sentence(claim: Claim, language: str | None) -> Sentence:
    supported = claim.quoted and claim.verdict is Verdict.SUPPORTED
    return Sentence(claim.text, citation_numbers(claim), claim_status(claim, language), supported, claim.number)


def _non_empty(*chapters: Chapter) -> tuple[Chapter, ...]:
    return tuple(chapter for chapter in chapters if not chapter.is_empty)
