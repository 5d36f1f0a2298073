"""The location of JSON in a reply, between thoughts, Markdown and prose.

- Text between `<think>` and `</think>` (or `<thinking>`) is skipped; text before a closing tag that
  has no opening one does not count, whatever it is.
- A code fence is passed over if what it holds begins with neither a bracket nor a comment.
- An object begins at `{` before a quote, a comment, or a word with a colon and a value; an array at `[` before `{` or
  `"`. What could also be a mark of prose, such as `{}` or `[1]`, counts only at the start of a line, after a colon or
  at the start of a fence, and an array of that sort only if nothing was found before it. Other brackets are prose.
- What begins like a value must be one: there is no second try within it, so that no part is taken for the whole.
- A value may be repeated; two that differ, in fences or not, are refused. So are a value within a bracket of the
  prose, a value behind a key, and a closing bracket that closes nothing: each is a part of something larger.

Every rule looks back, or forward only to what decides it. So further text can make a value doubtful but never
turn it into another one; the one exception is a closing tag without an opening one.
"""

import json
import re
from bisect import bisect_right
from dataclasses import dataclass, field
from typing import NamedTuple

from pydantic import JsonValue

from quaestor.replies import lenient_json
from quaestor.replies.strict_json import JsonError, MalformedJsonError, TruncatedJsonError

_MARK = re.compile(
    r"(?P<free>[\n:\uff1a])|(?P<fence>`{3,}|~{3,})|(?P<tag></?think(?:ing)?>)|(?P<bracket>[\[\]{}])"
    r"|(?P<key>[\"'\u201d\u2019]\s*+:\s*+(?=[\[{]))",
    re.IGNORECASE,
)
_OPENING_TAG = re.compile(r"<think(?:ing)?>", re.IGNORECASE)
_CLOSING_TAG = re.compile(r"</think(?:ing)?>", re.IGNORECASE)
_LANGUAGE = re.compile(r"[ \t]*+[\w.+#-]*+\s*+")
_BYTE_ORDER_MARK = "\ufeff"
_VALUE_STARTS = frozenset({"{", "[", "/"})
_CLOSING = {"{": "}", "[": "]"}

_BLANK = r"[ \t\r\n]*+"
_QUOTE = "[\"'\u201c\u2018]"
_SCALAR = r"(?:-?[0-9][0-9.eE+-]*+|-?Infinity|(?:true|false|null|True|False|None|NaN)\b)"
_OBJECT = re.compile(rf"\{{{_BLANK}(?:{_QUOTE}|//|/\*|#|[^\W\d][\w$-]*+{_BLANK}:{_BLANK}(?:{_QUOTE}|[\[{{]|{_SCALAR}))")
_ARRAY = re.compile(rf'(?<![\w)\]])\[{_BLANK}["{{]')
_EMPTY_OBJECT = re.compile(rf"\{{{_BLANK}\}}")
_PLAIN_ARRAY = re.compile(rf"\[{_BLANK}(?:{_QUOTE}|[\[\]]|//|/\*|#[ ]|{_SCALAR}{_BLANK}[,\]/#])")


class ExtractedJson(NamedTuple):
    """A value, and the offsets where it begins and ends."""

    value: JsonValue
    start: int
    end: int


def extract_json(text: str) -> ExtractedJson:
    """Return the one object or array of a reply.

    Raises TruncatedJsonError, MalformedJsonError, and JsonError itself where there is none.
    """
    ends = _reasoning_ends(text)
    start = int(text.startswith(_BYTE_ORDER_MARK))
    while True:
        try:
            return _JsonScanner(text, at=start, line_start=start).run()
        except MalformedJsonError as fault:
            behind = bisect_right(ends, fault.at)
            # A tag within what was read as a value shows that the value was part of the thoughts.
            if behind and ends[behind - 1] > fault.since:
                start = ends[behind - 1]
            elif behind < len(ends):
                start = ends[behind]
            else:
                raise


