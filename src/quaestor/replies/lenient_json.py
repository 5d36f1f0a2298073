r"""A tolerant reader: JSON with what models really get wrong in it.

Beyond RFC 8259 it takes: a comma before a closing bracket; words as keys without quotes; strings in single or curly
quotes; True, False and None; comments (`//`, `#`, `/* */`); line breaks and tabs in a string; a missing comma where the
next member of an object, or what follows an object or array in an array, begins on another line; and a backslash
before a mark that stands for itself wherever it is escaped, such as `\'` or `\_`.

It reads from left to right, never back, and completes nothing: what the text does not close is cut off. What could be
read in two ways (a quote within a string, two strings without a comma, `\d`) is refused.
"""

import json
import re
from dataclasses import dataclass, field
from typing import NoReturn

from pydantic import JsonValue

from quaestor.replies.strict_json import (
    MAX_DEPTH,
    TOO_DEEP_MESSAGE,
    JsonError,
    MalformedJsonError,
    TruncatedJsonError,
    duplicate_key_message,
    parse_number,
    quote,
    unstorable_in_text,
)

_BLANK = re.compile(r"(?:[ \t\r\n]++|(?://|#)[^\n]*+|/\*(?s:.*?)\*/)*")
_KEY = re.compile(r"[^\W\d][\w$-]*")
_WORD = re.compile(r"[\w$.+-]*")
_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?")
_LITERALS = {"true": True, "false": False, "null": None, "True": True, "False": False, "None": None}
_STRINGS = {
    opening: (closing, re.compile(rf"[^{opening}{closing}\\\x00-\x08\x0b\x0c\x0e-\x1f]*+"))
    for opening, closing in ('""', "''", "\u201c\u201d", "\u2018\u2019")
}
"""Each opening quote with its closing one and the text between them, unchanged."""

_LITERAL_ESCAPES = "'_*#$%&~`<>-"
_ESCAPES = dict(zip('"\\/bfnrt', '"\\/\b\f\n\r\t', strict=True)) | {mark: mark for mark in _LITERAL_ESCAPES}
_UNICODE = re.compile(r"\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|\\u[0-9a-fA-F]{4}")
_UNICODE_LENGTH = 6


def parse_lenient(text: str, start: int = 0) -> tuple[JsonValue, int]:
    """Return the object or array whose bracket is at `start`, and the offset behind its closing bracket.

    Raises TruncatedJsonError if the text ends before that bracket, MalformedJsonError if it leaves the rules before.
    """
    reader = _LenientParser(text, start, start)
    return reader.value(), reader.at


