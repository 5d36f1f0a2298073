"""A delegate's tool pass: one round of searches, as the query writer words them; and its digest of findings."""

from quaestor.contracts.delegation import DigestGiven, ScoutGiven
from quaestor.contracts.event import ToolCall
from quaestor.contracts.roles import QueriesGiven, SummarizeGiven, Summary
from quaestor.contracts.tools import SearchGiven
from quaestor.models.offline.querying import write_queries
from quaestor.models.offline.summarising import summarise

_QUERIES = 3
_NOTHING = "The todos this one builds on found nothing."


def scout(given: ScoutGiven) -> tuple[ToolCall, ...]:
    """Choose the searches of a task, all in the first pass."""
    if given.executed:
        return ()
    known = tuple(finding.claim for finding in given.findings)
    wanted = QueriesGiven(question=given.question, task=given.task, wanted=_QUERIES, known=known)
    return tuple(
        ToolCall(ref=f"c{place}", tool="search", given=SearchGiven(query=query).model_dump(mode="json"))
        for place, query in enumerate(write_queries(wanted).queries, 1)
    )


def digest(given: DigestGiven) -> Summary:
    """Shorten what was found before to the size asked for."""
    lines = tuple(finding.claim for finding in given.findings)
    return summarise(SummarizeGiven(lines=lines or (_NOTHING,), characters=given.characters))
