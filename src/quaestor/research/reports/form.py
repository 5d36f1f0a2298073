"""The form of a report that a person asked for: sections under given headings, and how long each part may be."""

from collections.abc import Collection, Iterable, Mapping, Sequence

from quaestor.contracts.action import OutputPass
from quaestor.contracts.ledger import Finding
from quaestor.contracts.report_settings import Length
from quaestor.evidence.ranking import json_size, take_within
from quaestor.research.contracts.writing import Frame, Section, SectionInput, WrittenSentence
from quaestor.research.reports.material import ReportMaterial

_SHORT_SECTION = 3
_SHORT_SUMMARY = 2
_SHORT_CONCLUSION = 1
"""Sentences of a part of a short report; what a model writes beyond is cut."""


def request_headed_sections(
    material: ReportMaterial, sections: Collection[str], section_key: str
) -> Sequence[OutputPass]:
    """Return the output passes of the sections under given headings that are not written yet.

    Each is shown the findings of all todos, and what the other sections are about.
    """
    if not material.recorded:
        return ()
    scope = material.recorded[-1].todo_id
    findings = take_within(material.interleave_findings(), material.options.prompt_characters, json_size)
    return [
        OutputPass(
            key=f"{section_key}{own}",
            state="DRAFTING",
            todo_id=scope,
            role="writer",
            uses_reserve=True,
            given=SectionInput(
                question=material.question,
                todo_id=own,
                task=heading,
                other_headings=tuple(other for key, other in material.headings.items() if key != own),
                summary="",
                findings=findings,
                gaps=material.gaps,
                language=material.options.language_name,
                audience=material.options.audience or "",
                length=material.options.length_asked,
            ),
        )
        for own, heading in material.headings.items()
        if own not in sections
    ]


def headed_sections_without_model(material: ReportMaterial, sections: Mapping[str, Section]) -> Mapping[str, Section]:
    """Return the missing section that comes first, with the claims of the findings that no written section names.

    Without a model nobody knows under which heading a finding belongs.
    """
    missing = [own for own in material.headings if own not in sections]
    used = {ref for section in sections.values() for sentence in section.sentences for ref in sentence.findings}
    left = [finding for finding in material.interleave_findings() if finding.id not in used]
    if not missing or not left:
        return {}
    sentences = tuple(WrittenSentence(text=finding.claim, findings=(finding.id,)) for finding in left)
    return {missing[0]: Section(heading=material.headings[missing[0]], sentences=sentences)}


def fit_section(section: Section, length: Length | None, findings: Iterable[Finding]) -> Section:
    """Return a section as long as it is to be: a long one also says what the writer left out of its findings."""
    match length:
        case "short":
            return section.revised(sentences=section.sentences[:_SHORT_SECTION])
        case "long":
            told = {ref for sentence in section.sentences for ref in sentence.findings}
            left_out = (WrittenSentence(text=one.claim, findings=(one.id,)) for one in findings if one.id not in told)
            return section.revised(sentences=(*section.sentences, *left_out))
        case "normal" | None:
            return section


def limit_frame(frame: Frame, length: Length | None) -> Frame:
    """Return a frame as long as it may be."""
    if length != "short":
        return frame
    return Frame(
        title=frame.title,
        summary=frame.summary[:_SHORT_SUMMARY],
        conclusion=frame.conclusion[:_SHORT_CONCLUSION],
        answer=frame.answer,
    )
