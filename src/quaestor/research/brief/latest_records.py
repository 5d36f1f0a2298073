"""The last of the records that were found, as minutes and letters: what it tells is later than what is shown."""

from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from pathlib import PurePath

from quaestor.contracts.source import Source
from quaestor.research.brief.record_items import Day, day_of, is_before, record_day
from quaestor.research.contracts.brief import BriefPassage

_BINARY = "application/"
"""Files that programs save with a day of their own, as PDF and those of offices."""


def later_than_shown(
    passages: Sequence[BriefPassage], shown: AbstractSet[int], sources: Mapping[str, Source]
) -> BriefPassage | None:
    """Return the last passage of a record, of those not shown, if it is of a later day than all records that are.

    It shares a word with the question and may tell how it went on: "Green Fork let us down".
    """
    days = {one.number: day for one in passages if (day := _day(sources[one.source]))}
    last = max((days[number] for number in shown & days.keys()), default=None)
    if last is None:
        return None
    later = [one for one in passages if one.number in days.keys() - shown and is_before(last, days[one.number])]
    return max(later, key=lambda one: (days[one.number], -one.number), default=None)


def _day(source: Source) -> Day | None:
    """Return the day of a record, but not the one on which a file was saved."""
    is_saved = source.media_type.startswith(_BINARY)
    return record_day(source.title, PurePath(source.uri).stem) if is_saved else day_of(source)
