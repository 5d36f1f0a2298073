"""The values of a template: fields as text, untrusted text framed by fences that nothing in the text can close."""

import re
from collections.abc import Iterable, Mapping, Sequence
from enum import Enum
from functools import cache
from typing import Literal, assert_never, get_args, get_origin, get_type_hints

from pydantic import StringConstraints

from quaestor.contracts.base import PromptLine
from quaestor.contracts.ledger import Finding
from quaestor.contracts.roles import AgentCard, PromptFrame, PromptInput

FENCE = "~"
MIN_FENCE_LENGTH = 3
MAX_ORIGIN_LENGTH = 120
"""The length to which a title, a heading or an address is cut."""
_FENCE_RUNS = re.compile(f"{FENCE}+")
_UNREADABLE = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff\U000e0000-\U000e007f]")
"""Control characters but tab and line feed, lone surrogates, and the invisible letters of Unicode's tag block."""


def replace_unreadable(text: str) -> str:
    """Return the text with every unreadable character replaced by U+FFFD; its length stays."""
    return _UNREADABLE.sub("\ufffd", text)


def one_line(text: str) -> str:
    """Return the readable text on one line: every run of white space becomes one blank."""
    return replace_unreadable(" ".join(text.split()))


def format_origin(text: str) -> str:
    """Return a label for an opening fence: one line, cut, without the fence's character."""
    line = one_line(text).replace(FENCE, "-")
    return line if len(line) <= MAX_ORIGIN_LENGTH else f"{line[: MAX_ORIGIN_LENGTH - 1]}…"


def enclose(text: str, *origins: str) -> str:
    """Return the text between fences; `origins` beside the opening one name what it is and where it is from."""
    data = replace_unreadable(text)
    fence = FENCE * max(MIN_FENCE_LENGTH, 1 + max(map(len, _FENCE_RUNS.findall(data)), default=0))
    return f"{fence} {' | '.join(filter(None, map(format_origin, origins)))}\n{data}\n{fence}"


def frame_list(items: Iterable[str], *origins: str) -> str:
    """Return short texts between fences, one a line."""
    return enclose("\n".join(f"- {one_line(item)}" for item in items), *origins)


TemplateValue = int | str
"""A number, a truth value, or words of an enumeration or of a pattern: nothing that comes from outside."""

Item = str | Finding | AgentCard | PromptLine
Value = str | int | PromptLine | Sequence[Item] | None


def template_values(prompt_input: PromptInput) -> Mapping[str, TemplateValue]:
    """Return the values that a template may use: scalars and words, of every other field the number of its items."""
    kind = type(prompt_input)
    worded = _word_fields(kind)
    values = {name: getattr(prompt_input, name) for name in kind.model_fields}
    return {
        kind.__name__: True,
        **{name: _words(value) if name in worded else _template_value(value) for name, value in values.items()},
    }


@cache
def _word_fields(kind: type[PromptInput]) -> frozenset[str]:
    """Return the fields with words of an enumeration or of a pattern, which the type tells: a value may be any text."""
    hints = get_type_hints(kind, include_extras=True)
    return frozenset(name for name in kind.model_fields if _is_worded(hints[name]))


def _is_worded(annotation: object) -> bool:
    if isinstance(annotation, StringConstraints):
        return annotation.pattern is not None
    if isinstance(annotation, type) and issubclass(annotation, Enum):
        return True
    return get_origin(annotation) is Literal or any(map(_is_worded, get_args(annotation)))


def _words(value: str | Sequence[str] | None) -> TemplateValue:
    words = [value] if isinstance(value, str) else value or ()
    return ", ".join(map(str, words)) or 0


def _template_value(value: Value) -> TemplateValue:
    match value:
        case None:
            return 0
        case str():
            return int(bool(value))
        case int():
            return value
        case PromptLine():
            return 1
        case _:
            return len(value)


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
