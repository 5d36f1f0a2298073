"""The last of the records that were found, as minutes and letters: what it tells is later than what is shown."""

from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet

from quaestor.contracts.source import Source
from quaestor.research.brief.record_items import is_before, written_day
from quaestor.research.contracts.brief import BriefPassage
from quaestor.research.offline.words.wording import asked_words


def later_than_shown(
    passages: Sequence[BriefPassage], shown: AbstractSet[int], sources: Mapping[str, Source]
) -> BriefPassage | None:
    """Return the last passage of a record, of those not shown, if it is of a later day than all records that are.

    The best one must be of a record too, and the later one hold a word of its part: "Green Fork let us down".
    """
    days = {one.number: day for one in passages if (day := written_day(sources[one.source]))}
    last = max((days[number] for number in shown & days.keys()), default=None)
    if last is None or not any(one.is_best and one.number in days for one in passages):
        return None
    later = [
        one
        for one in passages
        if one.number in days.keys() - shown
        and is_before(last, days[one.number])
        and len(one.absent) < len(asked_words(one.part))
    ]
    return max(later, key=lambda one: (days[one.number], -one.number), default=None)
