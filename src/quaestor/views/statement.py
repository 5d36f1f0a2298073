from collections.abc import Sequence

from quaestor.views.visible import one_line


def no_evidence(question: str, gaps: Sequence[str], searches: int, sources_searched: int) -> str:
    """Say plainly that nothing was found that answers the question, so that there is no report.

    The text ends with a line end; `sources_searched` counts the texts that could have held an answer.
    """
    lines = (
        "No report: nothing that was found answers the question, and nothing is claimed without a source.",
        "",
        f"Question: {one_line(question)}",
        f"Searched: {_counted(searches, 'search', 'searches')} over {_counted(sources_searched, 'source', 'sources')}.",
        *(["", "What is missing:", *(f"- {one_line(gap)}" for gap in gaps)] if gaps else []),
        "",
        "Add sources that may hold the answer, or ask more precisely, and run it again.",
    )
    return "\n".join(lines) + "\n"


def _counted(number: int, one: str, many: str) -> str:
    return f"{number:,} {one if number == 1 else many}"
