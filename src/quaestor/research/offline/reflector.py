"""The reflector: what of the task is not covered yet, and what to ask next."""

from collections.abc import Iterator, Sequence

from quaestor.contracts.ledger import Finding
from quaestor.evidence.tokenization import normalize, terms
from quaestor.research.contracts.roles import Review, ReviewInput
from quaestor.research.offline.aliases import find_aliases
from quaestor.research.offline.header_fields import parse_fact
from quaestor.research.offline.language import (
    AnswerKind,
    detect_language,
    is_background_task,
    not_found_message,
    stems_of,
)
from quaestor.research.offline.planner import missing_names
from quaestor.research.offline.query_writer import (
    alias_queries,
    facet_query,
    lead_names,
    new_queries,
    reference_queries,
)
from quaestor.research.offline.question import Question, core_words, parse_question
from quaestor.research.offline.subjects import subject_names, subject_phrase

_MIN_COVERAGE = 0.6
_ENOUGH_FINDINGS = 3
"""So many findings may tell a side in other words than those it is known by."""
_MAX_FOLLOW_UPS = 3
_MAX_CLAIMS = 3
_MAX_SUMMARY_LENGTH = 600


def review(given: ReviewInput) -> Review:
    """Return whether the findings suffice; if not, what is missing and which new queries may bring it.

    Where nothing was searched, as in an analysis, whatever was found suffices. A name of the question that the plan
    forgot is a new todo, if there is room.
    """
    task, question = parse_question(given.task), parse_question(given.question)
    claims = tuple(finding.claim for finding in given.findings)
    unread = tuple(reference_queries(claims, question)) if _is_whole_question(given) else ()
    thought_over = bool(given.findings) and not given.executed
    missing = () if thought_over else unread or _missing(task, given.findings)
    follow_ups = new_queries(_follow_ups(task, question, claims, missing), given.executed, _MAX_FOLLOW_UPS)
    return Review(
        is_sufficient=not missing,
        knowledge_gap=_gap_statement(task, missing, given.question),
        follow_up_queries=follow_ups if missing and given.loops_left else (),
        summary=_summary(claims),
        status="failed" if given.failure else "done",
        new_todos=() if given.failure or not given.room else missing_names(given, _summary(claims))[:1],
    )


def _is_whole_question(given: ReviewInput) -> bool:
    """Return whether the task is the whole question, so that the thing a chain leads to belongs to it."""
    return given.question.strip() in given.task


def _missing(task: Question, findings: Sequence[Finding]) -> tuple[str, ...]:
    """Name the anchors, facets and, when they are many, the words of the task that no finding covers."""
    if not findings:
        return (task.text.strip(),)
    if any(parse_fact(finding.claim) for finding in findings):
        return ()
    said_so = " ".join(
        normalize(f"{finding.claim} {' '.join(quote.text for quote in finding.quotes)}") for finding in findings
    )
    stems = frozenset(terms(said_so))
    about = "\n".join(subject_names(task) if task.wanted is AnswerKind.PROSE else task.anchors)
    anchors = tuple(
        anchor for anchor in task.anchors if anchor in about and _is_name(anchor) and stems.isdisjoint(terms(anchor))
    )
    bags = [frozenset(terms(finding.claim)) for finding in findings]
    told = len(findings) >= _ENOUGH_FINDINGS
    facets = tuple(
        facet.name for facet in task.facets if not told and not any(bag & stems_of(facet.said) for bag in bags)
    )
    if anchors or facets:
        return (*anchors, *facets)
    if told and task.wanted is AnswerKind.PROSE:
        return ()
    absent = tuple(word for word in core_words(task).split() if not stems.intersection(terms(word)))
    return absent if len(absent) > (1 - _MIN_COVERAGE) * max(1, len(task.core)) else ()


def _is_name(anchor: str) -> bool:
    """Return whether an anchor is a name; the number of a document is none, as its own sentences do not repeat it."""
    return not any(letter.isdigit() for letter in anchor)


def _gap_statement(task: Question, missing: Sequence[str], question: str) -> str:
    """Return what is missing; nothing, if it only leads up to the question."""
    if not missing or is_background_task(task.text):
        return ""
    told = not_found_message([_gap_phrase(gap, task) for gap in missing], question)
    words_alone = missing[0] not in (*task.anchors, *(facet.name for facet in task.facets), task.text.strip())
    return f"{told} ({task.text.strip()})" if words_alone else told


def _gap_phrase(gap: str, task: Question) -> str:
    """Return a gap as a reader sees it: a facet with its subject, anything else but a name in quotation marks."""
    facet = next((facet for facet in task.facets if facet.name == gap), None)
    if facet and detect_language(task.text) == "en":
        phrase = facet.heading.format(subject_phrase(task))
        return phrase[:1].lower() + phrase[1:]
    return gap if gap in task.anchors else f"“{gap}”"


def _follow_ups(task: Question, question: Question, claims: Sequence[str], missing: Sequence[str]) -> Iterator[str]:
    yield from reference_queries(claims, question)
    about = core_words(task)
    yield from alias_queries(find_aliases(claims, task), task)
    if question.wanted is not AnswerKind.PROSE:
        yield from (f"{name} {about}" for name in lead_names(claims, task)[:2])
    facets = {facet.name: facet for facet in task.facets}
    for gap in missing:
        yield f"{about} {facet_query(facets[gap], task) if gap in facets else gap}"
    if not claims or not facets.keys() >= set(missing):
        yield f"{about} {core_words(question)}"


def _summary(claims: Sequence[str]) -> str:
    """Return the first claims, as many as fit."""
    kept = ""
    for claim in claims[:_MAX_CLAIMS]:
        if len(kept) + len(claim) < _MAX_SUMMARY_LENGTH:
            kept = f"{kept} {claim}".strip()
    return kept or (claims[0][:_MAX_SUMMARY_LENGTH] if claims else "")
