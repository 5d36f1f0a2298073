"""Words of a web page that stand in no paragraph, beside headings, lists and tables; needs the extra `web`."""

from collections.abc import Iterator
from typing import NamedTuple

from lxml.html import HtmlElement  # type: ignore[import-untyped]  # it ships no types

_CONTAINERS = ("body", "main", "article", "section", "div", "center", "blockquote", "details")
_BLOCKS = frozenset(
    (
        *("address", "article", "aside", "blockquote", "center", "dd", "details", "dialog", "dir", "div", "dl", "dt"),
        *("fieldset", "figcaption", "figure", "footer", "form", "h1", "h2", "h3", "h4", "h5", "h6", "header", "hr"),
        *("iframe", "legend", "li", "main", "menu", "nav", "noscript", "object", "ol", "p", "pre", "script", "section"),
        *("style", "summary", "table", "template", "textarea", "ul"),
    )
)


class _Run(NamedTuple):
    """What stands between two blocks: the text behind the first of them, and inline elements."""

    above: HtmlElement | None
    """None at the top of their container."""
    text: str
    inline: list[HtmlElement]


def put_in_paragraphs(tree: HtmlElement) -> None:
    """Make paragraphs of the words that stand beside a heading, a list or another block, as a reader sees them.

    Words that are mostly links lead to other pages, and stay as they are.
    """
    for container in list(tree.iter(*_CONTAINERS)):
        if any(child.tag in _BLOCKS for child in container):
            for run in list(_runs(container)):
                if _tells(run):
                    _wrap(container, run)


def _runs(container: HtmlElement) -> Iterator[_Run]:
    run = _Run(None, container.text or "", [])
    for child in container:
        if child.tag in _BLOCKS or (child.tag == "br" and _is_at_break(run)):
            yield run
            run = _Run(child, child.tail or "", [])
        else:
            run.inline.append(child)
    yield run


def _is_at_break(run: _Run) -> bool:
    """Return whether a line has ended: where it ends twice, old pages part paragraphs."""
    return bool(run.inline) and run.inline[-1].tag == "br" and not (run.inline[-1].tail or "").strip()


def _tells(run: _Run) -> bool:
    elements = [one for one in run.inline if isinstance(one.tag, str)]  # a comment has no words
    told = [run.text, *(one.tail or "" for one in run.inline), *(one.text_content() for one in elements)]
    linked = sum(len(link.text_content()) for one in elements for link in one.iter("a"))
    return any(map(str.strip, told)) and 2 * linked <= sum(map(len, told))


def _wrap(container: HtmlElement, run: _Run) -> None:
    while run.inline and _is_at_break(run):  # a paragraph ends without
        container.remove(run.inline.pop())
    paragraph = container.makeelement("p")
    paragraph.text = run.text
    paragraph.extend(run.inline)
    if run.above is None:
        container.text = None
        container.insert(0, paragraph)
    elif run.above.tag == "br":
        paragraph.tail = None
        container.replace(run.above, paragraph)
    else:
        run.above.tail = None
        run.above.addnext(paragraph)
