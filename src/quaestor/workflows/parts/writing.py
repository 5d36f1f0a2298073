"""Writing: one section a todo in plan order, then what stands around them, verified before it is a report."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from quaestor.contracts.action import OutputPass
from quaestor.contracts.checking import CheckLine
from quaestor.contracts.event import Verdict
from quaestor.contracts.ledger import Contradiction, Finding, LedgerEntry
from quaestor.contracts.noun import Noun
from quaestor.contracts.options import ResearchOptions
from quaestor.contracts.plan import Plan, Todo, TodoStatus
from quaestor.contracts.report import Claim, Making, Report, ReportSection
from quaestor.contracts.roles import Frame, FrameGiven, Section, SectionGiven, WrittenSentence
from quaestor.evidence.cite import Citing
from quaestor.evidence.copies import copied
from quaestor.evidence.recall import batched, size, within

Entries = Mapping[str, LedgerEntry]
"""Ledger entries by todo."""


class Draft(Noun):
    """What was written so far: a section a todo, and the frame."""

    sections: Mapping[str, Section] = {}
    frame: Frame | None = None


@dataclass(frozen=True, slots=True)
class Material:
    """What writing works from."""

    question: str
    plan: Plan
    entries: Entries
    options: ResearchOptions

    @property
    def recorded(self) -> tuple[LedgerEntry, ...]:
        """The ledger entries in plan order."""
        return tuple(self.entries[todo.id] for todo in self.plan.todos if todo.id in self.entries)

    @property
    def copied(self) -> Mapping[str, str]:
        """The findings that only copy an earlier one from another source, each with that one, by their ids."""
        return copied([finding for entry in self.recorded for finding in entry.findings])


def shares(material: Material) -> Mapping[str, tuple[Finding, ...]]:
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


def sections_wanted(material: Material, draft: Draft) -> Sequence[OutputPass]:
    """Ask for every section that has something to say and is not written yet."""
    ceiling = material.options.prompt_characters
    share = shares(material)
    return [
        OutputPass(
            key=f"write/section/{entry.todo_id}",
            state="WRITING",
            todo_id=entry.todo_id,
            role="writer",
            writing=True,
            given=SectionGiven(
                question=material.question,
                todo_id=entry.todo_id,
                task=entry.description,
                summary=entry.findings_summary,
                findings=within(share[entry.todo_id], ceiling, size),
                gaps=entry.gaps,
            ),
        )
        for entry in material.recorded
        if share[entry.todo_id] and entry.todo_id not in draft.sections
    ]


def frame_wanted(material: Material, draft: Draft, memory: Iterable[str]) -> OutputPass:
    """Ask for the summary, the key findings, the conclusion and the answer."""
    ceiling = material.options.prompt_characters
    gaps = [gap for entry in material.recorded for gap in entry.gaps]
    headings = [draft.sections[entry.todo_id].heading for entry in material.recorded if entry.todo_id in draft.sections]
    given = FrameGiven(
        question=material.question,
        headings=within(headings, ceiling // 8, len),
        findings=within(_in_turn(material), ceiling, size),
        memory=within(memory, ceiling // 4, len),
        gaps=within(gaps, ceiling // 8, len),
    )
    return OutputPass(key="write/frame", state="WRITING", role="writer", writing=True, given=given)


def plain_section(material: Material, todo_id: str) -> Section:
    """Give the section that needs no writer: the claims as they stand."""
    findings = shares(material)[todo_id]
    sentences = tuple(WrittenSentence(text=finding.claim, findings=(finding.id,)) for finding in findings)
    return Section(heading=material.entries[todo_id].description[:300], sentences=sentences)


def plain_frame(material: Material) -> Frame:
    """Give the frame that needs no writer: the first claim of every todo."""
    copies = material.copied
    first = tuple(
        WrittenSentence(text=finding.claim, findings=(finding.id,))
        for entry in material.recorded
        for finding in [one for one in entry.findings if one.id not in copies][:1]
    )
    return Frame(title=material.question[:300], summary=first)


def plainly(material: Material, draft: Draft) -> Draft:
    """Give the draft with everything that is still missing written without a writer."""
    missing = {
        todo_id: plain_section(material, todo_id)
        for todo_id, share in shares(material).items()
        if share and todo_id not in draft.sections
    }
    return Draft(sections={**draft.sections, **missing}, frame=draft.frame or plain_frame(material))


def sentences_of(material: Material, draft: Draft) -> tuple[WrittenSentence, ...]:
    """Give every sentence of the draft."""
    frame = draft.frame or plain_frame(material)
    sectioned = (
        sentence
        for todo in material.plan.todos
        if todo.id in draft.sections
        for sentence in draft.sections[todo.id].sentences
    )
    answer = (frame.answer,) if frame.answer else ()
    return (*sectioned, *frame.summary, *frame.key_findings, *frame.conclusion, *answer)


def cited(material: Material, draft: Draft, contradictions: Iterable[Contradiction]) -> tuple[Finding, ...]:
    """Give the findings that the draft rests on and those that contradict each other, in the order of the ledger."""
    used = {ref for sentence in sentences_of(material, draft) for ref in sentence.findings}
    used |= {ref for contradiction in contradictions for ref in contradiction.findings}
    return tuple(finding for entry in material.recorded for finding in entry.findings if finding.id in used)


def checkable(material: Material, draft: Draft, verified: Collection[str]) -> Sequence[tuple[CheckLine, ...]]:
    """Give the sentences that stand on verified findings, each once and numbered, in parts that fit a prompt."""
    findings = {finding.id: finding for entry in material.recorded for finding in entry.findings}
    said: dict[str, tuple[str, ...]] = {}
    for sentence in sentences_of(material, draft):
        if sentence.findings and all(ref in verified for ref in sentence.findings):
            quotes = tuple(quote.text for ref in sentence.findings for quote in findings[ref].quotes)
            said.setdefault(" ".join(sentence.text.split()), quotes)
    lines = [CheckLine(number=number, text=text, quotes=said[text]) for number, text in enumerate(said, 1)]
    return batched(lines, material.options.prompt_characters, size)


def assembled(
    material: Material,
    draft: Draft,
    verdicts: Sequence[Verdict],
    *,
    version: int,
    doubted: Collection[str],
    contradictions: tuple[Contradiction, ...],
    growth_refused: tuple[str, ...],
    partial: str | None,
    making: Making,
) -> Report:
    """Give the report: what was verified is supported, what was not is marked or left out."""
    plan, frame = material.plan, draft.frame or plain_frame(material)
    findings = {finding.id: finding for entry in material.recorded for finding in entry.findings}
    disputed = (findings[ref] for contradiction in contradictions for ref in contradiction.findings)
    citing = Citing(
        findings,
        verified={verdict.finding for verdict in verdicts if verdict.verified},
        doubted=doubted,
        drop=material.options.unsupported == "drop",
    )
    proven = citing.claim(frame.answer) if frame.answer and citing.supports(frame.answer) else None
    failed = [
        f"{todo.id} failed: {todo.task}: {todo.result}"
        for todo in plan.todos
        if todo.status is TodoStatus.FAILED and not _retried(todo, plan)
    ]
    gaps = [gap for entry in material.recorded for gap in entry.gaps]
    opening = citing.claims(frame.summary), citing.claims(frame.key_findings)
    sections = tuple(_section(todo, material, draft, citing) for todo in plan.todos if not _retried(todo, plan))
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
        sections=tuple(_unconcluded(section, conclusion) for section in sections),
        contradictions=contradictions,
        disputed=citing.claims(WrittenSentence(text=one.claim, findings=(one.id,)) for one in disputed),
        gaps=tuple(
            dict.fromkeys(
                (
                    *failed,
                    *gaps,
                    *(undated if material.options.as_of else ()),
                    *growth_refused,
                    *_counted_once(material),
                )
            )
        ),
        blocked=tuple(f"{todo.id}: {todo.task}: {todo.result}" for todo in plan.todos if _is_blocked(todo)),
        conclusion=conclusion,
        sources=sources,
        making=making,
        partial=partial,
    )


def _section(todo: Todo, material: Material, draft: Draft, citing: Citing) -> ReportSection:
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


def _unconcluded(section: ReportSection, conclusion: tuple[Claim, ...]) -> ReportSection:
    """Leave what the conclusion says to the conclusion."""
    claims = tuple(claim for claim in section.claims if claim not in conclusion)
    note = section.note if claims or not section.claims else "What this todo found is the conclusion."
    return section.model_copy(update={"claims": claims, "note": note})


def _counted_once(material: Material) -> Iterator[str]:
    """Name the sources whose words were found in another source too."""
    findings = {finding.id: finding for entry in material.recorded for finding in entry.findings}
    titles = {source.sha256: source.title for entry in material.recorded for source in entry.sources}
    for copy, original in material.copied.items():
        one, other = (titles[findings[ref].quotes[0].source] for ref in (original, copy))
        yield f"“{other}” has the same words as “{one}”; what they say alike is counted once."


def _retried(todo: Todo, plan: Plan) -> bool:
    return any(other.retries == todo.id for other in plan.todos)


def _is_blocked(todo: Todo) -> bool:
    return todo.status is TodoStatus.BLOCKED


def _in_turn(material: Material) -> list[Finding]:
    """Give all findings but copies of others, the first of every todo before the second of any."""
    copies = material.copied
    lists = [[one for one in entry.findings if one.id not in copies] for entry in material.recorded]
    longest = max((len(findings) for findings in lists), default=0)
    return [findings[place] for place in range(longest) for findings in lists if place < len(findings)]
