"""What later documents of a numbered series say of one: that they replace, update or amend it, which it seldom knows.

They say so in a field of their header ("Replaces: 491") or in their first lines ("an amendment to RFC-1"); or they are
called by the end of something ("Remove filters") and link to it there.
"""

import re
from collections.abc import Iterator
from pathlib import PurePath

from quaestor.contracts.library import Library
from quaestor.contracts.source import DateRange, Hit, Source
from quaestor.evidence.retrieval.document_names import called_path, file_name, told_file
from quaestor.evidence.tokenization import content_terms, sentence_spans, shorten
from quaestor.research.brief.document_status import document_status, is_out_of_force
from quaestor.research.offline.words.correction_words import REPLACES
from quaestor.research.offline.words.dates import find_partial_dates
from quaestor.research.offline.words.language import stems_of
from quaestor.research.offline.words.markup import strip_markup
from quaestor.research.offline.words.removal_words import TO_BE_ENDED

_HITS = 12
"""Passages with the number and a word for it that are read."""
_MOST = 2
"""Documents that are told of."""
_TOP = 3_000
"""Characters within which a document says what it is for."""
_MAX_SAID = 160
_NUMBER = re.compile(r"(?<!\d)\d{1,5}(?!\d)")
_KEYS = rf"{REPLACES}|updates|amends|extends"
_FIELD = re.compile(rf"^[\s>*|_:-]*(?:{_KEYS})[\s*|_]*(?::|\|)(?P<value>.+)$", re.IGNORECASE | re.MULTILINE)
"""A line of a header, or the row of one in a table."""
_TELLS = re.compile(rf"(?<!rather than )\b(?:{_KEYS}|revises|amend\w* (?:to|of|for)) [^.;]{{0,80}}?\Z", re.IGNORECASE)
"""Before the name of a document, in a sentence."""
_SERIES = re.compile(r"[A-Z][A-Z0-9]*[A-Z]")
"""What a series may be called: RFC."""
_TERMS = tuple(
    sorted(
        stems_of(f"{REPLACES} updates amends amendment extends revises remove drop deprecate retire".replace("|", " "))
    )
)


async def find_successors(
    library: Library, corpus: str, source: Source, status: str, dates: DateRange
) -> tuple[str, ...]:
    """Return what documents beside a numbered one say that they replace or amend it, each with what it is called.

    Nothing where its own status tells that it is not in force. A document that is not in force itself replaces none.
    """
    name, place = file_name(source.uri), called_path(source.uri).parent
    number = _number_of(name)
    if not corpus or not number or is_out_of_force(status):
        return ()
    series = _series_of(f"{name} {source.title}", number)
    told: dict[str, str] = {}
    forms = [term for term in content_terms(name) if term.isdecimal() and int(term) == int(number)]
    for hit in await library.search(corpus, forms, _HITS, _TERMS, dates, only_filters=True):
        own = hit.passage.source
        is_beside = own != source.sha256 and called_path(hit.uri).parent == place
        said = _said(hit, told_file(source.uri), number, series) if is_beside and hit.passage.start < _TOP else ""
        if said and own not in told and not is_out_of_force(await _status(library, own, hit.uri)):
            told[own] = said
    return tuple(told.values())[:_MOST]


def _number_of(name: str) -> str:
    """Return the number that a document is called by; that of a day is none."""
    is_dated = any(one.month for one in find_partial_dates(name.replace("_", " ")))
    found = None if is_dated else _NUMBER.search(name)
    return str(int(found[0])) if found else ""


def _series_of(name: str, number: str) -> str:
    """Return a pattern for what the series of a document is called, by its name: the letters before the number."""
    found = re.search(rf"([A-Za-z]{{2,8}})[\s#_-]*0*{number}(?!\d)", name)
    return f"(?i:{found[1]})" if found else _SERIES.pattern


async def _status(library: Library, sha256: str, uri: str) -> str | None:
    path = PurePath(uri)
    return document_status(await library.text(sha256) or "", path.stem, path.parent.name)


def _said(hit: Hit, file: str, number: str, series: str) -> str:
    """Return what a document is called, and what it says of that of a number; nothing where it says nothing of it."""
    if TO_BE_ENDED.match(hit.title) and re.search(rf"[/(]{re.escape(file)}", hit.passage.text):
        return hit.title
    said = next(_sayings(hit.passage.text, number, series), "")
    return f"{hit.title}: “{shorten(strip_markup(said), _MAX_SAID)}”" if said else ""


def _sayings(text: str, number: str, series: str) -> Iterator[str]:
    """Yield the fields and sentences of a text that tell of a document of a series that it is replaced or amended."""
    named = re.compile(rf"(?<![\w.-])(?<!/pull/)(?<!/issues/)(?:(?P<series>{series})[\s#-]*)?0*{number}(?![\w-]|\.\d)")
    for found in _FIELD.finditer(text):
        if any(one["series"] or not _SERIES.search(one.string) for one in named.finditer(found["value"])):
            yield found[0].strip()
    for start, end in sentence_spans(text):
        sentence = strip_markup(text[start:end])
        if any(one["series"] and _TELLS.search(sentence[: one.start()]) for one in named.finditer(sentence)):
            yield sentence
