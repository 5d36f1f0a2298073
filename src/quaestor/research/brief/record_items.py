"""The items of dated records, as minutes: each has a label, and a later record may tell more under the same."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import takewhile
from typing import NamedTuple

from quaestor.contracts.source import Source
from quaestor.evidence.block_lines import Block, BlockKind
from quaestor.evidence.blocks import parse_blocks
from quaestor.evidence.retrieval.document_names import file_name
from quaestor.evidence.spelling import SHORTEST_HEAD
from quaestor.evidence.tokenization import content_terms, terms
from quaestor.research.brief.item_names import OF_RULES, PLACE
from quaestor.research.offline.words.dates import find_dates
from quaestor.research.offline.words.language import stems_of

_LABEL = re.compile(
    r"[\s*+>-]*(?:\(?\d{1,2}[.)][ \t]*)?"
    r"(?:(?P<marks>\*\*|__)(?P<bold>[^*_\n]{2,60}?)[.:]?(?P=marks)|(?P<plain>[^\W\d_][\w'\u2019 -]{1,40}?):(?=\s)"
    r"|(?P<capitals>[^\W\d_a-z](?:[^\W\d_a-z]|[ '\u2019-]){2,40})[.:](?=\s)"
    rf"|(?i:{OF_RULES})\s*\d+[a-z]?\b\.?[ \t]*(?:[\u2013\u2014-][ \t]*)?"
    r"(?P<rule>[^\W\d_a-z][\w'\u2019 -]{1,40}?)[.:](?=\s))"
)
"""What an item begins with: "**Hosepipes.** No one ...", "3. Hosepipes: ...", "3. HOSEPIPES. ...", "§ 3 Hosepipes."."""
_POINT = r"(?:TOP|Tagesordnungspunkt|Punkt|(?:Agenda )?Item|Point|Punto|Ponto|Punt)"
_NUMBERED = re.compile(
    rf"(?:{_POINT} ?\d{{1,2}}[.:)]?|\d{{1,2}}[.)])[ \t]+(?P<title>[^\W\d_][^\n.:;?!]{{1,40}})(?=[ \t]*(?:\n|\Z))",
    re.IGNORECASE,
)
"""The line above the words of an item: "TOP 4 Hosepipes", "4. Hosepipes"."""
_NUMBER = re.compile(r"\d+")
DAY_TERMS = stems_of(
    "mon tue wed thu fri sat sun monday tuesday wednesday thursday friday saturday sunday montag dienstag mittwoch"
    " donnerstag freitag samstag sonntag lundi mardi mercredi jeudi vendredi samedi dimanche lunes martes miércoles"
    " jueves viernes sábado domingo"
    " january february march april may june july august september october november december"
    " januar februar märz mai juni juli oktober dezember"
    " janvier février mars avril juin juillet août septembre octobre novembre décembre"
    " enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre"
)
"""Index terms of the names of days and months."""
_ATTENDANCE = stems_of(
    "present attendance attending attendees absent apologies excused members participants chair minutes date time place"
    " venue da dabei anwesend anwesende abwesend entschuldigt teilnehmer teilnehmende gäste leitung ort datum protokoll"
    " présents absents excusés participants lieu présidence presentes ausentes asistentes asisten asistencia"
    " presenti assenti aanwezig afwezig"
)
"""Labels of what is so on one day alone: who was there, and where."""
_MAX_LABEL_WORDS = 4
_MAX_SECTION = 4_000
"""Characters of a section that is one item; a longer one is on many things."""
_MIN_TOLD = 4
"""Words behind the label of an item that says something whole; with fewer it is one of a list, as of names."""
_LETTER = "message/rfc822"
"""The media type of a mail."""
_ITEMS = frozenset({BlockKind.ITEM, BlockKind.PROSE, BlockKind.FIELD})

Day = tuple[int, int, int]


class RecordItem(NamedTuple):
    """The characters from `start` up to `end` of a text, and the index terms of the label that they begin with."""

    start: int
    end: int
    label: tuple[str, ...]


def record_day(title: str, stem: str) -> Day | None:
    """Return the day that a record has in the name of its file or in its title, whole or as a month; else None."""
    dates = (*find_dates(stem.replace("_", " ")), *find_dates(title))
    return next(((one.year, one.month, one.day) for one in dates if one.month), None)


def day_of(source: Source) -> Day | None:
    """Return the day that a document is called by, or the one that it says that it is of."""
    when = source.published
    own = (when.year, when.month, when.day) if when else None
    return record_day(source.title, file_name(source.uri)) or own


def written_day(source: Source) -> Day | None:
    """Return the day that a record is called by, or on which a letter was sent.

    Other documents may go on being written after the day that they say they are of, as pages and lists of changes do.
    """
    return day_of(source) if source.media_type == _LETTER else record_day(source.title, file_name(source.uri))


def is_same_series(one: tuple[str, str], other: tuple[str, str]) -> bool:
    """Return whether records with these titles and names of files are of one body: its name stands before the day.

    The committee for youth tells nothing of what the committee for buildings said under the same label. Records without
    a title are called by their files.
    """
    titles, stems = ((_called(one[n]), _called(other[n])) for n in range(2))
    return len(set(titles if all(titles) else stems)) == 1


def _called(name: str) -> frozenset[str]:
    """Return the telling words of a name before its first number, else of all of it."""
    plain = name.replace("_", " ")
    before = (frozenset(content_terms(part)) - DAY_TERMS for part in (_NUMBER.split(plain)[0], _NUMBER.sub(" ", plain)))
    return next(filter(None, before), frozenset())


def is_before(one: Day, other: Day) -> bool:
    """Return whether a day is before another one; of a month alone no day is known to be before one of it."""
    said = 3 if one[2] and other[2] else 2
    return one[:said] < other[:said]


def told_day(day: Day) -> str:
    """Return a day as it is told: 2024-05-03, or of a month alone 2024-05."""
    return "-".join(f"{part:02}" for part in day if part)


def find_items(text: str) -> Iterator[RecordItem]:
    """Yield the items of a text that begin with a short label which others of its series may have, in order.

    So does a section without such items, whose heading is its label; that of the text is none. What is the label of
    several is who speaks.
    """
    found = [*_labelled(text)]
    often = Counter(one.label for one in found)
    yield from (one for one in found if often[one.label] == 1)


def _labelled(text: str) -> Iterator[RecordItem]:
    blocks = parse_blocks(text)
    for place, block in enumerate(blocks):
        if label := _label(text, block):
            yield RecordItem(block.start, block.end, label)
        elif block.kind is BlockKind.HEADING and place:
            below = [*takewhile(lambda one: one.kind is not BlockKind.HEADING, blocks[place + 1 :])]
            titled = _NUMBERED.match(text, block.start, block.end)
            label = _usable(titled["title"] if titled else text[block.start : block.end])
            is_short = bool(below) and below[-1].end - below[0].start <= _MAX_SECTION
            # "TOP 4 Site" is the label, and "Offer of Bo Lee: 190" below it is none.
            labelled = [one for one in below if _label(text, one) and not (titled and one.kind is BlockKind.PROSE)]
            if is_short and label and not labelled:
                yield RecordItem(below[0].start, below[-1].end, label)


def _label(text: str, block: Block) -> tuple[str, ...]:
    """Return the index terms of the label that a block begins with, or nothing."""
    if block.kind not in _ITEMS:
        return ()
    if found := _LABEL.match(text, block.top, block.end):
        return _usable(_called_by(found))
    titled = _NUMBERED.match(text, block.top, block.end)
    return _usable(titled["title"]) if titled and titled.end() < block.end else ()


def _called_by(found: re.Match[str]) -> str:
    """Return what a label calls its item, without the place that it has among others: Hosepipes of § 3."""
    label = found["bold"] or found["plain"] or found["capitals"] or found["rule"]
    title = PLACE.sub(" ", label)
    return title if any(map(str.isalpha, title)) else label


def _usable(label: str) -> tuple[str, ...]:
    found = tuple(terms(label))
    return found if 0 < len(found) <= _MAX_LABEL_WORDS and _ATTENDANCE.isdisjoint(found) else ()


def tells_attendance(line: str) -> bool:
    """Return whether a line opens with a label for what is so on one day alone: "Present: Ann, Bob"."""
    found = _LABEL.match(line)
    return found is not None and not _ATTENDANCE.isdisjoint(terms(_called_by(found)))


def asks_about(label: Iterable[str], asked: Iterable[str]) -> bool:
    """Return whether one of the index terms that are asked is one of a label, or a compound that ends in it."""
    ends = tuple(one for one in label if len(one) >= SHORTEST_HEAD)
    words = frozenset(label)
    return any(term in words or term.endswith(ends) for term in asked)


def has_label(text: str, block: Block) -> bool:
    """Return whether a block is an item under a label of its own in bold letters, which tells of nothing beside it."""
    found = _LABEL.match(text, block.top, block.end)
    return found is not None and found["bold"] is not None and len(terms(text[found.end() : block.end])) >= _MIN_TOLD


def item_around(text: str, start: int, end: int) -> RecordItem | None:
    """Return the first item with a label that shares characters with those from `start` up to `end` of a text."""
    return next((one for one in find_items(text) if one.start < end and start < one.end), None)
