"""The direct answer of a brief, which no passage and no sentence of another document may speak against."""

from collections.abc import Sequence

from quaestor.contracts.ledger import Finding
from quaestor.research.brief.answers import Answer, find_answer
from quaestor.research.brief.contradicted_rows import find_speaking_against
from quaestor.research.brief.stated_date import Told
from quaestor.research.contracts.brief import AnswerProof, BriefPassage, CheckedAnswer
from quaestor.research.contracts.tools import Contexts, LookedUp
from quaestor.research.offline.fields.doubtful_rows import refuse_answer
from quaestor.research.offline.fields.header_fields import parse_fact
from quaestor.research.offline.words.question import Question
from quaestor.research.reports.fixed_words import ReportWords, report_words


def find_undisputed(
    question: Question, findings: Sequence[Finding], told: Told, contexts: Contexts, language: str | None
) -> tuple[Answer | None, LookedUp | None]:
    """Return the direct answer, with what was looked up: without its answer, and why, where something disputes it."""
    words, looked_up = report_words(language), contexts.looked_up
    answer = find_answer(question, findings, told, looked_up, language)
    if answer is None:
        return None, looked_up
    if not answer[1].rows:
        disputed = _disputed(answer[1], told.passages, findings, contexts, words)
        return (None, disputed) if disputed else (answer, looked_up)
    if looked_up and (against := find_speaking_against(looked_up, told.passages)):
        return None, _declined(looked_up, against, words)
    return answer, looked_up


def _declined(found: LookedUp, against: BriefPassage, words: ReportWords) -> LookedUp:
    """Return what was looked up without its answer, as a passage may say otherwise."""
    reason = words.passage_speaks.format(number=against.number, place=found.label)
    return found.revised(answer=None, refusal=reason, rows=(), counted=(), sources=())


def _disputed(
    proof: AnswerProof,
    passages: Sequence[BriefPassage],
    findings: Sequence[Finding],
    contexts: Contexts,
    words: ReportWords,
) -> LookedUp | None:
    """Return why header fields that answer may not hold, if a sentence of some document tells otherwise of one."""
    cited = {one.finding for one in passages if one.number in proof.passages}
    claims = {one.claim for one in findings if one.id in cited}
    told = next((one for one in contexts.field_disputes if one.claim in claims), None)
    if proof.kind is not CheckedAnswer.FIELD or told is None:
        return None
    fact = parse_fact(told.claim)
    reason = refuse_answer(told.title, fact.subject if fact else "", proof.label, told.said, words)
    return LookedUp(kind=proof.kind, label=proof.label, refusal=reason)
