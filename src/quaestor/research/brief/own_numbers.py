"""Which documents a part calls by their numbers: "proposal 12" has that number and does not only refer to it."""

import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import PurePath

from quaestor.contracts.source import Source
from quaestor.research.contracts.brief import BriefPassage
from quaestor.research.offline.fields.header_fields import find_headers, plain_number

_NUMBERED_FILE = re.compile(r"(?P<series>[^\W\d_]+)[-_ ]?0*(?P<number>\d{1,6})", re.IGNORECASE)


def named_by_number(part: str, passages: Iterable[BriefPassage], sources: Mapping[str, Source]) -> frozenset[str]:
    """Return the sources that a part calls by their series and number, as the header or the file of each has them."""
    return frozenset(
        one.source
        for one in passages
        for series, number in _own_numbers(one, sources[one.source])
        if re.search(rf"\b{re.escape(series)}s?(?: (?:no|nr)\.?)?[ \-#]*0*{number}\b", part, re.IGNORECASE)
    )


def _own_numbers(passage: BriefPassage, source: Source) -> Iterator[tuple[str, str]]:
    if file := _NUMBERED_FILE.fullmatch(PurePath(source.uri).stem):
        yield file["series"], file["number"]
    header = next(find_headers(passage.context.text), None)
    if header and header.number and passage.context.text.lstrip().startswith(header.fields[0].text):
        yield header.number.key, plain_number(header.number.value)
