"""Citations in HTML: the marker in the text, the popover it opens, and the list of sources."""

import re
from collections.abc import Iterable

from quaestor.contracts.source import Source, TableCell
from quaestor.research.contracts.report import Citation
from quaestor.research.reports.fixed_words import ReportWords
from quaestor.research.views.readable import Sentence
from quaestor.research.views.report_outline import Reference, place_label
from quaestor.views.escaping import Content, Fragment, element, join, one_line, quote_line
from quaestor.views.text import format_timestamp

_WEB_URL = re.compile(r"https?://[^\s\x00-\x1f\x7f]+", re.IGNORECASE)


def citation_markers(cited: Iterable[int], words: ReportWords) -> Fragment:
    """Return the buttons that open the quotes with these numbers."""
    buttons = (
        element(
            "button",
            str(number),
            type="button",
            popovertarget=f"quote-{number}",
            aria_label=words.quote.format(number=number),
        )
        for number in cited
    )
    found = join(*buttons)
    return element("sup", found, class_="markers") if found.markup else found


def claim_sentence(said: Sentence, words: ReportWords) -> Fragment:
    """Return a claim with its markers; its text cannot turn the direction of the words around it."""
    mark = (" ", element("mark", one_line(said.status))) if said.status else ()
    text = element("bdi", one_line(said.text))
    title = words.claim_number.format(number=said.claim)
    return element("span", text, citation_markers(said.numbers, words), *mark, class_="claim", title=title)


def citation_popovers(references: Iterable[Reference], words: ReportWords) -> tuple[Fragment, ...]:
    """Return one closed popover for each citation: the exact words, their place, and the source."""
    return tuple(
        _citation_popover(citation, reference.source, words)
        for reference in references
        for citation in reference.citations
    )


def source_list(references: Iterable[Reference], words: ReportWords) -> tuple[Fragment, ...]:
    """Return one article for each cited source, with its quotes below it; nothing when there is none."""
    return tuple(_source_article(reference, words) for reference in references)


def _citation_popover(citation: Citation, source: Source, words: ReportWords) -> Fragment:
    number = str(citation.number)
    return element(
        "div",
        element("blockquote", citation.text, dir="auto"),
        *_table_row(citation),
        element("p", _source_title(source), class_="source"),
        _definition_list(
            (words.place, _format_location(citation, source, words)),
            (words.hash, element("code", source.sha256)),
        ),
        element(
            "p",
            element("a", words.in_references.format(number=number), href=f"#reference-{number}"),
            element("button", words.close, type="button", popovertarget=f"quote-{number}", popovertargetaction="hide"),
            class_="ways",
        ),
        id=f"quote-{number}",
        popover="auto",
        class_="quote",
        aria_label=words.quote.format(number=number),
    )


def _format_location(citation: Citation, source: Source, words: ReportWords) -> str:
    characters = words.characters.format(
        start=f"{citation.start:,}", end=f"{citation.end:,}", all=f"{source.characters:,}"
    )
    label = one_line(place_label(citation, source, words))
    return f"{label}, {characters}" if label else characters


def _table_row(citation: Citation) -> tuple[Fragment, ...]:
    """Return the row of a table that holds a quote, below the names of its columns, with the quoted cells marked."""
    if citation.in_table is None:
        return ()
    cells = citation.in_table.cells
    names = (element("th", one_line(cell.column), scope="col", dir="auto") for cell in cells)
    values = (element("td", _cell_value(cell), dir="auto") for cell in cells)
    table = element("table", element("tr", *names), element("tr", *values))
    return (element("div", table, class_="row", tabindex="0"),)


def _cell_value(cell: TableCell) -> Content:
    return element("mark", one_line(cell.value)) if cell.quoted else one_line(cell.value)


def _source_article(reference: Reference, words: ReportWords) -> Fragment:
    source = reference.source
    quotes = (
        element(
            "li",
            element("span", f"[{citation.number}]", class_="number"),
            element("q", quote_line(citation.text), dir="auto"),
            id=f"reference-{citation.number}",
        )
        for citation in reference.citations
    )
    return element(
        "article",
        element("h3", _source_title(source)),
        _definition_list(
            (words.found_at, element("bdi", one_line(source.uri))),
            (words.hash, element("code", source.sha256)),
            (words.retrieved, format_timestamp(source.retrieved_at)),
            *([(words.dated, str(source.published))] if source.published else []),
        ),
        element("ol", *quotes),
        class_="reference",
    )


def _source_title(source: Source) -> Fragment:
    """Return the name of a source; a link when the source is on the web, for nothing else can be followed safely."""
    name = element("bdi", one_line(source.title) or one_line(source.uri))
    return element("a", name, href=source.uri, rel="noreferrer nofollow") if _WEB_URL.fullmatch(source.uri) else name


def _definition_list(*facts: tuple[str, Content]) -> Fragment:
    return element("dl", *(element("div", element("dt", term), element("dd", value)) for term, value in facts))
