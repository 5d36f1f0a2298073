"""Writing: a section for each todo in plan order, and the frame around them; some of it is written without a model."""

from collections.abc import Iterable, Mapping, Sequence

from quaestor.contracts.action import OutputPass
from quaestor.contracts.ledger import Finding, LedgerEntry
from quaestor.evidence.ranking import json_size, take_within
from quaestor.research.contracts.writing import (
    Frame,
    FrameInput,
    Section,
    SectionInput,
    WrittenSentence,
)
from quaestor.research.reports.draft import ReportDraft, Sections
from quaestor.research.reports.form import headed_sections_without_model, request_headed_sections
from quaestor.research.reports.material import ReportMaterial

_SECTION_KEY = "write/section/"


def assign_findings(material: ReportMaterial) -> Mapping[str, tuple[Finding, ...]]:
    """Return the findings that each todo's section may use; every claim belongs to the first todo that made it.

    A finding that only copies another source belongs to no section.
    """
    said: set[str] = set()
    share: dict[str, tuple[Finding, ...]] = {}
    copies = material.copied
    for entry in material.recorded:
        fresh = {" ".join(finding.claim.split()): finding for finding in entry.findings if finding.id not in copies}
        share[entry.todo_id] = tuple(finding for claim, finding in fresh.items() if claim not in said)
        said |= fresh.keys()
    return share


def may_have_sections(entries: Iterable[LedgerEntry], sections: Sections) -> bool:
    """Return whether an entry without a section claims what none before it does; copies are not looked for."""
    said: set[str] = set()
    for entry in entries:
        claims = {" ".join(finding.claim.split()) for finding in entry.findings}
        if entry.todo_id not in sections and not claims <= said:
            return True
        said |= claims
    return False


def section_key(todo_ids: Iterable[str]) -> str:
    """Return the key of the pass that writes the sections of some todos."""
    return f"{_SECTION_KEY}{'+'.join(todo_ids)}"


def section_todo_ids(key: str) -> tuple[str, ...]:
    """Return the todos whose sections the pass of a key writes; none for the key of another pass."""
    return tuple(key.removeprefix(_SECTION_KEY).split("+")) if key.startswith(_SECTION_KEY) else ()


def request_sections(material: ReportMaterial, sections: Sections, *, is_complete: bool = True) -> Sequence[OutputPass]:
    """Return the output passes of the sections that have findings and are not written yet.

    Few findings of several todos are written in one pass. Unless the material is complete, the last of these waits for
    the findings of more todos.
    """
    if material.headings:
        return request_headed_sections(material, sections, _SECTION_KEY) if is_complete else ()
    share = assign_findings(material)
    passes = []
    for group in _group_entries(material, share, is_complete=is_complete):
        missing = [entry for entry in group if entry.todo_id not in sections]
        if missing:
            passes.append(_request_section(material, missing, share))
    return passes


def _group_entries(
    material: ReportMaterial, share: Mapping[str, tuple[Finding, ...]], *, is_complete: bool
) -> Sequence[Sequence[LedgerEntry]]:
    """Return the entries with findings in groups that fit into a prompt together; a large one is alone.

    Written ones are grouped too: so an entry is in the same group whichever pass was answered first.
    """
    ceiling = material.options.prompt_characters
    closed: list[list[LedgerEntry]] = []
    small: list[LedgerEntry] = []
    room = ceiling
    for entry in material.recorded:
        size = sum(map(json_size, share[entry.todo_id]))
        if 2 * size > ceiling:
            closed.append([entry])
        elif size > room:
            closed.append(small)
            small, room = [entry], ceiling - size
        elif size:
            small.append(entry)
            room -= size
    return [*closed, small] if is_complete else closed


