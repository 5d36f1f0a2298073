"""The tags of a template, and their faults.

Tags are the part of Handlebars that an agent needs, and nothing that could hide instructions:

    {{role "system"}} {{role "user"}}             begin a message
    {{data "hits"}}                               a field as framed data
    {{> material}}                                a partial, `_material.prompt`
    {{wanted}}                                    a number, a truth, or words of an enumeration
    {{#if gap}} {{else if hits}} {{else}} {{/if}} and {{#unless gap}} {{/unless}}
    {{! a comment }} {{!-- a comment --}}

There are no loops, no paths and no other helpers.
"""

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Literal, NamedTuple, assert_never

from quaestor.agents.front_matter import TemplateVariables
from quaestor.agents.source_file import Fault

_TAG = re.compile(r"\{\{~?(?:!--.*?--|!(?!--)[^}]*|(?!!)[^{}]*?)~?\}\}", re.DOTALL)
_MAX_SHOWN = 40
ROLES = ("system", "user")
TagKind = Literal["role", "data", "partial", "value", "open", "else", "close", "comment", "unknown"]


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


def role_faults(text: str, first_line: int) -> Iterator[Fault]:
    """Yield the faults of a template's roles: it has one user message, and before it at most one system message."""
    roles = [tag for tag in parse_tags(text, first_line) if tag.kind == "role"]
    yield from (
        Fault(tag.line, tag.source, f"there is no such role; there are {' and '.join(ROLES)}")
        for tag in roles
        if tag.name not in ROLES
    )
    known = [tag for tag in roles if tag.name in ROLES]
    if [tag.name for tag in known] not in (["user"], ["system", "user"]):
        message = 'a template has at most one {{role "system"}}, and then one {{role "user"}}'
        yield Fault(known[-1].line if known else first_line, known[-1].source if known else "role", message)
    outside = text[: roles[0].start] if roles else text
    if outside.strip():
        line = first_line + outside[: len(outside) - len(outside.lstrip())].count("\n")
        yield Fault(line, "role", "there is text outside every role; put it below a role")


def tag_faults(found: Sequence[Tag], variables: TemplateVariables, *, is_dynamic: bool) -> Iterator[Fault]:
    """Yield the faults of the tags of one message or partial.

    A message that is not `is_dynamic` must not depend on the input.
    """
    for tag in found:
        message = _tag_fault(tag, variables)
        if message is None and not is_dynamic and tag.kind in {"data", "value", "open", "else", "close"}:
            message = "the system message is the same for every call; this belongs after the user's role"
        if message:
            yield Fault(tag.line, tag.source, message)
    yield from _nesting_faults(found)


def partial_faults(found: Sequence[Tag]) -> Iterator[Fault]:
    """Yield the tags of a partial that only an agent's own file may contain."""
    for tag in found:
        if tag.kind in {"role", "partial"}:
            yield Fault(tag.line, tag.source, "this cannot stand in a partial")


def _tag_fault(tag: Tag, variables: TemplateVariables) -> str | None:
    match tag.kind:
        case "value" if tag.name in variables.texts:
            return f'this is text, which never enters a template; write {{{{data "{tag.name}"}}}} on a line of its own'
        case "value":
            return _unknown_name(tag.name, variables.counts)
        case "open" | "else":
            return _unknown_name(tag.name, variables.conditions) if tag.name else None
        case "data":
            return _unknown_name(tag.name, variables.data) or _own_line_fault(tag)
        case "partial":
            return _own_line_fault(tag)
        case "unknown":
            return "this tag is not understood; docs/agents.md has those there are"
        case "role" | "close" | "comment":
            return None
        case never:
            assert_never(never)


def _unknown_name(name: str, known: frozenset[str]) -> str | None:
    return None if name in known else f"{name!r} is not known here; there are {', '.join(sorted(known)) or 'none'}"


def _own_line_fault(tag: Tag) -> str | None:
    return None if tag.alone else "it must be alone on its line, at the beginning"


def _nesting_faults(found: Sequence[Tag]) -> Iterator[Fault]:
    blocks: list[tuple[Tag, bool]] = []
    """Every open block, and whether its last branch has begun."""
    for tag in found:
        match tag.kind:
            case "open":
                blocks.append((tag, False))
            case "else" if blocks and not blocks[-1][1]:
                blocks[-1] = blocks[-1][0], not tag.name
            case "close" if blocks and blocks[-1][0].block_name == tag.name:
                blocks.pop()
            case "else" | "close":
                yield Fault(tag.line, tag.source, "there is no open block that this could belong to")
            case _:
                pass
    for tag, _ in blocks:
        yield Fault(tag.line, tag.source, f"is not closed; {{{{/{tag.block_name}}}}} closes it within the same message")
