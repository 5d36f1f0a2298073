"""What of directives in reStructuredText, and of marks in transcripts of printed books, is said, and what is a label.

A directive's line may be a remark ("note:: Keep it dry."), the name of what is explained below it ("option:: --dry"),
or a name alone, which labels the next heading or stands for words from elsewhere.
"""

import re
from enum import Enum
from typing import NamedTuple

_DIRECTIVE = re.compile(r"\.\. (?:\|[^|]+\| )?(?P<name>[\w:.+-]*\w)::[ \t]*")
_LITERAL = re.compile(
    r"(?:sourcecode|literalinclude|parsed-literal|highlight|math|raw|graphviz|replace|productionlist|code-tab|prompt"
    r"|ipython|plot|mermaid|autosummary|code(?:-block)?|doctest|test(?:code|output|setup|cleanup)|toctree|include|contents|index)"
)
_OUTER = re.compile(r"only|container|rst-class|cssclass|ifconfig|role|default-(?:role|domain)|(?:\w+:)?currentmodule")
"""What stands below these is read as if it stood above: their arguments name nothing that it explains."""
_OBJECTS = re.compile(
    r"(?:\w+:)?(?:(?:async|class|static|abstract|decorator)?method|(?:async)?function|class|exception|attribute|data"
    r"|property|decorator|type|member|macro|struct|enum|enumerator|union|var)"
    r"|(?:cmd)?option|envvar|confval|setting|conf|describe|object|command|django-admin(?:-option)?"
)
"""Names of directives whose whole argument names what is explained below, blanks or not: "option:: -o FILE"."""
_REMARKS = re.compile(r"attention|caution|danger|error|hint|important|note|tip|warning|seealso|todo")
_CHANGES = re.compile(r"version(?:added|changed|removed)|(?:soft-)?deprecated(?:-removed)?")
_PICTURE_DIRECTIVES = re.compile(r"image|figure")
_TABLES = re.compile(r"(?:csv-|list-)?table")
_SIGNATURE = re.compile(r"(?:\S+ ){0,3}\S*\w\(.*\)(?: *->.*)?")
_SENTENCE_END = re.compile(r"[.!?:;。][\"')\]*`_]*\Z")
_MAX_NAME = 60
"""Characters of a signature that is shown with its parameters above what explains it."""
_PARAMETERS = re.compile(r"\((?:[^()]|\([^()]*\))*\)")
_LINE_CONTINUES = re.compile(r"(?:\\|,)\s*\Z")
_ESCAPE = re.compile(r"\\(.?)")
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
    CHANGE = "change"
    """Words that are read with the name of the directive: "deprecated:: 4.1 Use open_link." says little without it."""
    PICTURE = "picture"
    TABLE = "table"
    """Its title: the rows stand below."""
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
    if _PICTURE_DIRECTIVES.fullmatch(opening["name"]):
        is_sign = line.startswith(".. |")  # in a sentence that stands elsewhere, as the badges of a project
        return Directive(Argument.NOTHING if is_sign else Argument.PICTURE, opening.end())
    if _TABLES.fullmatch(opening["name"]):
        return Directive(Argument.TABLE, opening.end())
    if said and _CHANGES.fullmatch(opening["name"]):
        return Directive(Argument.CHANGE, opening.start("name"))
    if not said or _OUTER.fullmatch(opening["name"]):
        return Directive(Argument.NOTHING, opening.end())
    return Directive(_argument(opening["name"], " ".join(said)), opening.end())


def _argument(name: str, said: str) -> Argument:
    if _REMARKS.fullmatch(name):
        return Argument.REMARK
    if _OBJECTS.fullmatch(name):
        return Argument.REMARK if said[-1] in ".!?" and said[-3:] != "..." else Argument.NAME
    is_name = " " not in said or (_SIGNATURE.fullmatch(said) is not None and _SENTENCE_END.search(said) is None)
    return Argument.NAME if is_name else Argument.REMARK


def explained_name(argument: str) -> str:
    """Return what the argument of a directive names, on one line: its names or signatures, long ones in short."""
    names: list[str] = []
    goes_on = False
    for line in argument.split("\n"):
        if goes_on:
            names[-1] = f"{names[-1]} {line.strip()}"
        else:
            names.append(line.strip())
        is_open = names[-1].count("(") > names[-1].count(")")
        goes_on = is_open or _LINE_CONTINUES.search(line) is not None
    return ", ".join(_short(" ".join(_ESCAPE.sub(r"\1", name).split())) for name in names)


def _short(name: str) -> str:
    return name if len(name) <= _MAX_NAME else _PARAMETERS.sub("(\u2026)", name, count=1)


def is_version(change: str) -> bool:
    """Return whether the words of a change are its name and versions, so that what changed is told below it."""
    _, _, told = change.partition("::")
    return all(any(map(str.isdigit, word)) for word in told.split()) or told.strip() in {"next", "VERSION"}


def is_picture_mark(words: str) -> bool:
    """Return whether a paragraph marks where a book has a picture: "[Illustration]"; a caption says something."""
    return _PICTURES.fullmatch(words) is not None


def is_sidenote(words: str) -> bool:
    """Return whether a paragraph is what a printed book has in its margin: "[Sidenote: The gale.]"."""
    return _SIDENOTE.fullmatch(words) is not None
