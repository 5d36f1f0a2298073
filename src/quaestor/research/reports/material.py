"""What a report is written from: the question, the plan, the ledger, and the form that was asked for."""

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from quaestor.contracts.immutable import Immutable
from quaestor.contracts.lazy import deferred
from quaestor.contracts.ledger import Finding, LedgerEntry
from quaestor.research.contracts.plan import Plan
from quaestor.research.options import ResearchOptions
from quaestor.research.planning.frontier import remembered

if TYPE_CHECKING:
    from quaestor.research.reports.fixed_words import ReportWords

_find_copies: Callable[[Sequence[Finding]], Mapping[str, str]] = deferred("quaestor.evidence.text_reuse:find_copies")

_report_language: Callable[[str], str] = deferred("quaestor.research.reports.languages:report_language")
_report_words: "Callable[[str], ReportWords]" = deferred("quaestor.research.reports.fixed_words:report_words")


@remembered
def _copied_findings(*entries: LedgerEntry) -> Mapping[str, str]:
    return _find_copies([finding for entry in entries for finding in entry.findings])


LedgerEntries = Mapping[str, LedgerEntry]
"""Ledger entries by todo."""


class ReportMaterial(Immutable):
    """What a report is written from."""

    question: str
    plan: Plan
    entries: LedgerEntries
    options: ResearchOptions

    @property
    def language(self) -> str:
        """The language of the report: the one asked for, else that of the question."""
        return self.options.language or _report_language(self.question)

    @property
    def words(self) -> "ReportWords":
        """The fixed words of the report."""
        return _report_words(self.language)

    @property
    def recorded(self) -> tuple[LedgerEntry, ...]:
        """The ledger entries in plan order."""
        places = self.plan.places  # a large plan has far more todos than are recorded while it is carried out
        recorded = sorted(self.entries.keys() & places.keys(), key=places.__getitem__)
        return tuple(self.entries[todo_id] for todo_id in recorded)

    @property
    def copied(self) -> Mapping[str, str]:
        """The findings that only copy an earlier one from another source, each with that one, by their ids."""
        return _copied_findings(*self.recorded)

    @property
    def gaps(self) -> tuple[str, ...]:
        """The gaps of all entries, each once."""
        return tuple(dict.fromkeys(gap for entry in self.recorded for gap in entry.gaps))

    @property
    def headings(self) -> Mapping[str, str]:
        """The headings that a person gave, by the ids of their sections; none: every todo has a section."""
        return {f"s{place}": heading for place, heading in enumerate(self.options.sections or (), 1)}

    @property
    def section_ids(self) -> tuple[str, ...]:
        """The ids of the sections in their order."""
        return tuple(self.headings) or tuple(todo.id for todo in self.plan.todos)

    def interleave_findings(self) -> list[Finding]:
        """Return all findings but copies of others, the first of every todo before the second of any."""
        copies = self.copied
        lists = [[one for one in entry.findings if one.id not in copies] for entry in self.recorded]
        longest = max((len(findings) for findings in lists), default=0)
        return [findings[place] for place in range(longest) for findings in lists if place < len(findings)]
