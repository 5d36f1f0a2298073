"""The tags of a template: the part of Handlebars that an agent needs, and nothing that could hide instructions.

    {{role "system"}} {{role "user"}}             begin a message
    {{data "hits"}}                               a field as framed data
    {{> material}}                                a partial, `_material.prompt`
    {{wanted}}                                    a number, a truth, or words of an enumeration
    {{#if gap}} {{else if hits}} {{else}} {{/if}} and {{#unless gap}} {{/unless}}
    {{! a comment }} {{!-- a comment --}}

There are no loops, no paths and no other helpers.
"""

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Literal, NamedTuple

TagKind = Literal["role", "data", "partial", "value", "open", "else", "close", "comment", "unknown"]

_TAG = re.compile(r"\{\{~?(?:!--.*?--|!(?!--)[^}]*|(?!!)[^{}]*?)~?\}\}", re.DOTALL)
_MAX_SHOWN = 40


class Tag(NamedTuple):
    """One tag: its kind, the name in it, and its position."""

    kind: TagKind
    name: str
    source: str
    start: int
    line: int
    alone: bool
    """True when nothing else is on its line, not even a blank before it."""

    @property
    def end(self) -> int:
        """Return the offset behind it."""
        return self.start + len(self.source)

    @property
    def block_name(self) -> str:
        """Return the name that closes the block this tag opens."""
        return "unless" if self.source.lstrip("{~ ").startswith("#unless") else "if"


@lru_cache(maxsize=256)
def parse_tags(text: str, first_line: int = 1) -> tuple[Tag, ...]:
    """Return every tag of a text in order; one that is not in the list above is `unknown`."""
    return tuple(_scan_tags(text, first_line))


def _scan_tags(text: str, first_line: int) -> Iterator[Tag]:
    offset = text.find("{{")
    while offset >= 0:
        found = _TAG.match(text, offset)
        source = found[0] if found else text[offset:].split("\n", 1)[0][:_MAX_SHOWN]
        kind, name = _parse_tag(source) if found and text[offset - 1 : offset] != "\\" else ("unknown", "")
        line = first_line + text.count("\n", 0, offset)
        before, after = text[:offset].rpartition("\n")[2], text[offset + len(source) :].partition("\n")[0]
        yield Tag(kind, name, source, offset, line, alone=not before and not after.strip())
        offset = text.find("{{", offset + len(source))


def _parse_tag(source: str) -> tuple[TagKind, str]:
    body = source[2:-2].removeprefix("~").removesuffix("~").strip()
    if body.startswith("!"):
        return "comment", ""
    match re.sub(r"^> *", "> ", body).split(" "):
        case ["role" | "data" as kind, name] if re.fullmatch(r'"[^"]*"', name):
            return kind, name[1:-1]
        case [">", name]:
            return "partial", name
        case ["#if" | "#unless", name] | ["else", "if", name]:
            return ("else" if body.startswith("else") else "open"), name
        case ["else"]:
            return "else", ""
        case ["/if" | "/unless" as closing]:
            return "close", closing[1:]
        case [name] if re.fullmatch(r"\w+", name):
            return "value", name
        case _:
            return "unknown", ""
