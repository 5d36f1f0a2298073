"""What a given becomes in a prompt: trusted facts for its template, framed data for everything else."""

import re
from collections.abc import Iterable, Mapping, Sequence
from enum import Enum
from typing import assert_never

from quaestor.agents.fencing import enclose, frame_list
from quaestor.contracts.agent import AgentCard
from quaestor.contracts.base import PromptLine
from quaestor.contracts.ledger import Finding
from quaestor.contracts.roles import PromptInput
from quaestor.research.contracts.optional_roles import CheckInput, DelegateToolInput
from quaestor.research.contracts.roles import PlanOutlineItem, ReadInput, label_quotes

TemplateValue = int | str
"""A number, a truth, or the words of an enumeration: nothing that anybody outside could have written."""

Item = str | Finding | AgentCard | PlanOutlineItem | PromptLine
Value = str | int | PromptLine | Sequence[Item] | None


def template_values(given: PromptInput) -> Mapping[str, TemplateValue]:
    """Give what a template may know of a given: its scalars, and of every other field the number of its items."""
    return {
        type(given).__name__: True,
        **{name: _template_value(getattr(given, name)) for name in type(given).model_fields},
    }


def _template_value(value: Value | Enum) -> TemplateValue:
    match value:
        case None:
            return 0
        case Enum():
            return str(value.value)
        case str():
            return int(bool(value))
        case int():
            return value
        case PromptLine():
            return 1
        case _:
            words = [item.value for item in value if isinstance(item, Enum)]
            return ", ".join(words) if words else len(value)


def render_field(given: PromptInput, field: str) -> str:
    """Give one field as framed data; an empty frame when it is empty or this given does not have it."""
    match given, field:
        case (ReadInput() | DelegateToolInput(), "hits"):
            return _render_passages(given)
        case (ReadInput() | DelegateToolInput(), "findings"):
            return _render_findings(given)
        case CheckInput(), "sentences":
            return _render_sentences(given)
        case _:
            return _render_value(getattr(given, field, None), field)


def _render_value(value: Value, field: str) -> str:
    match value:
        case None:
            return enclose("", field)
        case str():
            return enclose(value, field)
        case int():
            return enclose(str(value), field)
        case PromptLine():
            return enclose(value.text, field)
        case _:
            return frame_list(map(_item_line, value), field)


def _item_line(item: Item) -> str:
    match item:
        case str():
            return item
        case Finding():
            return f"{item.id}: {item.claim}"
        case AgentCard():
            tools = f", uses {', '.join(item.tools)}" if item.tools else ""
            return f"{item.name}: {item.description} (gives a {item.contract}{tools})"
        case PlanOutlineItem():
            return f"{item.id}: {item.task}"
        case PromptLine():
            return item.text
        case never:
            assert_never(never)


def _render_sentences(given: CheckInput) -> str:
    return _join_frames(
        frame
        for line in given.sentences
        for frame in (
            enclose(line.text, f"sentence {line.number}"),
            frame_list(line.quotes, f"quotes of sentence {line.number}"),
        )
    )


def _render_passages(given: ReadInput | DelegateToolInput) -> str:
    labels = label_quotes(given.hits, ())
    if not labels:
        return enclose("", "hits")
    return _join_frames(
        enclose(hit.passage.text, label, hit.title, hit.passage.heading, _display_uri(hit.uri))
        for label, hit in zip(labels, given.hits, strict=True)
    )


def _render_findings(given: ReadInput | DelegateToolInput) -> str:
    """Give each claim with the labels of its quotes, then the quotes, numbered on from the passages."""
    labels = iter(tuple(label_quotes(given.hits, given.findings).items())[len(given.hits) :])
    quoted = [(finding, [next(labels) for _ in finding.quotes]) for finding in given.findings]
    claims = (f"{one.id}: {one.claim} (quotes: {', '.join(label for label, _ in quotes)})" for one, quotes in quoted)
    return _join_frames(
        (
            frame_list(claims, "findings"),
            *(enclose(quote.text, label, f"a quote of {one.id}") for one, quotes in quoted for label, quote in quotes),
        )
    )


def _join_frames(frames: Iterable[str]) -> str:
    return "\n".join(frames)


def _display_uri(uri: str) -> str:
    """Give a URL whole, of a path only the file's name: where documents lie is nobody's business."""
    return uri if "://" in uri else re.split(r"[/\\]", uri)[-1]
