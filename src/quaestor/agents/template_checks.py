"""Checks of an agent's template, before any model is asked."""

from collections.abc import Iterator, Sequence
from typing import assert_never

from quaestor.agents.inputs import TemplateVariables
from quaestor.agents.source_file import Fault
from quaestor.agents.tags import Tag, parse_tags

ROLES = ("system", "user")


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
    return None if tag.alone else "it stands alone on its line, at the beginning"


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
