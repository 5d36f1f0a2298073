"""Writing: one section a todo in plan order, then what stands around them, verified before it is a report."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from quaestor.contracts.action import OutputPass
from quaestor.contracts.base import Contract
from quaestor.contracts.ledger import Contradiction, Finding, LedgerEntry
from quaestor.evidence.ranking import batch_by_size, json_size, take_within
from quaestor.evidence.text_reuse import find_copies
from quaestor.research.citations import CitationBuilder
from quaestor.research.contracts.optional_roles import QuotedSentence
from quaestor.research.contracts.plan import Plan, Todo, TodoStatus
from quaestor.research.contracts.report import Claim, GenerationInfo, Report, ReportSection
from quaestor.research.contracts.roles import Frame, FrameInput, Section, SectionInput, WrittenSentence
from quaestor.research.events import QuoteVerdict
from quaestor.research.options import ResearchOptions

LedgerEntries = Mapping[str, LedgerEntry]
"""Ledger entries by todo."""


class ReportDraft(Contract):
    """What was written so far: a section a todo, and the frame."""

    sections: Mapping[str, Section] = {}
    frame: Frame | None = None


@dataclass(frozen=True, slots=True)
class ReportMaterial:
    """What writing works from."""

    question: str
    plan: Plan
    entries: LedgerEntries
    options: ResearchOptions

    @property
    def recorded(self) -> tuple[LedgerEntry, ...]:
        """The ledger entries in plan order."""
        return tuple(self.entries[todo.id] for todo in self.plan.todos if todo.id in self.entries)

    @property
    def copied(self) -> Mapping[str, str]:
        """The findings that only copy an earlier one from another source, each with that one, by their ids."""
        return find_copies([finding for entry in self.recorded for finding in entry.findings])


def assign_findings(material: ReportMaterial) -> Mapping[str, tuple[Finding, ...]]:
    """Give each todo the findings its section may use: every claim belongs to the first todo that made it.

    What only copies another source is no finding of its own.
    """
    said: set[str] = set()
    share: dict[str, tuple[Finding, ...]] = {}
    copies = material.copied
    for entry in material.recorded:
        fresh = {" ".join(finding.claim.split()): finding for finding in entry.findings if finding.id not in copies}
        share[entry.todo_id] = tuple(finding for claim, finding in fresh.items() if claim not in said)
        said |= fresh.keys()
    return share


def request_sections(material: ReportMaterial, draft: ReportDraft) -> Sequence[OutputPass]:
    """Ask for every section that has something to say and is not written yet."""
    ceiling = material.options.prompt_characters
    share = assign_findings(material)
    return [
        OutputPass(
            key=f"write/section/{entry.todo_id}",
            state="WRITING",
            todo_id=entry.todo_id,
            role="writer",
            uses_reserve=True,
            given=SectionInput(
                question=material.question,
                todo_id=entry.todo_id,
                task=entry.description,
                summary=entry.findings_summary,
                findings=take_within(share[entry.todo_id], ceiling, json_size),
                gaps=entry.gaps,
            ),
        )
        for entry in material.recorded
        if share[entry.todo_id] and entry.todo_id not in draft.sections
    ]


def request_frame(material: ReportMaterial, draft: ReportDraft, memory: Iterable[str]) -> OutputPass:
    """Ask for the summary, the key findings, the conclusion and the answer."""
    ceiling = material.options.prompt_characters
    gaps = [gap for entry in material.recorded for gap in entry.gaps]
    headings = [draft.sections[entry.todo_id].heading for entry in material.recorded if entry.todo_id in draft.sections]
    given = FrameInput(
        question=material.question,
        headings=take_within(headings, ceiling // 8, len),
        findings=take_within(_interleave_findings(material), ceiling, json_size),
        memory=take_within(memory, ceiling // 4, len),
        gaps=take_within(gaps, ceiling // 8, len),
    )
    return OutputPass(key="write/frame", state="WRITING", role="writer", uses_reserve=True, given=given)


def section_without_model(material: ReportMaterial, todo_id: str) -> Section:
    """Give the section that needs no writer: the claims as they stand."""
    findings = assign_findings(material)[todo_id]
    sentences = tuple(WrittenSentence(text=finding.claim, findings=(finding.id,)) for finding in findings)
    return Section(heading=material.entries[todo_id].description[:300], sentences=sentences)


def frame_without_model(material: ReportMaterial) -> Frame:
    """Give the frame that needs no writer: the first claim of every todo."""
    copies = material.copied
    first = tuple(
        WrittenSentence(text=finding.claim, findings=(finding.id,))
        for entry in material.recorded
        for finding in [one for one in entry.findings if one.id not in copies][:1]
    )
    return Frame(title=material.question[:300], summary=first)


def complete_without_model(material: ReportMaterial, draft: ReportDraft) -> ReportDraft:
    """Give the draft with everything that is still missing written without a writer."""
    missing = {
        todo_id: section_without_model(material, todo_id)
        for todo_id, share in assign_findings(material).items()
        if share and todo_id not in draft.sections
    }
    return ReportDraft(sections={**draft.sections, **missing}, frame=draft.frame or frame_without_model(material))


def all_sentences(material: ReportMaterial, draft: ReportDraft) -> tuple[WrittenSentence, ...]:
    """Give every sentence of the draft."""
    frame = draft.frame or frame_without_model(material)
    sectioned = (
        sentence
        for todo in material.plan.todos
        if todo.id in draft.sections
        for sentence in draft.sections[todo.id].sentences
    )
    answer = (frame.answer,) if frame.answer else ()
    return (*sectioned, *frame.summary, *frame.key_findings, *frame.conclusion, *answer)


def cited_findings(
    material: ReportMaterial, draft: ReportDraft, contradictions: Iterable[Contradiction]
) -> tuple[Finding, ...]:
    """Give the findings that the draft rests on and those that contradict each other, in the order of the ledger."""
    used = {ref for sentence in all_sentences(material, draft) for ref in sentence.findings}
    used |= {ref for contradiction in contradictions for ref in contradiction.findings}
    return tuple(finding for entry in material.recorded for finding in entry.findings if finding.id in used)


def checkable_sentences(
    material: ReportMaterial, draft: ReportDraft, verified: Collection[str]
) -> Sequence[tuple[QuotedSentence, ...]]:
    """Give the sentences that stand on verified findings, each once and numbered, in parts that fit a prompt."""
    findings = {finding.id: finding for entry in material.recorded for finding in entry.findings}
    said: dict[str, tuple[str, ...]] = {}
    for sentence in all_sentences(material, draft):
        if sentence.findings and all(ref in verified for ref in sentence.findings):
            quotes = tuple(quote.text for ref in sentence.findings for quote in findings[ref].quotes)
            said.setdefault(" ".join(sentence.text.split()), quotes)
    lines = [QuotedSentence(number=number, text=text, quotes=said[text]) for number, text in enumerate(said, 1)]
    return batch_by_size(lines, material.options.prompt_characters, json_size)


def assemble_report(
    material: ReportMaterial,
    draft: ReportDraft,
    verdicts: Sequence[QuoteVerdict],
    *,
    version: int,
    doubted: Collection[str],
    contradictions: tuple[Contradiction, ...],
    growth_refused: tuple[str, ...],
    partial: str | None,
    making: GenerationInfo,
) -> Report:
    """Give the report: what was verified is supported, what was not is marked or left out."""
    plan, frame = material.plan, draft.frame or frame_without_model(material)
    findings = {finding.id: finding for entry in material.recorded for finding in entry.findings}
    disputed = (findings[ref] for contradiction in contradictions for ref in contradiction.findings)
    citing = CitationBuilder(
        findings,
        verified={verdict.finding for verdict in verdicts if verdict.verified},
        doubted=doubted,
        drop=material.options.unsupported == "drop",
    )
    proven = citing.claim(frame.answer) if frame.answer and citing.supports(frame.answer) else None
    failed = [
        f"{todo.id} failed: {todo.task}: {todo.result}"
        for todo in plan.todos
        if todo.status is TodoStatus.FAILED and not _is_retried(todo, plan)
    ]
    gaps = [gap for entry in material.recorded for gap in entry.gaps]
    opening = citing.claims(frame.summary), citing.claims(frame.key_findings)
    sections = tuple(
        _report_section(todo, material, draft, citing) for todo in plan.todos if not _is_retried(todo, plan)
    )
    conclusion = citing.claims(frame.conclusion)
    sources = citing.sources(source for entry in material.recorded for source in entry.sources)
    undated = [f"No date is known of {one.title or one.uri}." for one in sources if not one.published]
    return Report(
        version=version,
        question=material.question,
        title=frame.title,
        answer=proven.text if proven else None,
        answer_claim=proven,
        summary=opening[0],
        key_findings=opening[1],
        sections=tuple(_drop_repeated_claims(section, conclusion) for section in sections),
        contradictions=contradictions,
        disputed=citing.claims(WrittenSentence(text=one.claim, findings=(one.id,)) for one in disputed),
        gaps=tuple(
            dict.fromkeys(
                (
                    *failed,
                    *gaps,
                    *(undated if material.options.as_of else ()),
                    *growth_refused,
                    *_duplicate_source_notes(material),
                )
            )
        ),
        blocked=tuple(f"{todo.id}: {todo.task}: {todo.result}" for todo in plan.todos if _is_blocked(todo)),
        conclusion=conclusion,
        sources=sources,
        making=making,
        partial=partial,
    )


def _report_section(todo: Todo, material: ReportMaterial, draft: ReportDraft, citing: CitationBuilder) -> ReportSection:
    section, entry = draft.sections.get(todo.id), material.entries.get(todo.id)
    if section:
        claims = citing.claims(section.sentences)
        note = None if claims else "Nothing that was written on this could be proven."
        return ReportSection(todo_id=todo.id, heading=section.heading, claims=claims, note=note)
    if entry and entry.findings:
        note = "What this todo found is said in earlier sections."
    elif entry:
        note = entry.findings_summary
    else:
        note = todo.result or f"This todo is {todo.status}."
    return ReportSection(todo_id=todo.id, heading=todo.task, note=note)


def _drop_repeated_claims(section: ReportSection, conclusion: tuple[Claim, ...]) -> ReportSection:
    """Leave what the conclusion says to the conclusion."""
    claims = tuple(claim for claim in section.claims if claim not in conclusion)
    note = section.note if claims or not section.claims else "What this todo found is the conclusion."
    return section.model_copy(update={"claims": claims, "note": note})


def _duplicate_source_notes(material: ReportMaterial) -> Iterator[str]:
    """Name the sources whose words were found in another source too."""
    findings = {finding.id: finding for entry in material.recorded for finding in entry.findings}
    titles = {source.sha256: source.title for entry in material.recorded for source in entry.sources}
    for copy, original in material.copied.items():
        one, other = (titles[findings[ref].quotes[0].source] for ref in (original, copy))
        yield f"“{other}” has the same words as “{one}”; what they say alike is counted once."


def _is_retried(todo: Todo, plan: Plan) -> bool:
    return any(other.retries == todo.id for other in plan.todos)


def _is_blocked(todo: Todo) -> bool:
    return todo.status is TodoStatus.BLOCKED


def _interleave_findings(material: ReportMaterial) -> list[Finding]:
    """Give all findings but copies of others, the first of every todo before the second of any."""
    copies = material.copied
    lists = [[one for one in entry.findings if one.id not in copies] for entry in material.recorded]
    longest = max((len(findings) for findings in lists), default=0)
    return [findings[place] for place in range(longest) for findings in lists if place < len(findings)]
