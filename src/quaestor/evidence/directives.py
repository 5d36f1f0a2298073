"""What of directives in reStructuredText, and of marks in transcripts of printed books, is said, and what is a label.

A directive's line may be a remark ("note:: Keep it dry."), the name of what is explained below it ("option:: --dry"),
or a name alone, which labels the next heading or stands for words from elsewhere.
"""

import re
from enum import Enum
from typing import NamedTuple

_DIRECTIVE = re.compile(r"\.\. (?:\|[^|]+\| )?(?P<name>[\w:.+-]*\w)::[ \t]*")
_LITERAL = re.compile(
    r"(?:sourcecode|literalinclude|parsed-literal|highlight|math|image|figure|raw|graphviz|replace|productionlist"
    r"|code(?:-block)?|doctest|test(?:code|output)|toctree|include|contents|(?:csv-|list-)?table|index)"
)
_REMARKS = re.compile(r"attention|caution|danger|error|hint|important|note|tip|warning|seealso|todo")
_SIGNATURE = re.compile(r"(?:\S+ ){0,3}\S*\w\(.*\)(?: *->.*)?")
_SENTENCE_END = re.compile(r"[.!?:;。][\"')\]*`_]*\Z")
_PICTURE = r"\[(?:(?:music )?illustration|decoration|blank page)\.?\]"
_PICTURES = re.compile(rf"{_PICTURE}(?:(?: \w+)? {_PICTURE})*", re.IGNORECASE)
_SIDENOTE = re.compile(r"\[sidenote:[^\[\]]*\]", re.IGNORECASE)


class Argument(Enum):
    """What stands behind the name of a directive."""

    NOTHING = "nothing"
    LITERAL = "literal"
    """What stands below is printed as it is, or comes from elsewhere."""
    REMARK = "remark"
    """Words that are read."""
    NAME = "name"
    """A name or a signature: of what is explained below, or of nothing that stands here."""


class Directive(NamedTuple):
    """A directive whose argument begins after so many characters of its line."""

    argument: Argument
    start: int


def read_directive(line: str, words: str) -> Directive | None:
    """Return the directive that a line is, None for any other; `words` are those of the line and what continues it."""
    opening = _DIRECTIVE.match(line)
    if opening is None:
        return None
    said = words[opening.end() :].split()
    if _LITERAL.fullmatch(opening["name"]):
        return Directive(Argument.LITERAL, opening.end())
    if not said:
        return Directive(Argument.NOTHING, opening.end())
    return Directive(_argument(opening["name"], " ".join(said)), opening.end())


def _argument(name: str, said: str) -> Argument:
    if _REMARKS.fullmatch(name):
        return Argument.REMARK
    is_name = " " not in said or (_SIGNATURE.fullmatch(said) is not None and _SENTENCE_END.search(said) is None)
    return Argument.NAME if is_name else Argument.REMARK


def is_picture_mark(words: str) -> bool:
    """Return whether a paragraph marks where a book has a picture: "[Illustration]"; a caption says something."""
    return _PICTURES.fullmatch(words) is not None


def is_sidenote(words: str) -> bool:
    """Return whether a paragraph is what a printed book has in its margin: "[Sidenote: The gale.]"."""
    return _SIDENOTE.fullmatch(words) is not None
