"""Plain text for every face: safe to print on a terminal, cut to a width, numbers with their nouns."""

from quaestor.views.escaping import escape_hidden_json, one_line, replace_hidden
from quaestor.views.text import (
    count_noun,
    first_lines,
    format_amount,
    format_dollars,
    format_timestamp,
    truncate,
    truncate_line,
)

__all__ = [
    "count_noun",
    "escape_hidden_json",
    "first_lines",
    "format_amount",
    "format_dollars",
    "format_timestamp",
    "one_line",
    "replace_hidden",
    "truncate",
    "truncate_line",
]
