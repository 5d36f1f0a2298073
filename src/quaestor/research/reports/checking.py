"""The verdicts on the sentences of a draft: rules first, then the checker and the agents that checked findings."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import assert_never

from quaestor.contracts.action import OutputPass
from quaestor.contracts.lazy import deferred
from quaestor.evidence.ranking import batch_by_size, json_size
from quaestor.research.contracts.delegate_verdicts import CitationVerdicts, FactVerdict
from quaestor.research.contracts.optional_roles import CheckInput, QuotedSentence
from quaestor.research.contracts.verdicts import ClaimCheck, Verdict
from quaestor.research.contracts.writing import normalize_sentence
from quaestor.research.phases import Checking
from quaestor.research.reports import writing
from quaestor.research.reports.revision import known_checks
from quaestor.research.reports.writing import ReportDraft
from quaestor.research.state import ResearchState

_find_broken_rule: Callable[[str, tuple[str, ...], tuple[str, ...]], ClaimCheck | None] = lru_cache(2_048)(
    deferred("quaestor.research.claims.rules:check_by_rules")  # asked again after every event
)
_STRICTEST_FIRST = (Verdict.REFUTED, Verdict.UNVERIFIABLE, Verdict.NOT_CHECKED, Verdict.SUPPORTED)

_NO_VERDICT = ClaimCheck(verdict=Verdict.NOT_CHECKED, note="The checker was asked and gave no verdict.")


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
    for text, check in _checks_by_delegates(state, phase):
        checks[text] = min(checks.get(text, check), check, key=lambda one: _STRICTEST_FIRST.index(one.verdict))
    asked = (line.text for key, lines in _batches(state, phase) if key in phase.checks for line in lines)
    return {**dict.fromkeys(asked, _NO_VERDICT), **checks}


def delegate_checks(verdict: FactVerdict | CitationVerdicts, checked_by: str) -> Mapping[str, ClaimCheck]:
    """Return what an agent concluded, by the words of the statement or by the ids of the findings that it checked."""
    match verdict:
        case FactVerdict():
            check = ClaimCheck(
                verdict=Verdict(verdict.status),
                confidence=verdict.confidence,
                note=verdict.notes,
                checked_by=checked_by,
            )
            return {normalize_sentence(verdict.statement): check}
        case CitationVerdicts(verdicts=verdicts):
            return {
                one.finding: ClaimCheck(
                    verdict=Verdict.SUPPORTED if one.is_valid_citation else Verdict.UNVERIFIABLE,
                    confidence=one.confidence,
                    note=one.notes,
                    checked_by=checked_by,
                )
                for one in verdicts
            }
        case never:
            assert_never(never)


def _checks_by_delegates(state: ResearchState, phase: Checking) -> Iterator[tuple[str, ClaimCheck]]:
    """Return the verdicts of agents on quoted sentences: on the statement itself, or on the findings it rests on."""
    if not state.delegate_checks:
        return
    quoted = {line.text for line in _quoted_sentences(state, phase)}
    claims = {finding.id: normalize_sentence(finding.claim) for finding in state.all_findings()}
    for sentence in writing.all_sentences(state.report_material, ReportDraft(state.sections, phase.frame)):
        text = normalize_sentence(sentence.text)
        check = _check_by_delegates(
            state.delegate_checks, text, [(ref, claims.get(ref, "")) for ref in sentence.findings]
        )
        if check and text in quoted:
            yield text, check


def _check_by_delegates(
    known: Mapping[str, ClaimCheck], text: str, findings: Sequence[tuple[str, str]]
) -> ClaimCheck | None:
    """Return the verdict on a sentence, given the ids and claims of its findings.

    An invalid finding invalidates every sentence on it; a valid one supports only the sentence that repeats its claim.
    """
    if check := known.get(text):
        return check
    checks = [known.get(ref) for ref, _ in findings]
    failed = [check for check in checks if check and check.verdict is not Verdict.SUPPORTED]
    if failed:
        return failed[0]
    repeated = (check for check, (_, claim) in zip(checks, findings, strict=True) if claim == text)
    return next(repeated, None) if all(checks) else None


def _batches(state: ResearchState, phase: Checking) -> Iterator[tuple[str, tuple[QuotedSentence, ...]]]:
    known = known_checks(state.revision) if state.revision else {}
    unknown = (line for line in _quoted_sentences(state, phase) if line.text not in known)
    lines = [line for line in unknown if not _check_by_rules(state, line)]
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
