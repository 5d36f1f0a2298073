"""The verdicts on the sentences of a draft: rules first, then the checker on what breaks no rule."""

from collections.abc import Callable, Iterator, Mapping, Sequence

from quaestor.contracts.action import OutputPass
from quaestor.contracts.lazy import deferred
from quaestor.evidence.ranking import batch_by_size, json_size
from quaestor.research import writing
from quaestor.research.contracts.optional_roles import CheckInput, QuotedSentence
from quaestor.research.contracts.verdicts import ClaimCheck, Verdict
from quaestor.research.phases import Checking
from quaestor.research.state import ResearchState
from quaestor.research.writing import ReportDraft

_find_broken_rule: Callable[[str, Sequence[str], Sequence[str]], ClaimCheck | None] = deferred(
    "quaestor.research.claim_rules:check_by_rules"
)


def request_checks(state: ResearchState, phase: Checking) -> Sequence[OutputPass]:
    """Return the checker's passes over every quoted sentence that breaks no rule, if that is wanted."""
    if not state.options.check or state.stopped:
        return ()
    return [
        OutputPass(key=key, state="VERIFYING", role="checker", uses_reserve=True, given=CheckInput(sentences=lines))
        for key, lines in _batches(state, phase)
        if key not in phase.checks
    ]


def judge_sentences(state: ResearchState, phase: Checking) -> Mapping[str, ClaimCheck]:
    """Return the verdicts on the quoted sentences that rules or the checker gave one, by the sentence."""
    sentences = _quoted_sentences(state, phase)
    checks = {line.text: check for line in sentences if (check := _check_by_rules(state, line))}
    for key, lines in _batches(state, phase):
        texts = {line.number: line.text for line in lines}
        for one in phase.checks.get(key, ()):
            if text := texts.get(one.number):
                checks[text] = ClaimCheck(
                    verdict=Verdict(one.verdict),
                    confidence=one.confidence,
                    note=one.note,
                    checked_by=phase.models.get(key, ""),
                )
    return checks


def _batches(state: ResearchState, phase: Checking) -> Iterator[tuple[str, tuple[QuotedSentence, ...]]]:
    lines = [line for line in _quoted_sentences(state, phase) if not _check_by_rules(state, line)]
    for place, batch in enumerate(batch_by_size(lines, state.options.reading_characters, json_size), 1):
        yield f"check/{place}", batch


def _quoted_sentences(state: ResearchState, phase: Checking) -> tuple[QuotedSentence, ...]:
    verified = {verdict.finding for verdict in phase.verdicts if verdict.verified}
    return writing.quoted_sentences(state.report_material, ReportDraft(state.sections, phase.frame), verified)


def _check_by_rules(state: ResearchState, line: QuotedSentence) -> ClaimCheck | None:
    """Return the verdict of the rules; extracts are the words of the sources, so no rule can be broken by them."""
    if state.options.is_extractive:
        return None
    return _find_broken_rule(line.text, (*line.quotes, *line.titles), (state.question,))
