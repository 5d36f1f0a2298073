"""HTML that is escaped by construction: text becomes markup only through `element`."""

from dataclasses import dataclass
from html import escape

from quaestor.views.visible import visible

_VOID = frozenset({"meta"})


@dataclass(frozen=True, slots=True)
class Fragment:
    """Markup that may stand in a page as it is."""

    markup: str


Content = Fragment | str
"""What an element may hold; a plain string is text and is escaped."""


def element(tag: str, /, *content: Content, **attributes: str) -> Fragment:
    """Give an element; in attribute names `_` stands for `-`, and one at the end keeps Python's words free."""
    written = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{escape(visible(value))}"' for key, value in attributes.items()
    )
    closing = "" if tag in _VOID else f"{joined(*content).markup}</{tag}>"
    return Fragment(f"<{tag}{written}>{closing}")


def joined(*content: Content, by: str = "") -> Fragment:
    """Give contents one after another as one fragment, with the same text between any two."""
    return Fragment(escape(by).join(_markup(one) for one in content))


def style(css: str) -> Fragment:
    """Give a style element. The style sheet is the package's own text and holds no `<`."""
    return Fragment(f"<style>\n{css}</style>")


def _markup(content: Content) -> str:
    return content.markup if isinstance(content, Fragment) else escape(visible(content))