def _reasoning_ends(text: str) -> list[int]:
    """Return the offsets behind the closing tags that have no opening one."""
    ends = []
    at = 0
    while closing := _CLOSING_TAG.search(text, at):
        if not _OPENING_TAG.search(text, at, closing.start()):
            ends.append(closing.end())
        at = closing.end()
    return ends


@dataclass(slots=True)
class _JsonScanner:
    """A walk through a text from `at`.

    `line_start` is the place from which nothing but blanks was passed, or -1; `opened` are the places of the open
    brackets of the prose; `in_fence`: a code fence with JSON in it is open; `content` is the value of `found` as JSON.
    """

    text: str
    at: int
    line_start: int
    found: ExtractedJson | None = None
    content: str = ""
    opened: list[int] = field(default_factory=list)
    in_fence: bool = False

    def run(self) -> ExtractedJson:
        while mark := _MARK.search(self.text, self.at):
            self.at = mark.end()
            match mark.lastgroup:
                case "free":
                    self.line_start = self.at
                case "fence":
                    self._skip_fence(mark[0])
                case "tag":
                    self._skip_tag(mark)
                case "key":
                    what = f"the JSON at character {self.at + 1} is a member of an object that does not begin"
                    raise MalformedJsonError(what, mark.start(), self.at)
                case _:
                    self._handle_bracket(mark.start())
        if self.found:
            return self.found
        if self.opened:
            raise TruncatedJsonError(
                f"the reply is cut off: the bracket opened at character {self.opened[-1] + 1} is not closed"
            )
        raise JsonError("the reply holds no JSON object; answer with one JSON object and nothing else")

    def _skip_fence(self, fence: str) -> None:
        if self.in_fence:
            self.in_fence = False
        elif (begin := _LANGUAGE.match(self.text, self.at)) and self.text[
            begin.end() : begin.end() + 1
        ] in _VALUE_STARTS:
            self.in_fence = True
            self.at = begin.end()
        else:
            closing = self.text.find(fence, self.at)
            self.at = closing + len(fence) if closing >= 0 else len(self.text)
        self.line_start = self.at

    def _skip_tag(self, tag: re.Match[str]) -> None:
        if tag[0].startswith("</"):
            # A closing tag without an opening one: all before it was thought, whatever it looked like.
            self.found, self.opened, self.in_fence = None, [], False
        elif closing := _CLOSING_TAG.search(self.text, self.at):
            self.at = closing.end()
        else:
            raise TruncatedJsonError(f"the reply is cut off: {tag[0]} at character {tag.start() + 1} is not closed")
        self.line_start = self.at

    def _handle_bracket(self, start: int) -> None:
        bracket = self.text[start]
        if bracket in _CLOSING.values():
            self._close(bracket, start)
        elif not self._begins_value(start):
            self.opened.append(start)
            self.line_start = -1
        elif self.opened:
            place = f"within the bracket opened at character {self.opened[-1] + 1}, which is no JSON"
            raise MalformedJsonError(f"the JSON at character {start + 1} stands {place}", start, start)
        else:
            value, self.at = lenient_json.parse_lenient(self.text, start)
            self.line_start = self.at
            self._keep(ExtractedJson(value, start, self.at))

    def _close(self, bracket: str, start: int) -> None:
        if not self.opened or _CLOSING[self.text[self.opened.pop()]] != bracket:
            raise MalformedJsonError(f"{bracket!r} at character {start + 1} closes nothing", start, start)
        self.line_start = -1

    def _begins_value(self, start: int) -> bool:
        if _OBJECT.match(self.text, start) or _ARRAY.match(self.text, start):
            return True
        if self.line_start < 0 or self.text[self.line_start : start].strip():
            return False
        return bool(_EMPTY_OBJECT.match(self.text, start) or (not self.found and _PLAIN_ARRAY.match(self.text, start)))

    def _keep(self, found: ExtractedJson) -> None:
        content = json.dumps(found.value, sort_keys=True)  # equal in Python are also 1, 1.0 and true
        if self.found is None:
            self.found, self.content = found, content
        elif content != self.content:
            places = f"at characters {self.found.start + 1} and {found.start + 1}"
            raise MalformedJsonError(f"two different values stand {places}; answer with one", found.start, found.start)
