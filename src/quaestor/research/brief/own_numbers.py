"""Which documents a part calls by their numbers: "proposal 12" has that number and does not only refer to it."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

from quaestor.contracts.source import Source
from quaestor.evidence.retrieval.document_names import file_name
from quaestor.research.contracts.brief import BriefPassage
from quaestor.research.offline.fields.header_fields import find_headers, plain_number
from quaestor.research.offline.words.held_words import OF_SERIES

_OWN_NUMBER = re.compile(r"(?:[^\W\d_]+[-_ ]?)?0*(?P<number>\d{1,6})(?=\Z|[-_ ])")
"""How the name of a file begins that has the number of its document: "0256-limits", "pep-0484"."""
_NUMBERED_FILE = re.compile(r"(?P<series>[^\W\d_]+)[-_ ]?(?P<number>\d{1,8})")


def numbered_file(uri: str) -> tuple[str, str] | None:
    """Return the series and the number, as it is written, that the name of a file is: "pep-0484"; else None."""
    found = _NUMBERED_FILE.fullmatch(file_name(uri))
    return (found["series"], found["number"]) if found else None


def named_by_number(part: str, passages: Iterable[BriefPassage], sources: Mapping[str, Source]) -> frozenset[str]:
    """Return the sources that a part calls by their series and number, as the header or the file of each has them."""
    return frozenset(
        one.source
        for one in passages
        for series, number in _own_numbers(one, sources[one.source])
        if re.search(rf"\b{re.escape(series)}s?(?: (?:no|nr)\.?)?[ \-#]*0*{number}\b", part, re.IGNORECASE)
    )


def documents_of_sides(sides: Sequence[str], sources: Mapping[str, Source]) -> Mapping[str, str]:
    """Return of documents, by their hashes, which side each is, where all sides are numbers of a series: SIMD-0256.

    The document of another number is none of them (""). Nothing where no document is one of the sides, or a side is of
    no series.
    """
    numbers = {found["number"]: side for side in sides if (found := OF_SERIES.search(side))}
    if len(numbers) < len(sides):
        return {}
    own = {key: found["number"] for key, one in sources.items() if (found := _OWN_NUMBER.match(file_name(one.uri)))}
    sided = {key: numbers.get(number, "") for key, number in own.items()}
    return sided if any(sided.values()) else {}


def _own_numbers(passage: BriefPassage, source: Source) -> Iterator[tuple[str, str]]:
    if file := numbered_file(source.uri):
        series, number = file
        yield series, number.lstrip("0") or number
    header = next(find_headers(passage.context.text), None)
    if header and header.number and passage.context.text.lstrip().startswith(header.fields[0].text):
        yield header.number.key, plain_number(header.number.value)