@dataclass(slots=True)
class _LenientParser:
    """A parser of one value; `at` is the index of the next character, `opened` those of the brackets still open."""

    text: str
    start: int
    at: int
    opened: list[int] = field(default_factory=list)

    def value(self) -> JsonValue:
        mark = self._next()
        if mark == "{":
            return self._read_object()
        if mark == "[":
            return self._read_array()
        return self._read_string(mark) if mark in _STRINGS else self._read_literal(mark)

    def _read_object(self) -> JsonValue:
        members: dict[str, JsonValue] = {}
        self._open()
        while (mark := self._next()) != "}":
            key = self._read_string(mark) if mark in _STRINGS else self._read_bare_key(mark)
            if key in members:
                self._raise_malformed(duplicate_key_message(key))
            if self._next() != ":":
                self._raise_malformed(f"a colon is missing after the key {quote(key)}")
            self.at += 1
            members[key] = self.value()
            self._read_comma("}", or_line=True)
        self._close()
        return members

    def _read_array(self) -> JsonValue:
        items: list[JsonValue] = []
        self._open()
        while self._next() != "]":
            item = self.value()
            items.append(item)
            # After a string or number in an array a line end says nothing: it may have been broken off.
            self._read_comma("]", or_line=isinstance(item, dict | list))
        self._close()
        return items

    def _open(self) -> None:
        self.opened.append(self.at)
        self.at += 1
        # Counted here, before the recursion could exhaust the stack.
        if len(self.opened) > MAX_DEPTH:
            self._raise_malformed(TOO_DEEP_MESSAGE)

    def _close(self) -> None:
        self.opened.pop()
        self.at += 1

    def _read_comma(self, closing: str, *, or_line: bool) -> None:
        """Pass the comma after a member; before the closing bracket, or `or_line` on another line, none is needed."""
        behind = self.at
        mark = self._next()
        if mark == ",":
            self.at += 1
        elif mark != closing and not (or_line and "\n" in self.text[behind : self.at]):
            self._raise_malformed(f"a comma or {closing!r} is missing before {mark!r}")

    def _read_bare_key(self, mark: str) -> str:
        word = _KEY.match(self.text, self.at)
        if word is None or word[0] in _LITERALS:
            self._raise_malformed(f"a key in quotes is missing before {mark!r}")
        self._pass(word.end())
        return word[0]

    def _read_literal(self, mark: str) -> JsonValue:
        begin = self.at
        word = _WORD.match(self.text, begin)
        if word is None or not word[0]:
            self._raise_malformed(f"a value is missing before {mark!r}")
        self._pass(word.end())
        if word[0] in _LITERALS:
            return _LITERALS[word[0]]
        if not _NUMBER.fullmatch(word[0]):
            self._raise_malformed(f"{quote(word[0])} is not JSON; a string is written in double quotes", begin)
        try:
            return parse_number(word[0])
        except JsonError as fault:
            self._raise_malformed(str(fault), begin)

    def _read_string(self, mark: str) -> str:
        begin = self.at
        closing, plain = _STRINGS[mark]
        parts: list[str] = []
        self.at += 1
        while (char := self._run(plain, parts)) != closing:
            if self.text[self.at : self.at + 2] in {"", "\\"}:
                raise TruncatedJsonError(
                    f"the reply is cut off: the string that begins at character {begin + 1} is not closed"
                )
            if char != "\\":
                self._raise_malformed(f"{char!r} may not stand in a string")
            parts.append(self._read_escape())
        self.at += 1
        text = "".join(parts)
        if fault := unstorable_in_text(text):
            self._raise_malformed(fault, begin)
        return text

    def _run(self, plain: re.Pattern[str], parts: list[str]) -> str:
        """Skip text that is kept unchanged; return the character after it, or nothing at the end of the text."""
        if run := plain.match(self.text, self.at):
            parts.append(run[0])
            self.at = run.end()
        return self.text[self.at : self.at + 1]

    def _read_escape(self) -> str:
        mark = self.text[self.at + 1]
        if mark in _ESCAPES:
            self.at += 2
            return _ESCAPES[mark]
        code = _UNICODE.match(self.text, self.at)
        if code is None:
            if mark == "u" and self.at + _UNICODE_LENGTH > len(self.text):
                self._raise_truncated()
            self._raise_malformed(f"a backslash before {mark!r} escapes nothing; write \\\\ for a backslash")
        self.at = code.end()
        return str(json.loads(f'"{code[0]}"'))

    def _next(self) -> str:
        """Pass blanks and comments; return the character behind them."""
        if blank := _BLANK.match(self.text, self.at):
            self.at = blank.end()
        # What may yet become a comment, or never ends as one, is cut off as well.
        if self.text[self.at : self.at + 2] in {"", "/", "/*"}:
            self._raise_truncated()
        return self.text[self.at]

    def _pass(self, end: int) -> None:
        """Skip a word, which is cut off if nothing follows it."""
        if end >= len(self.text):
            self._raise_truncated()
        self.at = end

    def _raise_truncated(self) -> NoReturn:
        raise TruncatedJsonError(
            f"the reply is cut off: the bracket opened at character {self.opened[-1] + 1} is not closed"
        )

    def _raise_malformed(self, what: str, place: int | None = None) -> NoReturn:
        raise MalformedJsonError(
            f"{what}, at character {(self.at if place is None else place) + 1}", self.start, self.at
        )
