"""What the documents of a brief are called above their passages: apart from each other, and of which time."""

import re
from collections.abc import Iterable, Mapping, Sequence

from quaestor.contracts.source import Sha256, Source
from quaestor.research.reports.fixed_words import ReportWords

_YEAR = re.compile(r"(?<!\d)(?:1[5-9]|20)\d\d(?=\D|[01]\d(?:[0-3]\d)?(?!\d)|\Z)")
"""A year, also one before the digits of a month and a day."""


def source_names(sources: Iterable[Source], words: ReportWords) -> Mapping[Sha256, str]:
    """Return what each source is called, and when it is dated: of two price lists one may be an earlier one.

    Of equal titles each has as much of the end of its path as tells it apart.
    """
    titled: dict[str, list[Source]] = {}
    for source in sources:
        titled.setdefault(source.title, []).append(source)
    return {source.sha256: _dated(source, alike, words) for alike in titled.values() for source in alike}


def _dated(source: Source, alike: Sequence[Source], words: ReportWords) -> str:
    """Return a name with the date of its document; where none is known, with the name of a file that tells a year."""
    name = _name_among(source, alike)
    if source.published:
        return name if str(source.published) in name else f"{name}, {words.dated.lower()} {source.published}"
    file = source.uri.rpartition("/")[2]
    told = frozenset(_YEAR.findall(file))
    return name if told <= frozenset(_YEAR.findall(name)) else f"{name} ({file})"


def _name_among(source: Source, alike: Sequence[Source]) -> str:
    if not source.title or len(alike) == 1:
        return source.title or source.uri
    others = [one.uri.split("/") for one in alike if one is not source]
    steps = source.uri.split("/")
    taken = next((n for n in range(1, len(steps)) if all(one[-n:] != steps[-n:] for one in others)), len(steps))
    return f"{source.title} ({'/'.join(steps[-taken:])})"
