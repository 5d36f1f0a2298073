"""An evidence brief as one HTML file that needs nothing else: no script, no picture, no font, no network."""

from collections.abc import Iterable

from quaestor.research.contracts.brief import Brief, BriefDifference, ShownRow
from quaestor.research.reports.fixed_words import ReportWords, report_words
from quaestor.research.views.brief_outline import (
    BriefPart,
    MarkedParagraph,
    MarkedRun,
    ShownChange,
    answer_label,
    brief_changes,
    brief_parts,
)
from quaestor.research.views.citations_html import citation_markers, citation_popovers, source_list
from quaestor.research.views.report_html import body_page
from quaestor.research.views.report_outline import Reference, production_facts
from quaestor.views.escaping import Fragment, element, join, one_line, quote_prose


def render_brief_html(brief: Brief) -> str:
    """Render a brief; the text ends with a line end and is the same to the byte for the same brief."""
    references, words = _references(brief), report_words(brief.language)
    sections = (
        _section("gaps", words.absent_heading, _list(element("bdi", one_line(gap)) for gap in brief.gaps)),
        _section("differences", words.differences, _list(_difference(one, words) for one in brief.differences)),
        *(_section(part.key, one_line(part.heading), _paragraphs(part, words)) for part in brief_parts(brief)),
        _section("changes", words.changes, _list(_change(one) for one in brief_changes(brief, only_later=False))),
        _section("later", words.said_later, _list(_change(one) for one in brief_changes(brief, only_later=True))),
        _section("references", words.sources, source_list(references, words)),
        _section("making", words.making, _facts(brief, words)),
    )
    main = element("main", join(_header(brief, words), *(one for one in sections if one.markup), by="\n"))
    body = join(main, *citation_popovers(references, words), by="\n")
    return body_page(brief.question, body, brief.language)


def _header(brief: Brief, words: ReportWords) -> Fragment:
    partial = (
        element("p", element("strong", f"{words.partial_brief} "), one_line(brief.partial or ""), class_="notice"),
    )
    return element(
        "header",
        element("p", words.brief_notice, class_="notice"),
        element("p", words.brief_version.format(version=brief.version), class_="kind"),
        element("h1", one_line(brief.question), dir="auto"),
        *(partial if brief.partial else ()),
        *_answer(brief, words),
    )


def _answer(brief: Brief, words: ReportWords) -> tuple[Fragment, ...]:
    if brief.answer is None or brief.answer_proof is None:
        return ()
    label = element("span", one_line(answer_label(brief.answer_proof, words)), class_="label")
    text = element("bdi", one_line(brief.answer))
    rows = (_shown_row(row) for row in brief.answer_proof.rows)
    markers = citation_markers(brief.answer_proof.passages, words)
    return (element("p", label, text, markers, class_="answer"), *_list(rows))


def _shown_row(row: ShownRow) -> Fragment:
    return join(element("bdi", one_line(row.name)), ": ", element("q", element("bdi", one_line(row.quote.text))))


def _section(key: str, heading: str, blocks: tuple[Fragment, ...]) -> Fragment:
    return element("section", element("h2", heading, dir="auto"), *blocks, id=key) if blocks else Fragment("")


def _paragraphs(part: BriefPart, words: ReportWords) -> tuple[Fragment, ...]:
    return tuple(_paragraph(one, words) for one in part.paragraphs)


def _paragraph(paragraph: MarkedParagraph, words: ReportWords) -> Fragment:
    first = paragraph.first
    side = (element("strong", one_line(first.side), ": "),) if first.side else ()
    under = (f", {words.under} ", element("q", one_line(paragraph.heading))) if paragraph.heading else ()
    status = (" ", element("mark", one_line(paragraph.status))) if paragraph.status else ()
    numbers = citation_markers((one.number for one in paragraph.passages), words)
    absent = ", ".join(f"“{one_line(word)}”" for word in paragraph.absent)
    return element(
        "article",
        element("h3", *side, element("bdi", one_line(paragraph.name)), *under, *status, numbers, dir="auto"),
        *((element("p", words.not_in_it.format(words=absent), class_="note", dir="auto"),) if absent else ()),
        _quoted(paragraph),
        class_="reference",
    )


def _quoted(paragraph: MarkedParagraph) -> Fragment:
    shown = [join(*map(_run, line)) for line in paragraph.lines]
    classes = {"class_": "lines"} if len(shown) > 1 else {}
    return element("blockquote", join(*shown, by="\n"), dir="auto", **classes)


def _run(run: MarkedRun) -> Fragment:
    """Return a run of a paragraph with the blanks at its edges, so that words do not run together."""
    lead = " " if run.text[:1].isspace() else ""
    trail = " " if run.text.strip() and run.text[-1:].isspace() else ""
    if run.number is None:
        return element("span", f"{lead}{one_line(run.text)}{trail}")
    return element("mark", f"{lead}{quote_prose(run.text)}{trail}")


def _difference(difference: BriefDifference, words: ReportWords) -> Fragment:
    sides = (
        join(element("q", element("bdi", one_line(value))), citation_markers([number], words))
        for value, number in zip(difference.values, difference.passages, strict=True)
    )
    return join(
        element("strong", element("bdi", one_line(difference.subject))), ": ", join(*sides, by=f" {words.and_} ")
    )


def _change(change: ShownChange) -> Fragment:
    said = element("q", element("bdi", one_line(change.text)))
    return join(said, " (", element("bdi", one_line(change.name)), ")")


def _facts(brief: Brief, words: ReportWords) -> tuple[Fragment, ...]:
    facts = production_facts(brief.making, words)
    return (element("dl", *(element("div", element("dt", name), element("dd", value)) for name, value in facts)),)


def _references(brief: Brief) -> tuple[Reference, ...]:
    return tuple(
        Reference(source, tuple(one for one in brief.passages if one.source == source.sha256))
        for source in brief.sources
    )


def _list(items: Iterable[Fragment]) -> tuple[Fragment, ...]:
    found = tuple(element("li", item, dir="auto") for item in items)
    return (element("ul", *found),) if found else ()
