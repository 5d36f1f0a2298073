"""Documents of one name and several years or versions: an old one does not answer what holds today."""

import re
from collections.abc import Iterable, Mapping
from operator import le
from pathlib import PurePath
from typing import NamedTuple

from quaestor.evidence.tokenization import normalize
from quaestor.research.offline.words.dates import find_dates

_YEAR = re.compile(r"(?<!\d)(?:1[5-9]|20)\d\d(?!\d)")
_VERSION = re.compile(
    r"\b(?:version|release|revision|rev|edition|fassung|ausgabe|révision|édition|versión|edición|versione|edizione|versie"
    r"|uitgave|versão|edição|v)[ .-]?(?P<number>\d+(?:\.\d+)*)\b",
    re.IGNORECASE,
)
_FILE_VERSION = re.compile(
    r"(?<![^\W_])(?:v|ver|version|rev|fassung|versión|versione|versie|versão)[ .-]?(?P<number>\d{1,2})"
    r"(?:[ -](?:final|def|neu|new|ok))?\Z",
    re.IGNORECASE,
)
"""At the end of what a file is called; with a point in it, it is a release of a program, whose notes stay true."""
_BRACKETED = re.compile(r"[(\[][^()\[\]]*[)\]]")
_AS_OF = re.compile(
    r"\b(?:stand|as (?:of|at)|valid (?:from|as of)|updated(?: on)?|gültig (?:ab|seit)"
    r"|(?:état|mise? à jour) (?:au|du|le)"
    r"|actualizad[oa](?: (?:a|el))?|vigente desde|aggiornat[oa] (?:al|il)|bijgewerkt(?: op)?|atualizad[oa] em)[\W_]*\Z",
    re.IGNORECASE,
)
"""Before the day in a title from which on, or up to which, what it is of is so: it is no record of that day."""
_PARTS = re.compile(r"[\W_]+")
_SEASON = re.compile(r"(?<!\d)(?P<year>(?:1[5-9]|20)\d\d)[-_/ ](?P<next>\d\d)(?!\d)")
"""A year and the last digits of another one: 2024-25."""


def named_year(name: str) -> str:
    """Return the one year in the name of a document, or nothing."""
    years = frozenset(_YEAR.findall(name))
    return next(iter(years)) if len(years) == 1 else ""


def find_newer(stem: str, others: Iterable[str]) -> str:
    """Return the name among others that is the same without a year or with a later one, or nothing."""
    year = named_year(stem)
    if not year:
        return ""
    for other in others:
        is_later = named_year(other) > year or not _YEAR.search(other)
        if is_later and _without_year(other) == _without_year(stem):
            return other
    return ""


class _Edition(NamedTuple):
    """What a document is called, and which of those that are called so it is."""

    called: tuple[str, ...]
    versions: tuple[tuple[int, ...], ...]
    days: tuple[tuple[int, int, int], ...]


def earlier_editions(names: Mapping[str, str]) -> frozenset[str]:
    """Return of documents, by their keys, those whose name differs from that of another only in an earlier mark.

    A mark is a version ("version 6", "v2.1") or a year; where names have both, neither may be later. A day beside a
    version is one too, but alone it is that of a meeting or a letter, which the next one does not replace.
    """
    editions = {key: _edition(name) for key, name in names.items()}
    return frozenset(
        key for key, one in editions.items() if any(_is_earlier(one, other) for other in editions.values())
    )


class FileEdition(NamedTuple):
    """What a file is called with the folder that it is in, and their years and version, which tell it from others."""

    folder: PurePath
    called: tuple[tuple[str, ...], ...]
    marks: tuple[int, ...]

    def is_before(self, other: "FileEdition") -> bool:
        """Return whether another file is called so, but for later years or a later version."""
        is_called_so = (self.folder, self.called, len(self.marks)) == (other.folder, other.called, len(other.marks))
        return is_called_so and self.marks != other.marks and all(map(le, self.marks, other.marks))


def file_edition(title: str, path: PurePath) -> FileEdition | None:
    """Return what the file of a document is called, its years and its version: "2024/fees.csv", "cast_v2.csv".

    None without either, for a name without words, and for a record of a day or a month, as minutes are, which the next
    does not replace; a day in brackets behind the title of a document, or behind "as of", is that from which on it is
    valid.
    """
    names = [_SEASON.sub(_whole_season, name.replace("_", " ")) for name in (path.parent.name, path.stem)]
    if any(_is_record(name) for name in (_BRACKETED.sub(" ", title), *names)):
        return None
    years = [year for name in names for year in _YEAR.findall(name)]
    stem = " ".join(_YEAR.sub(" ", names[1]).split())
    version = _FILE_VERSION.search(stem)
    marks = tuple(map(int, (*years, version["number"]) if version else years))
    called = (_without_year(names[0]), _without_year(stem[: version.start()] if version else stem))
    return FileEdition(path.parent.parent, called, marks) if marks and any(map(str.isalpha, called[-1])) else None


def _is_record(name: str) -> bool:
    """Return whether a name has a day or a month that tells when something was, as that of minutes does."""
    return any(date.month and not _AS_OF.search(name.partition(date.text)[0]) for date in find_dates(name))


def _whole_season(found: re.Match[str]) -> str:
    """Return two years that follow each other in full: 2024-25 is no month."""
    year = int(found["year"])
    return f"{year} {year + 1}" if (year + 1) % 100 == int(found["next"]) else found[0]


def earlier_files(documents: Mapping[str, tuple[str, PurePath]]) -> frozenset[str]:
    """Return of documents, by their keys, those whose file is called as that of another but for earlier marks.

    Each has its title and its path.
    """
    editions = {key: file_edition(title, path) for key, (title, path) in documents.items()}
    known = {key: one for key, one in editions.items() if one}
    return frozenset(key for key, one in known.items() if any(map(one.is_before, known.values())))


def names_edition(text: str) -> bool:
    """Return whether a text names a version, a day or a year."""
    edition = _edition(text)
    return bool(edition.versions or edition.days)


def _edition(name: str) -> _Edition:
    dates = find_dates(name)
    rest = _VERSION.sub(" ", normalize(name))
    for one in dates:
        rest = rest.replace(normalize(one.text), " ")
    return _Edition(
        called=tuple(filter(None, _PARTS.split(rest))),
        versions=tuple(tuple(map(int, found["number"].split("."))) for found in _VERSION.finditer(name)),
        days=tuple((one.year, one.month, one.day) for one in dates),
    )


def _is_earlier(one: _Edition, other: _Edition) -> bool:
    pairs = ((one.versions, other.versions), (one.days, other.days))
    is_same_kind = all(len(own) == len(others) for own, others in pairs)
    is_record = not one.versions and any(month for _, month, _ in one.days)
    is_called_so = not is_record and any(part.isalpha() for part in one.called) and one.called == other.called
    return is_called_so and is_same_kind and one != other and all(own <= others for own, others in pairs)


def _without_year(name: str) -> tuple[str, ...]:
    return tuple(filter(None, _PARTS.split(_YEAR.sub(" ", normalize(name)))))
