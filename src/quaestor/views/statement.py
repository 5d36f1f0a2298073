from collections.abc import Sequence

from quaestor.views.visible import one_line

MOST_GAPS = 20
"""More gaps than these are counted, not listed."""


def no_evidence(
    question: str, gaps: Sequence[str], searches: int, sources_searched: int, stopped: str | None = None
) -> str:
    """Say plainly that nothing was found that answers the question, so that there is no report.

    `sources_searched` counts the texts that could have held an answer, `stopped` says why the search ended early.
    """
    more = len(gaps) - MOST_GAPS
    missing = [f"- {one_line(gap)}" for gap in gaps[:MOST_GAPS]] + [f"- and {more:,} more"] * (more > 0)
    lines = (
        "No report: nothing that was found answers the question, and nothing is claimed without a source.",
        "",
        f"Question: {one_line(question)}",
        f"Searched: {_counted(searches, 'search', 'searches')} over {_counted(sources_searched, 'source', 'sources')}.",
        *([f"It ended early: {one_line(stopped)}."] if stopped else []),
        *(["", "What is missing:", *missing] if missing else []),
        "",
        "Add sources that may hold the answer, or ask more precisely, and run it again.",
    )
    return "\n".join(lines)


def _counted(number: int, one: str, many: str) -> str:
    return f"{number:,} {one if number == 1 else many}"
