"""The parts of a report in reading order, for every format; empty parts are left out."""

from collections import Counter
from collections.abc import Iterator

from quaestor.contracts.cost import Spend
from quaestor.contracts.immutable import Immutable
from quaestor.contracts.source import Source
from quaestor.research.contracts.report import Citation, Claim, GenerationInfo, Report
from quaestor.research.contracts.verdicts import Verdict
from quaestor.research.reports.fixed_words import ReportWords, report_words

_CHECKED_VERDICTS = (Verdict.SUPPORTED, Verdict.REFUTED, Verdict.UNVERIFIABLE)


class ReportPart(Immutable):
    """Claims under a heading; `key` names the part, with `listed` its claims are one to a line."""

    key: str
    heading: str
    claims: tuple[Claim, ...]
    listed: bool
    note: str | None = None


class DisputePosition(Immutable):
    """One side of a contradiction, with the numbers of its citations; none when the report does not cite it."""

    value: str
    finding: str
    numbers: tuple[int, ...]


class Dispute(Immutable):
    """A subject to which sources give different values."""

    subject: str
    positions: tuple[DisputePosition, ...]


class Reference(Immutable):
    """A cited source with its citations in order of appearance."""

    source: Source
    citations: tuple[Citation, ...]


def opening_parts(report: Report) -> tuple[ReportPart, ...]:
    """Return the parts before the details."""
    prose, words = not report.making.extractive, report_words(report.language)
    return _non_empty(
        ReportPart("summary", words.summary, report.summary, listed=not prose),
        ReportPart("key-findings", words.key_findings, report.key_findings, listed=True),
    )


def detail_parts(report: Report) -> tuple[ReportPart, ...]:
    """Return a part for every todo; extracts by different authors make no prose, so they are listed."""
    listed = report.making.extractive
    return _non_empty(
        *(
            ReportPart(section.todo_id, section.heading, section.claims, listed, section.note)
            for section in report.sections
        )
    )


def closing_parts(report: Report) -> tuple[ReportPart, ...]:
    """Return the part after contradictions and gaps."""
    heading = report_words(report.language).conclusion
    return _non_empty(ReportPart("conclusion", heading, report.conclusion, listed=report.making.extractive))


def disputes(report: Report) -> tuple[Dispute, ...]:
    """Return the contradictions, each value with the citations of its finding."""
    numbers: dict[str, dict[int, None]] = {}
    for citation in _citations(report):
        numbers.setdefault(citation.finding, {})[citation.number] = None
    return tuple(
        Dispute(
            contradiction.subject,
            tuple(
                DisputePosition(value, finding, tuple(numbers.get(finding, ())))
                for value, finding in zip(contradiction.values, contradiction.findings, strict=True)
            ),
        )
        for contradiction in report.contradictions
    )


def open_points(report: Report) -> tuple[str, ...]:
    """Return what the report does not answer: the gaps, then the todos that could not start."""
    words = report_words(report.language)
    return (*report.gaps, *(words.blocked.format(todo=todo) for todo in report.blocked))


def references(report: Report) -> tuple[Reference, ...]:
    """Return every cited source once, each with its citations."""
    citations = {citation.number: citation for citation in _citations(report)}.values()
    return tuple(
        Reference(source, tuple(citation for citation in citations if citation.source == source.sha256))
        for source in report.sources
    )


def citation_numbers(claim: Claim) -> tuple[int, ...]:
    """Return the numbers of a claim's citations, each once."""
    return tuple(dict.fromkeys(citation.number for citation in claim.citations))


def claim_status(claim: Claim, language: str | None = None) -> str:
    """Return what a reader must know of a claim that is not both quoted and confirmed; empty where nothing is wrong.

    A claim that nobody was to check is marked only by `proof_notice`, for all of them at once.
    """
    words = report_words(language)
    if not claim.quoted:
        return words.not_quoted
    verdict = _verdict_word(claim.verdict, words)
    if claim.verdict is Verdict.NOT_CHECKED:
        return verdict if claim.note else ""
    if claim.verdict is Verdict.SUPPORTED:
        return ""
    return f"{verdict}: {claim.note}" if claim.note else verdict


def _verdict_word(verdict: Verdict, words: ReportWords) -> str:
    return {
        Verdict.SUPPORTED: words.supported,
        Verdict.REFUTED: words.refuted,
        Verdict.UNVERIFIABLE: words.unverifiable,
        Verdict.NOT_CHECKED: words.not_checked,
    }[verdict]


def proof_notice(report: Report, words: ReportWords) -> str:
    """Return how many claims are quoted, and what a checker concluded about them."""
    claims = report.claims()
    if not claims:
        return ""
    quoted = sum(claim.quoted for claim in claims)
    counts = Counter(claim.verdict for claim in claims)
    checked = [f"{counts[verdict]} {_verdict_word(verdict, words)}" for verdict in _CHECKED_VERDICTS if counts[verdict]]
    models = ", ".join(dict.fromkeys(claim.checked_by for claim in claims if claim.checked_by))
    unchecked = sum(claim.quoted for claim in claims if claim.verdict is Verdict.NOT_CHECKED)
    unchecked_note = [f"{unchecked} {words.not_checked}"] if unchecked and checked else []
    verdicts = ", ".join((*checked, *unchecked_note))
    said = words.checked_by.format(verdicts=verdicts, models=models) if checked else words.not_checked
    noun = words.claim if len(claims) == 1 else words.claims
    return words.claims_quoted.format(quoted=quoted, all=len(claims), claims=noun, checked=said)


def production_facts(making: GenerationInfo, words: ReportWords) -> tuple[tuple[str, str], ...]:
    """Return how a report was made, as pairs of a label and a value; no calls of a model where none was asked."""
    spend = making.spend
    asked = () if making.extractive else ((words.model_calls, f"{spend.model_calls:,}"),)
    cycles = ((words.cycles, words.cycles_counted.format(count=making.cycles)),) if making.cycles > 1 else ()
    lost = ((words.lost_calls, _describe_lost(making.lost, words)),) if making.lost.model_calls else ()
    return (
        (words.model, making.model),
        *cycles,
        (words.todos, words.todos_done.format(done=making.todos_done, all=making.todos)),
        (words.searches, f"{making.searches:,}"),
        (words.sources_searched, f"{making.sources_searched:,}"),
        *asked,
        (words.tool_calls, f"{spend.tool_calls:,}"),
        (words.tokens, f"{spend.tokens:,}"),
        (words.cost, _dollars(spend, words)),
        *lost,
    )


def _describe_lost(lost: Spend, words: ReportWords) -> str:
    return words.lost_most.format(calls=f"{lost.model_calls:,}", tokens=f"{lost.tokens:,}", cost=_dollars(lost, words))


def _dollars(spend: Spend, words: ReportWords) -> str:
    return words.dollars.format(amount=f"{spend.dollars.normalize():f}")


def place_label(citation: Citation, source: Source, words: ReportWords) -> str:
    """Return the page of a citation, or the sheet, row and columns of its table; empty where it has neither."""
    if page := source.page(citation.start):
        return words.page.format(page=page)
    if (place := citation.in_table) is None:
        return ""
    return ", ".join(
        (
            *([words.sheet.format(sheet=place.sheet)] if place.sheet else []),
            words.row.format(row=place.row),
            *(words.column.format(column=name) for name in place.columns),
        )
    )


def _non_empty(*parts: ReportPart) -> tuple[ReportPart, ...]:
    return tuple(part for part in parts if part.claims or part.note)


def _citations(report: Report) -> Iterator[Citation]:
    return (citation for claim in report.claims() for citation in claim.citations)
