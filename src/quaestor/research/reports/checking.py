"""The verdicts on the sentences of a draft: rules first, then the checker and the agents that checked findings."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import assert_never

from quaestor.contracts.action import OutputPass
from quaestor.contracts.lazy import deferred
from quaestor.contracts.ledger import Finding
from quaestor.evidence.ranking import batch_by_size, json_size
from quaestor.research.contracts.delegate_verdicts import CitationVerdicts, FactVerdict
from quaestor.research.contracts.optional_roles import CheckInput, QuotedSentence
from quaestor.research.contracts.verdicts import ClaimCheck, Verdict
from quaestor.research.contracts.writing import WrittenSentence, normalize_sentence
from quaestor.research.phases import Checking, Verifying
from quaestor.research.reports.citations import independent_quotes
from quaestor.research.reports.draft import (
    ReportDraft,
    Spot,
    Statement,
    draft_report,
    findings_by_id,
    quoted_sentences,
    spot,
)
from quaestor.research.reports.fixed_words import ReportWords
from quaestor.research.reports.revision import KnownClaim, known_claims
from quaestor.research.state import ResearchState

_find_broken_rule: Callable[[str, tuple[str, ...], tuple[str, ...]], ClaimCheck | None] = lru_cache(2_048)(
    deferred("quaestor.research.claims.rules:check_by_rules")  # asked again after every event
)
_STRICTEST_FIRST = (Verdict.REFUTED, Verdict.UNVERIFIABLE, Verdict.NOT_CHECKED, Verdict.SUPPORTED)

_NO_VERDICT = ClaimCheck(verdict=Verdict.NOT_CHECKED, note="The checker was asked and gave no verdict.")
Lines = Mapping[Statement, tuple[QuotedSentence, WrittenSentence]]
"""Statements, each as a checker reads it and as it was written."""


def current_draft(state: ResearchState, phase: Verifying | Checking) -> ReportDraft:
    """Return the draft that is verified and checked."""
    return draft_report(state.report_material, state.sections, phase.frame, state.contradictions)


def request_checks(state: ResearchState, phase: Checking) -> Sequence[OutputPass]:
    """Return the checker's passes over every quoted sentence, if that is wanted.

    Those that break a rule are among them: what its quotes lack they may also deny.
    """
    if not state.options.check or state.stopped:
        return ()
    return [
        OutputPass(key=key, state="VERIFYING", role="checker", uses_reserve=True, given=CheckInput(sentences=lines))
        for key, lines in _batches(state, _quoted_sentences(state, phase))
        if key not in phase.checks
    ]


def judge_sentences(state: ResearchState, phase: Checking) -> Mapping[Statement, ClaimCheck]:
    """Return the verdicts on the statements that rules, the checker or agents judged: of several the strictest."""
    lines = _quoted_sentences(state, phase)
    statements = {line.number: statement for statement, (line, _) in lines.items()}
    asked = [
        (statements[line.number], key) for key, batch in _batches(state, lines) if key in phase.checks for line in batch
    ]
    judged: dict[Statement, ClaimCheck] = {}
    for statement, check in (
        *_checks_by_rules(state, lines),
        *_checks_by_checker(phase, statements, dict.fromkeys(key for _, key in asked)),
        *_checks_by_delegates(state, lines),
    ):
        judged[statement] = min(
            judged.get(statement, check), check, key=lambda one: _STRICTEST_FIRST.index(one.verdict)
        )
    return {**dict.fromkeys((statement for statement, _ in asked), _NO_VERDICT), **judged}


def unjudged_note(words: ReportWords, checks: Mapping[Statement, ClaimCheck]) -> Iterator[str]:
    """Yield a line on the sentences on which the checker was asked and gave no verdict."""
    if unjudged := sum(check == _NO_VERDICT for check in checks.values()):
        yield words.unjudged.format(count=unjudged)


def delegate_checks(
    verdict: FactVerdict | CitationVerdicts, todo_id: str | None, checked_by: str
) -> Mapping[str, ClaimCheck]:
    """Return what an agent concluded in a todo, by the statement or by the ids of the findings that it checked."""
    match verdict:
        case FactVerdict():
            check = ClaimCheck(
                verdict=Verdict(verdict.status),
                confidence=verdict.confidence,
                note=verdict.notes,
                checked_by=checked_by,
            )
            return {_statement_key(todo_id, normalize_sentence(verdict.statement)): check}
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


def _statement_key(todo_id: str | None, text: str) -> str:
    """Return the key of a verdict on a statement: it is one on the evidence that its own todo found."""
    return f"{todo_id}: {text}"


def _checks_by_rules(state: ResearchState, lines: Lines) -> Iterator[tuple[Statement, ClaimCheck]]:
    """Yield the verdicts of the rules; extracts are the words of the sources, so no rule can be broken by them."""
    if state.options.is_extractive:
        return
    for statement, (line, _) in lines.items():
        if check := _find_broken_rule(line.text, (*line.quotes, *line.titles), (state.question,)):
            yield statement, check


def _checks_by_checker(
    phase: Checking, statements: Mapping[int, Statement], keys: Iterable[str]
) -> Iterator[tuple[Statement, ClaimCheck]]:
    for key in keys:
        for one in phase.checks[key]:
            if one.number in statements:
                yield (
                    statements[one.number],
                    ClaimCheck(
                        verdict=Verdict(one.verdict),
                        confidence=one.confidence,
                        note=one.note,
                        checked_by=phase.models.get(key, ""),
                    ),
                )


def _checks_by_delegates(state: ResearchState, lines: Lines) -> Iterator[tuple[Statement, ClaimCheck]]:
    """Yield the verdicts of agents on quoted sentences: on the statement itself, or on the findings it rests on."""
    if not state.delegate_checks:
        return
    claims = {finding.id: normalize_sentence(finding.claim) for finding in state.all_findings()}
    for statement, (line, sentence) in lines.items():
        if not statement.answers and (
            check := _check_by_delegates(
                state.delegate_checks, line.text, [(ref, claims.get(ref, "")) for ref in sentence.findings]
            )
        ):
            yield statement, check


def _check_by_delegates(
    known: Mapping[str, ClaimCheck], text: str, findings: Sequence[tuple[str, str]]
) -> ClaimCheck | None:
    """Return the verdict on a sentence, given the ids and claims of its findings.

    A verdict on a statement holds for the sentence that repeats it on findings of the same todo. An invalid finding
    invalidates every sentence on it; a valid one supports only the sentence that repeats its claim.
    """
    [todo_id, *others] = {ref.rpartition("/")[0] for ref, _ in findings}
    if not others and (check := known.get(_statement_key(todo_id, text))):
        return check
    checks = [known.get(ref) for ref, _ in findings]
    failed = [check for check in checks if check and check.verdict is not Verdict.SUPPORTED]
    if failed:
        return failed[0]
    repeated = (check for check, (_, claim) in zip(checks, findings, strict=True) if claim == text)
    return next(repeated, None) if all(checks) else None


def _batches(state: ResearchState, lines: Lines) -> Iterator[tuple[str, tuple[QuotedSentence, ...]]]:
    known = known_claims(state.revision) if state.revision else frozenset[KnownClaim]()
    findings = findings_by_id(state.report_material)
    unknown = (
        line
        for statement, (line, sentence) in lines.items()
        if (statement.text, _independent_spots(sentence, findings)) not in known
    )
    for place, batch in enumerate(batch_by_size(unknown, state.options.reading_characters, json_size), 1):
        yield f"check/{place}", batch


def _independent_spots(sentence: WrittenSentence, findings: Mapping[str, Finding]) -> frozenset[Spot]:
    return frozenset(spot(quote) for _, quote in independent_quotes(findings[ref] for ref in sentence.findings))


def _quoted_sentences(state: ResearchState, phase: Checking) -> Lines:
    verified = {verdict.finding for verdict in phase.verdicts if verdict.verified}
    return quoted_sentences(state.report_material, current_draft(state, phase), verified)
