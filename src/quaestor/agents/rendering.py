"""From an input to its prompt: trusted values for the template, framed data for everything else."""

from collections.abc import Mapping, Sequence
from enum import Enum
from typing import assert_never

from quaestor.agents.fencing import enclose, frame_list
from quaestor.contracts.agent import AgentCard
from quaestor.contracts.base import PromptLine
from quaestor.contracts.ledger import Finding
from quaestor.contracts.roles import PromptFrame, PromptInput

TemplateValue = int | str
"""A number, a truth value, or the words of an enumeration: nothing that comes from outside."""

Item = str | Finding | AgentCard | PromptLine
Value = str | int | PromptLine | Sequence[Item] | None


def template_values(prompt_input: PromptInput) -> Mapping[str, TemplateValue]:
    """Return the values that a template may use: scalars, and of every other field the number of its items."""
    kind = type(prompt_input)
    return {
        kind.__name__: True,
        **{name: _template_value(getattr(prompt_input, name)) for name in kind.model_fields},
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


def render_field(prompt_input: PromptInput, field: str) -> str:
    """Return one field as framed data; an empty frame when it is empty or this input does not have it."""
    frames = prompt_input.frames(field)
    if frames is None:
        return _render_value(getattr(prompt_input, field, None), field)
    return "\n".join(map(_render_frame, frames)) or enclose("", field)


def _render_frame(frame: PromptFrame) -> str:
    if isinstance(frame.content, str):
        return enclose(frame.content, *frame.origins)
    return frame_list(frame.content, *frame.origins)


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
        case PromptLine():
            return item.text
        case never:
            assert_never(never)
