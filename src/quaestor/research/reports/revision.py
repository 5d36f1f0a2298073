"""One section of a written report, written again as a person wishes; all else stays word for word, with its numbers."""

from dataclasses import dataclass

from quaestor.contracts.action import OutputPass
from quaestor.contracts.immutable import Immutable
from quaestor.evidence.normalization import fold_case_and_blanks
from quaestor.evidence.ranking import json_size, take_within
from quaestor.research.contracts.report import Citation, Claim, GenerationInfo, Report, ReportSection
from quaestor.research.contracts.writing import Frame, SectionInput
from quaestor.research.reports.draft import Spot, spot
from quaestor.research.reports.fallbacks import fallback_notes
from quaestor.research.reports.fixed_words import report_words
from quaestor.research.reports.material import ReportMaterial


class WrittenReport(Immutable):
    """The last report that a model wrote on the question, with the frame of its draft."""

    report: Report
    frame: Frame


class Revision(Immutable):
    """What is written again, and how a person wishes it."""

    section_id: str
    wish: str
    before: WrittenReport

    @property
    def present(self) -> ReportSection:
        """The section as it is."""
        return next(one for one in self.before.report.sections if one.todo_id == self.section_id)


def find_section(report: Report, named: str) -> ReportSection | None:
    """Return the section with an id, a heading, or a place counted from 1; None where there is none."""
    said = fold_case_and_blanks(named)
    for section in report.sections:
        if said in {section.todo_id.casefold(), fold_case_and_blanks(section.heading)}:
            return section
    place = int(said) if said.isascii() and said.isdigit() else 0
    return report.sections[place - 1] if 0 < place <= len(report.sections) else None


def request_revision(material: ReportMaterial, revision: Revision, key: str) -> OutputPass:
    """Return the output pass that writes the section again, from its own findings first and then from all others."""
    own = material.entries.get(revision.section_id)
    first = own.findings if own else ()
    findings = tuple(dict.fromkeys((*first, *material.interleave_findings())))
    present = revision.present
    given = SectionInput(
        question=material.question,
        todo_id=revision.section_id,
        task=present.heading,
        summary="",
        findings=take_within(findings, material.options.prompt_characters, json_size),
        gaps=own.gaps if own else (),
        other_headings=tuple(one.heading for one in revision.before.report.sections if one != present),
        present=tuple(claim.text for claim in present.claims),
        wish=revision.wish,
        language=material.options.language_name,
        audience=material.options.audience or "",
        length=material.options.length_asked,
    )
    scope = revision.section_id if own else material.recorded[-1].todo_id
    return OutputPass(key=key, state="DRAFTING", todo_id=scope, role="writer", uses_reserve=True, given=given)


KnownClaim = tuple[str, frozenset[Spot]]
"""The words of a claim, and where its quotes are."""


def known_claims(revision: Revision) -> frozenset[KnownClaim]:
    """Return the claims of the report as it is, on which no verdict is asked for again."""
    return frozenset(map(_known, revision.before.report.claims()))


def _known(claim: Claim) -> KnownClaim:
    return claim.text, frozenset(map(spot, claim.citations))


def revise_report(revision: Revision, redrafted: Report, making: GenerationInfo) -> Report:
    """Return the next version of a report: as it is, with one section of another draft of it.

    What is new gets numbers beyond those that are taken, so that every other claim and citation keeps its own.
    """
    before = revision.before.report
    written = next(one for one in redrafted.sections if one.todo_id == revision.section_id)
    numbering = _Numbering.after(before)
    claims = tuple(numbering.place(claim) for claim in written.claims)
    section = ReportSection(
        todo_id=revision.section_id, heading=written.heading, claims=claims, note=None if claims else written.note
    )
    sections = tuple(section if one.todo_id == revision.section_id else one for one in before.sections)
    words = report_words(before.language)
    settled = set(fallback_notes(before.making.fallbacks, before.sections, words))
    gaps = (*fallback_notes(making.fallbacks, sections, words), *(gap for gap in before.gaps if gap not in settled))
    changed = before.revised(sections=sections, gaps=gaps, version=before.version + 1, making=making)
    cited = {citation.source for citation in changed.citations()}
    known = {source.sha256: source for source in (*before.sources, *redrafted.sources)}
    return changed.revised(sources=tuple(source for sha256, source in known.items() if sha256 in cited))


@dataclass
class _Numbering:
    """Numbers claims and citations on from those of a report; equal ones keep theirs."""

    claims: dict[KnownClaim, Claim]
    citations: dict[Spot, Citation]
    last_claim: int
    last_citation: int

    @classmethod
    def after(cls, report: Report) -> "_Numbering":
        claims, citations = report.claims(), report.citations()
        return cls(
            claims={_known(claim): claim for claim in reversed(claims)},
            citations={spot(citation): citation for citation in citations},
            last_claim=max((claim.number for claim in claims), default=0),
            last_citation=max((citation.number for citation in citations), default=0),
        )

    def place(self, claim: Claim) -> Claim:
        """Return a claim with its number."""
        known = _known(claim)
        if known not in self.claims:
            self.last_claim += 1
            citations = tuple(self._cite(citation) for citation in claim.citations)
            self.claims[known] = claim.revised(number=self.last_claim, citations=citations)
        return self.claims[known]

    def _cite(self, citation: Citation) -> Citation:
        place = spot(citation)
        if place not in self.citations:
            self.last_citation += 1
            self.citations[place] = citation.revised(number=self.last_citation)
        return self.citations[place]
