"""The sentences of a draft, and what each of them rests on."""

from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import NamedTuple

from quaestor.contracts.immutable import Immutable
from quaestor.contracts.ledger import Contradiction, Finding
from quaestor.contracts.source import Quote
from quaestor.research.contracts.optional_roles import QuotedSentence
from quaestor.research.contracts.writing import Frame, Section, WrittenSentence, normalize_sentence
from quaestor.research.reports.material import ReportMaterial

Sections = Mapping[str, Section]
"""Written sections by their ids: those of their todos, or of given headings."""
Spot = tuple[str, int, int]
"""Where a quote is: its source, and the characters from where to where."""


class Statement(NamedTuple):
    """What a verdict is on: words, and the quotes they rest on. The same words on other quotes are another one."""

    text: str
    quotes: frozenset[Spot]
    answers: str = ""
    """The question that it answers directly, if it does: words may stand in their quotes and be no answer to it."""


class ReportDraft(Immutable):
    """A whole draft: a section a todo, the frame, and the claims of findings that contradict each other."""

    sections: Sections
    frame: Frame
    disputed: tuple[WrittenSentence, ...] = ()


def draft_report(
    material: ReportMaterial, sections: Sections, frame: Frame, contradictions: Iterable[Contradiction]
) -> ReportDraft:
    """Return the draft of a report with what the contradicting findings claim."""
    findings = findings_by_id(material)
    disputed = dict.fromkeys(ref for contradiction in contradictions for ref in contradiction.findings)
    claims = tuple(WrittenSentence(text=findings[ref].claim, findings=(ref,)) for ref in disputed if ref in findings)
    return ReportDraft(sections, frame, claims)


def findings_by_id(material: ReportMaterial) -> Mapping[str, Finding]:
    """Return every finding that a report may rest on."""
    return {finding.id: finding for entry in material.recorded for finding in entry.findings}


def spot(quote: Quote) -> Spot:
    """Return where a quote is."""
    return quote.source, quote.start, quote.end


def to_statement(sentence: WrittenSentence, findings: Mapping[str, Finding], answers: str = "") -> Statement:
    """Return what is judged of a sentence, given the findings that it may name."""
    quotes = (spot(quote) for ref in sentence.findings if ref in findings for quote in findings[ref].quotes)
    return Statement(normalize_sentence(sentence.text), frozenset(quotes), answers)


def all_sentences(material: ReportMaterial, draft: ReportDraft) -> tuple[WrittenSentence, ...]:
    """Return every sentence of the draft but the direct answer, those of the sections first."""
    frame = draft.frame
    sectioned = (
        sentence for own in material.section_ids if own in draft.sections for sentence in draft.sections[own].sentences
    )
    return (*sectioned, *frame.summary, *frame.key_findings, *frame.conclusion, *draft.disputed)


def cited_findings(material: ReportMaterial, draft: ReportDraft) -> tuple[Finding, ...]:
    """Return the findings that the draft names, in the order of the ledger."""
    used = {ref for sentence, _ in _with_questions(material, draft) for ref in sentence.findings}
    return tuple(finding for entry in material.recorded for finding in entry.findings if finding.id in used)


def quoted_sentences(
    material: ReportMaterial, draft: ReportDraft, verified: Collection[str]
) -> Mapping[Statement, tuple[QuotedSentence, WrittenSentence]]:
    """Return the statements that rest on verified findings alone, each as it is numbered for a checker and written."""
    findings = findings_by_id(material)
    titles = {source.sha256: source.title for entry in material.recorded for source in entry.sources}
    said: dict[Statement, tuple[QuotedSentence, WrittenSentence]] = {}
    for sentence, question in _with_questions(material, draft):
        statement = to_statement(sentence, findings, question)
        if statement in said or not sentence.findings or not all(ref in verified for ref in sentence.findings):
            continue
        quotes = [quote for ref in sentence.findings for quote in findings[ref].quotes]
        line = QuotedSentence(
            number=len(said) + 1,
            text=statement.text,
            answers=question,
            quotes=tuple(dict.fromkeys(quote.text for quote in quotes)),
            titles=tuple(dict.fromkeys(titles[quote.source] for quote in quotes if titles.get(quote.source))),
        )
        said[statement] = line, sentence
    return said


def _with_questions(material: ReportMaterial, draft: ReportDraft) -> Iterator[tuple[WrittenSentence, str]]:
    """Yield every sentence; the direct answer comes with the question."""
    yield from ((sentence, "") for sentence in all_sentences(material, draft))
    if draft.frame.answer:
        yield draft.frame.answer, material.question
