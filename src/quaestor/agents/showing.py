"""What a given becomes in a prompt: trusted facts for its template, framed data for everything else."""

import re
from collections.abc import Iterable, Mapping, Sequence
from enum import Enum
from typing import assert_never

from quaestor.agents.framing import framed, listed
from quaestor.contracts.agent import AgentCard
from quaestor.contracts.checking import CheckGiven
from quaestor.contracts.delegation import ScoutGiven
from quaestor.contracts.ledger import Finding
from quaestor.contracts.line import Line
from quaestor.contracts.roles import PlanDigestLine, ReadGiven, Shown, labelled

Fact = int | str
"""A number, a truth, or the words of an enumeration: nothing that anybody outside could have written."""

Item = str | Finding | AgentCard | PlanDigestLine | Line
Value = str | int | Line | Sequence[Item] | None


def facts(given: Shown) -> Mapping[str, Fact]:
    """Give what a template may know of a given: its scalars, and of every other field the number of its items."""
    return {type(given).__name__: True, **{name: _fact(getattr(given, name)) for name in type(given).model_fields}}


def _fact(value: Value | Enum) -> Fact:
    match value:
        case None:
            return 0
        case Enum():
            return str(value.value)
        case str():
            return int(bool(value))
        case int():
            return value
        case Line():
            return 1
        case _:
            words = [item.value for item in value if isinstance(item, Enum)]
            return ", ".join(words) if words else len(value)


def data(given: Shown, field: str) -> str:
    """Give one field as framed data; an empty frame when it is empty or this given does not have it."""
    match given, field:
        case (ReadGiven() | ScoutGiven(), "hits"):
            return _passages(given)
        case (ReadGiven() | ScoutGiven(), "findings"):
            return _quotable(given)
        case CheckGiven(), "sentences":
            return _sentences(given)
        case _:
            return _framed(getattr(given, field, None), field)


def _framed(value: Value, field: str) -> str:
    match value:
        case None:
            return framed("", field)
        case str():
            return framed(value, field)
        case int():
            return framed(str(value), field)
        case Line():
            return framed(value.text, field)
        case _:
            return listed(map(_line, value), field)


def _line(item: Item) -> str:
    match item:
        case str():
            return item
        case Finding():
            return f"{item.id}: {item.claim}"
        case AgentCard():
            tools = f", uses {', '.join(item.tools)}" if item.tools else ""
            return f"{item.name}: {item.description} (gives a {item.contract}{tools})"
        case PlanDigestLine():
            return f"{item.id}: {item.task}"
        case Line():
            return item.text
        case never:
            assert_never(never)


def _sentences(given: CheckGiven) -> str:
    return _blocks(
        frame
        for line in given.sentences
        for frame in (
            framed(line.text, f"sentence {line.number}"),
            listed(line.quotes, f"quotes of sentence {line.number}"),
        )
    )


def _passages(given: ReadGiven | ScoutGiven) -> str:
    labels = labelled(given.hits, ())
    if not labels:
        return framed("", "hits")
    return _blocks(
        framed(hit.passage.text, label, hit.title, hit.passage.heading, _address(hit.uri))
        for label, hit in zip(labels, given.hits, strict=True)
    )


def _quotable(given: ReadGiven | ScoutGiven) -> str:
    """Give each claim with the labels of its quotes, then the quotes, numbered on from the passages."""
    labels = iter(tuple(labelled(given.hits, given.findings).items())[len(given.hits) :])
    quoted = [(finding, [next(labels) for _ in finding.quotes]) for finding in given.findings]
    claims = (f"{one.id}: {one.claim} (quotes: {', '.join(label for label, _ in quotes)})" for one, quotes in quoted)
    return _blocks(
        (
            listed(claims, "findings"),
            *(framed(quote.text, label, f"a quote of {one.id}") for one, quotes in quoted for label, quote in quotes),
        )
    )


def _blocks(frames: Iterable[str]) -> str:
    return "\n".join(frames)


def _address(uri: str) -> str:
    """Give a URL whole, of a path only the file's name: where documents lie is nobody's business."""
    return uri if "://" in uri else re.split(r"[/\\]", uri)[-1]
