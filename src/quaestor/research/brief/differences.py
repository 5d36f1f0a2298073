"""Values that differ between the passages of a brief."""

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import PurePath

from quaestor.contracts.ledger import Contradiction
from quaestor.contracts.source import Source
from quaestor.research.brief.own_numbers import numbered_file
from quaestor.research.brief.record_items import Day, record_day
from quaestor.research.contracts.brief import BriefDifference, BriefPassage

_YEAR = re.compile(r"(?<!\d)(?:19|20)\d\d(?!\d)")
_FEWEST_DIGITS = 3
"""Digits of the number of a proposal, with its zeros; "letter-2" may tell otherwise of what "letter-1" tells."""
_SEVERAL = 2


def find_differences(
    contradictions: Sequence[Contradiction], passages: Sequence[BriefPassage], sources: Mapping[str, Source]
) -> Iterator[BriefDifference]:
    """Yield what differs between shown passages.

    Records of two days or years each tell what was so then, and proposals of one series each what is said of itself.
    """
    numbers = {passage.finding: passage.number for passage in reversed(passages)}
    for one in contradictions:
        if all(ref in numbers for ref in one.findings):
            cited = tuple(numbers[ref] for ref in one.findings)
            told = [sources[passage.source] for passage in passages if passage.number in cited]
            is_of_several_times = len({_time_of(source) for source in told} - {None}) >= _SEVERAL
            if not (is_of_several_times or _are_of_a_series(told)):
                yield BriefDifference(subject=one.subject, values=one.values, passages=cited)


def _are_of_a_series(sources: Sequence[Source]) -> bool:
    """Return whether several documents are called alike but for their numbers, as "rfc-0006" and "rfc-0010"."""
    files = {numbered_file(source.uri) for source in sources}
    numbered = [one for one in files if one and len(one[1]) >= _FEWEST_DIGITS]
    return len(numbered) == len(files) >= _SEVERAL and len({series for series, _ in numbered}) == 1


def _time_of(source: Source) -> Day | str | None:
    """Return the day that a document is of by its name or title, or the year in the name of it or of its folder."""
    path = PurePath(source.uri)
    years = _YEAR.findall(f"{path.parent.name} {path.stem} {source.title}")
    return record_day(source.title, path.stem) or (years[-1] if years else None)