def _request_section(
    material: ReportMaterial, entries: Sequence[LedgerEntry], share: Mapping[str, tuple[Finding, ...]]
) -> OutputPass:
    first, *others = entries
    findings = [finding for entry in entries for finding in share[entry.todo_id]]
    return OutputPass(
        key=section_key(entry.todo_id for entry in entries),
        state="DRAFTING",
        todo_id=first.todo_id,
        role="writer",
        uses_reserve=True,
        given=SectionInput(
            question=material.question,
            todo_id=first.todo_id,
            task=first.description,
            other_tasks=tuple(entry.description for entry in others),
            summary="",  # it adds nothing to the findings
            findings=take_within(findings, material.options.prompt_characters, json_size),
            gaps=tuple(dict.fromkeys(gap for entry in entries for gap in entry.gaps)),
            language=material.options.language_name,
            audience=material.options.audience or "",
            length=material.options.length_asked,
        ),
    )


def split_section(material: ReportMaterial, todo_ids: Sequence[str], section: Section) -> Sections:
    """Return the section of each todo of one pass: the sentences that rest on its findings.

    A todo that no sentence rests on gets the claims of its findings.
    """
    if len(todo_ids) == 1:
        return {todo_ids[0]: section}
    own: dict[str, list[WrittenSentence]] = {todo_id: [] for todo_id in todo_ids}
    owner = todo_ids[0]
    for sentence in section.sentences:  # one that names no finding follows the one before it
        named = (ref.rpartition("/")[0] for ref in sentence.findings)
        owner = next((todo_id for todo_id in named if todo_id in own), owner)
        own[owner].append(sentence)
    return {
        todo_id: Section(heading=material.entries[todo_id].description[:300], sentences=tuple(sentences))
        if sentences
        else section_without_model(material, todo_id)
        for todo_id, sentences in own.items()
    }


def request_frame(material: ReportMaterial, memory: Iterable[str]) -> OutputPass:
    """Return the output pass of the summary, the key findings, the conclusion and the answer.

    It needs the findings and not the sections, so both are written at the same time.
    """
    ceiling = material.options.prompt_characters
    gaps = [gap for entry in material.recorded for gap in entry.gaps]
    headings = tuple(material.headings.values())
    tasks = headings or [entry.description for entry in material.recorded if entry.findings]
    given = FrameInput(
        question=material.question,
        headings=take_within(tasks, ceiling // 8, len),
        findings=take_within(material.interleave_findings(), ceiling, json_size),
        memory=take_within(memory, ceiling // 4, len),
        gaps=take_within(gaps, ceiling // 8, len),
        language=material.options.language_name,
        audience=material.options.audience or "",
        length=material.options.length_asked,
    )
    return OutputPass(key="write/frame", state="WRITING", role="writer", uses_reserve=True, given=given)


def section_without_model(material: ReportMaterial, todo_id: str) -> Section:
    """Return the section of a todo written without a model: the claims of its findings, unchanged.

    Under a given heading there is none: it stays a sentence that names no finding.
    """
    if heading := material.headings.get(todo_id):
        return Section(heading=heading, sentences=(WrittenSentence(text=heading),))
    findings = assign_findings(material)[todo_id]
    sentences = tuple(WrittenSentence(text=finding.claim, findings=(finding.id,)) for finding in findings)
    return Section(heading=material.entries[todo_id].description[:300], sentences=sentences)


def frame_without_model(material: ReportMaterial) -> Frame:
    """Return the frame written without a model: the first claim of every todo."""
    copies = material.copied
    first = tuple(
        WrittenSentence(text=finding.claim, findings=(finding.id,))
        for entry in material.recorded
        for finding in [one for one in entry.findings if one.id not in copies][:1]
    )
    return Frame(title=material.question[:300], summary=first)


def complete_without_model(material: ReportMaterial, sections: Sections, frame: Frame | None = None) -> ReportDraft:
    """Return the draft with every missing section, and the frame if there is none, written without a model."""
    if material.headings:
        written = {**sections, **headed_sections_without_model(material, sections)}
        return ReportDraft(sections=written, frame=frame or frame_without_model(material))
    missing = {
        todo_id: section_without_model(material, todo_id)
        for todo_id, share in assign_findings(material).items()
        if share and todo_id not in sections
    }
    return ReportDraft(sections={**sections, **missing}, frame=frame or frame_without_model(material))
