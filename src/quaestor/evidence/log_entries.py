"""Entries of a log or a chat: lines that begin with a day or a time, as "03/11/2025 08:02 Ann: the lamp is out"."""

import re
from collections.abc import Iterable, Sequence
from itertools import takewhile

from quaestor.evidence.block_lines import Block, BlockKind, Line, line_text, make_block

_DAY = r"(?:\d{1,2}[./]\d{1,2}[./](?:\d{4}|\d\d)|\d{4}-\d\d-\d\d)"
_TIME = r"\d{1,2}:\d\d(?::\d\d)?(?: ?[ap]m)?"
_STAMP = re.compile(rf"\[?(?:{_DAY}(?:(?:, ?|T| +){_TIME})?|{_TIME})\]?(?::? +(?:[-\u2013\u2014|] +)?)(?=[^\W_])")
_DIGIT_OR_BRACKET = "[0123456789"
_NEAR = 20
"""Lines on either side among which another one has a stamp: a single one may be prose that flows on with a day."""


def log_entry(lines: Sequence[Line], at: int) -> Block | None:
    """Return the entry that begins with a line, up to the next one or the end of the paragraph; None for no entry."""
    if not is_log_entry(lines, at):
        return None
    last = at
    while line_text(lines, last + 1) and not _is_stamped(lines[last + 1].text):
        last += 1
    return make_block(BlockKind.ITEM, lines, at, last)


def is_log_entry(lines: Sequence[Line], at: int) -> bool:
    """Return whether a line begins an entry: it has a stamp, as another line near it in its paragraph."""
    return _is_stamped(lines[at].text) and (
        _has_stamp(reversed(lines[max(0, at - _NEAR) : at])) or _has_stamp(lines[at + 1 : at + 1 + _NEAR])
    )


def _has_stamp(lines: Iterable[Line]) -> bool:
    """Return whether one of these lines has a stamp, up to a blank one."""
    return any(_is_stamped(line.text) for line in takewhile(lambda line: line.text, lines))


def _is_stamped(line: str) -> bool:
    return line[:1] in _DIGIT_OR_BRACKET and _STAMP.match(line) is not None
