"""Untrusted text made safe to look at: nothing in it is hidden, and nothing in it moves what is around it."""

import re
from html import escape
from importlib.resources import files

from quaestor.contracts.immutable import Immutable

_HIDDEN = re.compile(
    r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f"
    r"\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\u2800\u3164"
    r"\ufeff\uffa0\ufff0-\ufffb\U0001d173-\U0001d17a\U000e0000-\U000e0fff]"
    r"|(?<![^\x00-\u024f\u200c\u200d])[\u200c\u200d]"
    r"|(?<![^\x00-\u024f\ufe00-\ufe0f])[\ufe00-\ufe0f](?!\u20e3)"
)
"""What nobody sees: control characters but tab and line ends, marks of direction, blanks without width, fillers, tags.

Joiners and variation selectors stay behind a letter or sign of a script that is written with them, one at a time; so
do soft hyphens.
"""
_LINE_BREAK = re.compile(r"\s*[\n\r\x0b\x0c\x85\u2028\u2029]\s*")
LINE_BREAK_SIGN = "\u21b5"
_WRAPPED_LINE = 40
"""Characters of a line that ends where there was no more room, as lines of prose do in a plain text."""
_WRAP = re.compile(r"(?<=[^\s|])[ \t]*\n[ \t]*(?![\s|>#+=~*\u2013\u2014\u2022-]|\d+[.)] |\w[\w-]*:(?: |$))")
"""A single line break before what begins no row, item, heading or field."""


def replace_hidden(text: str) -> str:
    """Return the text with every control character and every turn of direction replaced by U+FFFD."""
    return _HIDDEN.sub("\ufffd", text)


def escape_hidden_json(json: str) -> str:
    """Return JSON that stands for the same text, with every such character written as an escape."""
    return _HIDDEN.sub(_json_escape, json)


def _json_escape(found: re.Match[str]) -> str:
    units = found[0].encode("utf-16-be").hex()  # JSON escapes what is beyond U+FFFF in two parts
    return "".join(f"\\u{units[at : at + 4]}" for at in range(0, len(units), 4))


def one_line(text: str) -> str:
    """Return the text on one line: every run of white space is one blank, and nothing is hidden."""
    return replace_hidden(" ".join(text.split()))


def quote_line(text: str) -> str:
    """Return the text of a quote on one line, with a sign for each of its line breaks, so that nothing seems joined."""
    return one_line(_LINE_BREAK.sub(f" {LINE_BREAK_SIGN} ", text))


def quote_prose(text: str) -> str:
    """Return a quote on one line as `quote_line` does, but wrapped lines flow on, as in the paragraph around it."""
    is_wrapped = max(map(len, text.splitlines()), default=0) >= _WRAPPED_LINE
    return quote_line(_WRAP.sub(" ", text) if is_wrapped else text)


_MARKDOWN_SPECIAL = re.compile(
    r"(?<!`)`(?P<code>[^`|]*[^`|\s][^`|]*)`(?!`)|[\\`*\[<|~$@]|(?<![^\W_])_|_(?![^\W_])|(?<!\S)#(?=\S)|#(?=\d|\Z)"
    r"|&(?=#?\w+;)|:(?=//)|(?<=mailto):|(?<=www)\.",
    re.IGNORECASE,
)
"""Code, and signs that may begin or end something in CommonMark, its dialect on GitHub or Obsidian.

An underscore within a word, a bracket that nothing opened and a sign of a heading within a line are none.
"""
_MARKDOWN_BLOCK_START = re.compile(r"^(\d+(?=[.)](?: |$))|(?=[-+>=#:]))(.)")


def escape_markdown(text: str) -> str:
    """Return the text on one line, escaped for Markdown, whether it begins a block or is inside one.

    What it writes as code between two single backticks stays code, in which nothing has a meaning; it is escaped as
    the rest where it has a bar, which would part the cells of a table.
    """
    return _MARKDOWN_BLOCK_START.sub(r"\1\\\2", escape_markdown_inline(text))


def escape_markdown_inline(text: str) -> str:
    """Return the text on one line, escaped for Markdown inside a line or a cell that something else begins."""
    return _MARKDOWN_SPECIAL.sub(lambda found: found[0] if found["code"] else f"\\{found[0]}", one_line(text))


_VOID_TAGS = frozenset({"meta"})


class Fragment(Immutable):
    """Markup that may stand in a page as it is."""

    markup: str

    def __html__(self) -> str:
        """Return what a template writes for it, unescaped."""
        return self.markup


Content = Fragment | str
"""What an element may hold; a plain string is text and is escaped."""


def element(tag: str, /, *content: Content, **attributes: str) -> Fragment:
    """Return an element; in attribute names `_` stands for `-`, and one at the end keeps Python's words free."""
    written = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{escape(replace_hidden(value))}"' for key, value in attributes.items()
    )
    closing = "" if tag in _VOID_TAGS else f"{join(*content).markup}</{tag}>"
    return Fragment(f"<{tag}{written}>{closing}")


def join(*content: Content, by: str = "") -> Fragment:
    """Return contents one after another as one fragment, with the same text between any two."""
    return Fragment(escape(by).join(_markup(one) for one in content))


def style_element(css: str) -> Fragment:
    """Return a style element. The style sheet is the package's own text and holds no `<`."""
    return Fragment(f"<style>\n{css}</style>")


STATIC_POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"
"""The policy of a page that loads nothing and runs nothing."""


def html_page(title: str, body: Fragment, *sheets: str, policy: str = STATIC_POLICY, **attributes: str) -> str:
    """Return a whole page of a body element, with further style sheets and the attributes of its root."""
    common = files("quaestor.views").joinpath("report.css").read_text("utf-8")
    head = (
        element("meta", charset="utf-8"),
        element("meta", http_equiv="Content-Security-Policy", content=policy),
        element("meta", name="viewport", content="width=device-width, initial-scale=1"),
        element("meta", name="color-scheme", content="light dark"),
        element("meta", name="referrer", content="no-referrer"),
        element("title", one_line(title)),
        *map(style_element, (common, *sheets)),
    )
    page = join(element("head", join(*head, by="\n")), body, by="\n")
    return f"<!doctype html>\n{element('html', page, **attributes).markup}\n"


def _markup(content: Content) -> str:
    return content.markup if isinstance(content, Fragment) else escape(replace_hidden(content))
