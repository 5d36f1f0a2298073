"""The steps from the recorded findings to the brief: the paragraphs are read, then the brief is recorded."""

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from quaestor.contracts.action import Record, ToolRun
from quaestor.contracts.lazy import LazyImport
from quaestor.contracts.tools import SimilarWord
from quaestor.evidence.months import month_number
from quaestor.research.contracts.brief import Brief
from quaestor.research.contracts.tools import ContextInput
from quaestor.research.events import ReportWritten
from quaestor.research.phases import Briefing
from quaestor.research.reports.generation import generation_info
from quaestor.research.state import ResearchState

if TYPE_CHECKING:
    from quaestor.research.brief.assembly import BriefMaterial

# The rules that read without a model are a third of the wing, which a session with a model never uses.
_MATERIAL: "LazyImport[type[BriefMaterial]]" = LazyImport("quaestor.research.brief.assembly:BriefMaterial")
_LEFT_OUT: LazyImport[Callable[..., tuple[str, ...]]] = LazyImport(
    "quaestor.research.reports.source_bounds:left_out_notes"
)
_REPLACE_WORDS: LazyImport[Callable[[str, Iterable[tuple[str, str]]], str]] = LazyImport(
    "quaestor.evidence.spelling:replace_words"
)
_ASSEMBLE: LazyImport[Callable[..., Brief]] = LazyImport("quaestor.research.brief.assembly:assemble_brief")


def request_contexts(state: ResearchState) -> ToolRun:
    """Return the run that reads the paragraph around every quote."""
    similar = _asked_similar_words(state)
    given = ContextInput(
        findings=state.all_findings(),
        question=state.topic,
        spelt=_REPLACE_WORDS.load()(state.topic, (one.pair for one in similar)) if similar else "",
        corpus=state.options.corpus,
        before=state.options.as_of,
        since=state.options.since,
        language=state.report_material.language,
    )
    key = f"contexts/{state.report_versions + 1}"
    return ToolRun(key=key, state="VERIFYING", tool="contexts", uses_reserve=True, given=given)


def publish_brief(state: ResearchState, phase: Briefing) -> Record:
    """Return the record of the brief."""
    similar = _asked_similar_words(state)
    material = _MATERIAL.load()(
        question=state.topic,
        plan=state.plan,
        entries=state.entries,
        contexts=phase.contexts,
        contradictions=state.contradictions,
        growth_refused=state.growth_refused,
        language=state.report_material.language,
        left_out=_LEFT_OUT.load()(state.outcomes, state.options, state.report_material.words, similar),
        similar=similar,
        needs_dates=not state.options.dates.is_open,
    )
    version = state.report_versions + 1
    partial = state.stopped.note if state.stopped else None
    making = generation_info(state, extractive=True)
    brief = _ASSEMBLE.load()(material, version=version, making=making, partial=partial)
    return Record(key=f"report/{version}", state="VERIFYING", facts=(ReportWritten(report=brief),))


def _asked_similar_words(state: ResearchState) -> tuple[SimilarWord, ...]:
    """Return the words in whose place others were searched, without those that queries hold and nobody asked for.

    A month that was searched in another language is the same, and dates in numbers hold it too.
    """
    asked = "\n".join((state.topic, *(todo.task for todo in state.plan.todos)))
    return tuple(one for one in state.outcomes.similar_words() if one.word in asked and not _is_same_month(one))


def _is_same_month(similar: SimilarWord) -> bool:
    month = month_number(similar.word)
    return month is not None and month == month_number(similar.found)
