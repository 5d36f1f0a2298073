"""Where a passage leads: the names it holds, and the documents it refers to."""

import re
from collections.abc import Iterable, Iterator

from quaestor.evidence.retrieval.names import keys, names, parts

MOST_LEADS = 40
"""Names of one passage that are followed, in their order; a list of hundreds leads everywhere."""

_FIELD = re.compile(
    r"^[ \t>*-]*[^\W\d_][\w -]{1,30}:[ \t]+(#?\d+(?:(?:\s*[,;]\s*|\s+and\s+)#?\d+)*)[ \t]*$", re.MULTILINE
)
_NUMBER = re.compile(r"\d+")
_TARGET = re.compile(
    r"\[[^\]\n]*\]\((?P<inline>[^)#?\s]+)|\[\[(?P<wiki>[^\]|#\n]+)|:(?P<role>\w+):`(?:[^`<>\n]*<)?(?P<named>[^`<>\n]+)>?`"
)
_NUMBERED = 2
"""Words of the key of a document in a series: its name and a number."""


def references(text: str, own: Iterable[str]) -> tuple[str, ...]:
    """Give the keys of the documents that a passage refers to, in order.

    Bare numbers in a field ("Replaces: 622") count in the series of the document, of whose keys `own` are; link
    targets (`[text](file.md)`, `[[name]]`, `:pep:`622``) by the name of their file or page.
    """
    series = [prefix for key in own for prefix in _series(key)]
    numbered = (f"{prefix} {number}" for prefix in series for number in _numbers(text))
    found = keys((*numbered, *_targets(text)))
    return tuple(key for key in found if key not in set(own))


def followed(text: str, own: Iterable[str], asked: Iterable[str]) -> tuple[str, ...]:
    """Give the keys of the names in a passage that neither are its document's nor stand in the query."""
    passed = {*own, *asked}
    found = dict.fromkeys(mention.key for mention in names(text) if mention.key not in passed)
    return tuple(found)[:MOST_LEADS]


def _series(key: str) -> Iterator[str]:
    words = parts(key)
    if len(words) == _NUMBERED and words[1].isdigit() and words[0].isalpha():
        yield words[0]


def _numbers(text: str) -> Iterator[str]:
    for field in _FIELD.finditer(text):
        yield from _NUMBER.findall(field[1])


def _targets(text: str) -> Iterator[str]:
    for target in _TARGET.finditer(text):
        if inline := target["inline"]:
            yield re.sub(r"\.\w+$", "", inline.rstrip("/").rsplit("/", 1)[-1])
        elif wiki := target["wiki"]:
            yield wiki
        elif named := target["named"]:
            yield named.rsplit("/", 1)[-1]
            yield f"{target['role']} {named}"
