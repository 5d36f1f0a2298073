"""The reviewer: which words and references of a task nothing that was found holds, and what to search for next."""

from collections.abc import Iterator, Sequence

from quaestor.contracts.ledger import Finding
from quaestor.evidence.retrieval.query import parse_query
from quaestor.evidence.stemming import held_stems
from quaestor.research.contracts.roles import Review, ReviewInput
from quaestor.research.offline.fields.header_fields import parse_fact
from quaestor.research.offline.query_writer import alias_queries, new_queries, reference_queries
from quaestor.research.offline.words.aliases import find_aliases
from quaestor.research.offline.words.question import parse_question
from quaestor.research.offline.words.wording import AskedWord, asked_language, asked_words

_MAX_FOLLOW_UPS = 3
_MAX_CLAIMS = 3
_MAX_SUMMARY_LENGTH = 600


def review(given: ReviewInput) -> Review:
    """Return whether everything asked for stands in the findings; if not, the queries that may bring the rest.

    The brief itself states what no passage holds, so a gap is on record only where nothing at all was found.
    """
    claims = tuple(finding.claim for finding in given.findings)
    follow_ups = new_queries(_follow_ups(given, claims), given.executed, _MAX_FOLLOW_UPS)
    return Review(
        is_sufficient=not follow_ups or not given.executed,
        knowledge_gap="" if given.findings else _nothing_found(given.task),
        follow_up_queries=follow_ups if given.executed and given.loops_left else (),
        summary=_summary(claims),
        status="failed" if given.failure else "done",
    )


def _follow_ups(given: ReviewInput, claims: Sequence[str]) -> Iterator[str]:
    """Yield what may bring the rest; a text about many things and a statement are searched whole, by nothing else."""
    query = parse_query(given.question)
    if query.tells or query.states:
        return
    task, question = parse_question(given.task), parse_question(given.question)
    yield from reference_queries(claims, question)
    if any(parse_fact(claim) for claim in claims):
        return
    yield from alias_queries(find_aliases(claims, task), task)
    missing = _missing(given.task, given.findings)
    yield from (word.text for word in missing if word.is_name)


def _missing(task: str, findings: Sequence[Finding]) -> list[AskedWord]:
    words = "\n".join(quote.text for finding in findings for quote in finding.quotes)
    held = held_stems(words, asked_language(task))
    return [word for word in asked_words(task) if not word.stands_in(held)]


def _nothing_found(task: str) -> str:
    names = [word.text for word in asked_words(task) if word.is_name] or [word.text for word in asked_words(task)]
    listed = ", ".join(f"“{name}”" for name in names) or f"“{task.strip()}”"
    return f"No passage holds {listed}."[:1000]


def _summary(claims: Sequence[str]) -> str:
    """Return the first claims, as many as fit."""
    kept = ""
    for claim in claims[:_MAX_CLAIMS]:
        if len(kept) + len(claim) < _MAX_SUMMARY_LENGTH:
            kept = f"{kept} {claim}".strip()
    return kept or (claims[0][:_MAX_SUMMARY_LENGTH] if claims else "")
