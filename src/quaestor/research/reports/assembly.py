"""From the draft to the report: claims with their citations, gaps and sources."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

from quaestor.contracts.ledger import Contradiction, Finding, LedgerEntry
from quaestor.contracts.source import Source, TablePlace
from quaestor.research.claims.headings import is_held
from quaestor.research.contracts.plan import Plan, Todo, TodoStatus
from quaestor.research.contracts.report import Claim, GenerationInfo, Report, ReportSection
from quaestor.research.contracts.verdicts import ClaimCheck, Verdict
from quaestor.research.contracts.writing import normalize_sentence
from quaestor.research.events import QuoteVerdict
from quaestor.research.reports.citations import CitationBuilder
from quaestor.research.reports.draft import ReportDraft, Spot, Statement, findings_by_id, spot
from quaestor.research.reports.fallbacks import fallback_notes
from quaestor.research.reports.fixed_words import ReportWords
from quaestor.research.reports.material import ReportMaterial


def assemble_report(
    material: ReportMaterial,
    draft: ReportDraft,
    verdicts: Sequence[QuoteVerdict],
    *,
    version: int,
    checks: Mapping[Statement, ClaimCheck],
    assumptions: tuple[str, ...],
    contradictions: tuple[Contradiction, ...],
    growth_refused: tuple[str, ...],
    left_out: tuple[str, ...] = (),
    partial: str | None,
    making: GenerationInfo,
) -> Report:
    """Return the report; claims that are not quoted, or refuted, are marked or left out, as the options say."""
    plan, frame = material.plan, draft.frame
    findings = findings_by_id(material)
    builder = CitationBuilder(
        findings,
        verified={verdict.finding for verdict in verdicts if verdict.verified},
        checks=checks,
        drop=material.options.unsupported == "drop",
        places=dict(_places(findings, verdicts)),
    )
    # The builder numbers claims and citations in the order of these calls, which is the order of reading.
    answer = builder.answer(frame.answer, material.question)
    summary, key_findings = builder.leading_claims(frame.summary), builder.leading_claims(frame.key_findings)
    last_tries = [todo for todo in plan.todos if not _is_retried(todo, plan)]
    sections = (
        [_headed_section(own, material, draft, builder, making.fallbacks) for own in material.headings]
        if material.headings
        else [_report_section(todo, material, draft, builder) for todo in last_tries]
    )
    conclusion = builder.leading_claims(frame.conclusion)
    denied = {ref for one in draft.disputed if builder.is_denied(one) for ref in one.findings}
    standing = tuple(_standing(contradictions, denied))
    kept = {ref for contradiction in standing for ref in contradiction.findings}
    disputed = builder.claims(one for one in draft.disputed if kept.issuperset(one.findings))
    sources = builder.sources(source for entry in material.recorded for source in entry.sources)
    parts = (answer,) if answer else ()
    said = (*parts, *summary, *key_findings, *(claim for section in sections for claim in section.claims), *conclusion)
    return Report(
        version=version,
        question=material.question,
        language=material.language,
        title=_heading(frame.title, material.question[:300], said, material),
        answer=answer.text if answer else None,
        answer_claim=answer,
        summary=summary,
        key_findings=key_findings,
        sections=tuple(_drop_repeated_claims(section, conclusion, material.words) for section in sections),
        contradictions=standing,
        disputed=disputed,
        assumptions=assumptions,
        gaps=tuple(
            dict.fromkeys(
                (
                    *fallback_notes(making.fallbacks, sections, material.words),
                    *_unfounded_note(material, draft, builder),
                    *_gaps(material, last_tries, sources, (*left_out, *growth_refused)),
                )
            )
        ),
        blocked=tuple(
            f"{todo.id}: {todo.task}: {todo.result}" for todo in plan.todos if todo.status is TodoStatus.BLOCKED
        ),
        conclusion=conclusion,
        sources=sources,
        making=making,
        partial=partial,
    )


def _unfounded_note(material: ReportMaterial, draft: ReportDraft, builder: CitationBuilder) -> Iterator[str]:
    """Yield a line on the sentences that are left out because they rest on no finding."""
    sections = (draft.sections[own] for own in material.section_ids if own in draft.sections)
    unknown = [one for section in sections for one in section.sentences if not builder.is_known(one)]
    unquoted = [one for one in draft.frame.sentences() if not builder.is_quoted(one)]
    if left_out := {normalize_sentence(one.text) for one in (*unknown, *unquoted)}:
        yield material.words.unfounded.format(count=len(left_out))


def _standing(contradictions: Iterable[Contradiction], denied: Collection[str]) -> Iterator[Contradiction]:
    """Yield contradictions without the values of findings whose own quotes do not say them: a slip denies nothing."""
    for one in contradictions:
        held = [(ref, value) for ref, value in zip(one.findings, one.values, strict=True) if ref not in denied]
        if len({value for _, value in held}) > 1:
            yield one.revised(findings=tuple(ref for ref, _ in held), values=tuple(value for _, value in held))


def _places(findings: Mapping[str, Finding], verdicts: Iterable[QuoteVerdict]) -> Iterator[tuple[Spot, TablePlace]]:
    """Yield where the quotes are that are in a table, by source, start and end."""
    for verdict in verdicts:
        for quote, place in zip(findings[verdict.finding].quotes, verdict.in_tables, strict=False):
            if place:
                yield spot(quote), place


def _gaps(
    material: ReportMaterial, last_tries: Iterable[Todo], sources: Iterable[Source], limits: Iterable[str]
) -> Iterator[str]:
    """Return what is missing or was left out, a line each."""
    words = material.words
    for todo in last_tries:
        if todo.status is TodoStatus.FAILED:
            yield f"{todo.id} failed: {todo.task}: {todo.result}"
    yield from _gaps_of_todos(material.recorded)
    if not material.options.dates.is_open:
        yield from (words.undated.format(title=one.title or one.uri) for one in sources if not one.published)
    yield from limits
    yield from _duplicate_source_notes(material)


def _gaps_of_todos(entries: Iterable[LedgerEntry]) -> Iterator[str]:
    """Yield what todos miss, each once; what several of them miss alike with their ids."""
    todo_ids: dict[str, list[str]] = {}
    for entry in entries:
        for gap in dict.fromkeys(entry.gaps):
            todo_ids.setdefault(gap, []).append(entry.todo_id)
    yield from (f"{', '.join(ids)}: {gap}" if len(ids) > 1 else gap for gap, ids in todo_ids.items())


def _report_section(
    todo: Todo, material: ReportMaterial, draft: ReportDraft, builder: CitationBuilder
) -> ReportSection:
    section, entry = draft.sections.get(todo.id), material.entries.get(todo.id)
    if section:
        claims = builder.claims(section.sentences)
        note = None if claims else material.words.not_proven
        heading = _heading(section.heading, todo.task, claims, material)
        return ReportSection(todo_id=todo.id, heading=heading, claims=claims, note=note)
    if entry and entry.findings:
        note = material.words.said_earlier
    elif entry:
        note = entry.findings_summary
    else:
        note = todo.result or f"This todo is {todo.status}."
    return ReportSection(todo_id=todo.id, heading=todo.task, note=note)


def _heading(written: str, asked: str, claims: Iterable[Claim], material: ReportMaterial) -> str:
    """Return the heading that a model wrote over claims, or what was asked where those that stand do not hold it."""
    standing = [claim for claim in claims if claim.verdict is not Verdict.REFUTED]
    cited = [citation for claim in standing for citation in claim.citations]
    titles = _titles(material)
    context = (asked, material.question, *(titles[citation.source] for citation in cited))
    return written if cited and is_held(written, [citation.text for citation in cited], context) else asked


def _headed_section(
    own: str, material: ReportMaterial, draft: ReportDraft, builder: CitationBuilder, fallbacks: Collection[str]
) -> ReportSection:
    """Return the section under a given heading; a sentence without findings says that there are none for it."""
    section = draft.sections.get(own)
    claims = builder.claims(one for one in section.sentences if one.findings) if section else ()
    why = material.words.not_proven if own in fallbacks else material.words.no_finding_belongs
    return ReportSection(todo_id=own, heading=material.headings[own], claims=claims, note=None if claims else why)


def _drop_repeated_claims(section: ReportSection, conclusion: tuple[Claim, ...], words: ReportWords) -> ReportSection:
    """Return a section without the claims that the conclusion repeats."""
    claims = tuple(claim for claim in section.claims if claim not in conclusion)
    note = section.note if claims or not section.claims else words.is_conclusion
    return ReportSection(todo_id=section.todo_id, heading=section.heading, claims=claims, note=note)


def _duplicate_source_notes(material: ReportMaterial) -> Iterator[str]:
    """Return a line for each source whose words were found in another source too."""
    findings = findings_by_id(material)
    titles = _titles(material)
    for copy, original in material.copied.items():
        one, other = (titles[findings[ref].quotes[0].source] for ref in (original, copy))
        yield material.words.copied.format(copy=other, original=one)


def _titles(material: ReportMaterial) -> Mapping[str, str]:
    return {source.sha256: source.title for entry in material.recorded for source in entry.sources}


def _is_retried(todo: Todo, plan: Plan) -> bool:
    return any(other.retries == todo.id for other in plan.todos)
