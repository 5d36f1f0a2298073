"""Records of later days than those that are cited: what a record tells may be otherwise by then, in any words."""

from collections.abc import Iterable, Sequence

from quaestor.contracts.library import Library
from quaestor.contracts.source import Source
from quaestor.evidence.retrieval.document_names import file_name, told_file
from quaestor.research.brief.record_items import Day, is_before, record_day, told_day, written_day
from quaestor.research.contracts.tools import LaterRecords


async def later_records(
    library: Library, corpus: str, cited: Sequence[Source], known: Iterable[Source]
) -> tuple[LaterRecords, ...]:
    """Return for each cited source that is of a day how many files are called by a later one, beside the known ones.

    These are what may be shown: the cited ones, and what tells of changes and corrections.
    """
    days = {one: day for one in cited if (day := written_day(one))}
    if not corpus or not days:
        return ()
    left_out = {uri for uri, _ in (await library.corpus_state(corpus)).skipped} | {one.uri for one in known}
    others = (mark.uri for mark in await library.marks(corpus) if mark.uri not in left_out)
    of_day = [(day, uri) for uri in others if (day := record_day("", file_name(uri)))]
    found = ((source, [one for one in of_day if is_before(day, one[0])]) for source, day in days.items())
    return tuple(_told(source, later) for source, later in found if later)


def _told(source: Source, later: list[tuple[Day, str]]) -> LaterRecords:
    day, uri = max(later)
    return LaterRecords(source=source.sha256, number=len(later), last=told_file(uri), day=told_day(day))
