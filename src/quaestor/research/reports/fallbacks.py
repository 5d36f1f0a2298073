"""What a model was asked for and gave no usable answer: it is made without one, and the report says so."""

from collections.abc import Collection, Iterator, Sequence

from quaestor.research.contracts.report import ReportSection
from quaestor.research.reports.fixed_words import ReportWords

PLAN = "plan"
FRAME = "frame"


def order_fallbacks(fallbacks: Collection[str], section_ids: Sequence[str]) -> tuple[str, ...]:
    """Return the parts of a report in the order of its making, without sections that it does not have."""
    return tuple(part for part in (PLAN, *section_ids, FRAME) if part in fallbacks)


def fallback_notes(fallbacks: Collection[str], sections: Sequence[ReportSection], words: ReportWords) -> Iterator[str]:
    """Yield a line on the plan, one on the sections and one on the frame, where a model gave none."""
    if PLAN in fallbacks:
        yield words.unplanned
    if unwritten := [section.heading for section in sections if section.todo_id in fallbacks]:
        yield words.unwritten_sections.format(sections=", ".join(f"“{heading}”" for heading in unwritten))
    if FRAME in fallbacks:
        yield words.unwritten_frame
