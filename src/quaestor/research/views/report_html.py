"""The report as one HTML file that needs nothing else: no script, no picture, no font, no network."""

from collections.abc import Iterable
from importlib.resources import files

from quaestor.research.contracts.report import Report
from quaestor.research.views.citations_html import citation_markers, citation_popovers, claim_sentence, source_list
from quaestor.research.views.readable import Chapter, ReadableDocument, Sentence, readable_document
from quaestor.research.views.report_outline import (
    EXTRACTIVE_NOTICE,
    Dispute,
    DisputePosition,
    production_facts,
    proof_notice,
)
from quaestor.views.escaping import Content, Fragment, element, join, one_line, style_element

_POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"


def render_html(report: Report) -> str:
    """Render a report; the text ends with a line end and is the same to the byte for the same report.

    A citation is a button that opens its quote in a popover (the HTML popover attribute, so no script).
    """
    shown = readable_document(report)
    sections = [
        *((chapter, _blocks(chapter)) for chapter in shown.chapters),
        *((Chapter("references", "References"), listed) for listed in (source_list(shown.references),) if listed),
        (Chapter("making", "How this was made"), _making(report)),
    ]
    main = element("main", join(_header(report, shown), *(_section(*each) for each in sections), by="\n"))
    contents = _contents(chapter for chapter, _ in sections)
    return html_page(report.title, join(contents, main, *citation_popovers(shown.references), by="\n"))


def html_page(title: str, body: Fragment) -> str:
    """Return a whole page that loads nothing and runs nothing."""
    page = join(_head(title), element("body", body), by="\n")
    return f"<!doctype html>\n{element('html', page).markup}\n"


def _head(title: str) -> Fragment:
    css = files("quaestor.views").joinpath("report.css").read_text("utf-8")
    return element(
        "head",
        join(
            element("meta", charset="utf-8"),
            element("meta", http_equiv="Content-Security-Policy", content=_POLICY),
            element("meta", name="viewport", content="width=device-width, initial-scale=1"),
            element("meta", name="color-scheme", content="light dark"),
            element("meta", name="referrer", content="no-referrer"),
            element("title", one_line(title)),
            style_element(css),
            by="\n",
        ),
    )


def _header(report: Report, shown: ReadableDocument) -> Fragment:
    return element(
        "header",
        element("p", f"Research report, version {report.version}", class_="kind"),
        element("h1", one_line(report.title), dir="auto"),
        *_question(report),
        *_notice(report),
        *((element("p", one_line(notice), class_="note"),) if (notice := proof_notice(report)) else ()),
        *(_answer(shown.answer) if shown.answer else ()),
    )


def _question(report: Report) -> tuple[Fragment, ...]:
    if report.question == report.title:
        return ()
    return (element("p", one_line(report.question), class_="question", dir="auto"),)


def _notice(report: Report) -> tuple[Fragment, ...]:
    if not report.partial:
        return ()
    return (element("p", element("strong", "Partial report. "), one_line(report.partial), class_="notice"),)


def _answer(said: Sentence) -> tuple[Fragment, ...]:
    label = element("span", "Answer", class_="label")
    if said.claim is not None:
        return (element("p", label, claim_sentence(said), class_="answer"),)
    return (
        element("p", label, element("bdi", one_line(said.text)), " ", element("mark", said.status), class_="answer"),
    )


def _section(chapter: Chapter, blocks: tuple[Fragment, ...]) -> Fragment:
    return element("section", element("h2", chapter.heading), *blocks, id=chapter.key)


def _blocks(chapter: Chapter) -> tuple[Fragment, ...]:
    sentences = tuple(map(claim_sentence, chapter.sentences))
    return (
        *(_list(*sentences) if chapter.is_list else _paragraph(*sentences)),
        *((element("p", one_line(chapter.note), class_="note", dir="auto"),) if chapter.note else ()),
        *map(_detail, chapter.parts),
        *_list(*map(_dispute, chapter.disputes)),
        *_list(*(element("bdi", one_line(point)) for point in chapter.points)),
    )


def _detail(part: Chapter) -> Fragment:
    return element("section", element("h3", one_line(part.heading), dir="auto"), *_blocks(part), id=part.key)


def _paragraph(*sentences: Fragment) -> tuple[Fragment, ...]:
    return (element("p", join(*sentences, by=" ")),) if sentences else ()


def _list(*items: Content) -> tuple[Fragment, ...]:
    return (element("ul", *(element("li", item, dir="auto") for item in items)),) if items else ()


def _dispute(dispute: Dispute) -> Fragment:
    subject = element("strong", element("bdi", one_line(dispute.subject)))
    sides = join(*(_position(position) for position in dispute.positions), by=" against ")
    return join(subject, ": ", sides)


def _position(position: DisputePosition) -> Fragment:
    value = element("q", element("bdi", one_line(position.value)))
    if position.numbers:
        return join(value, citation_markers(position.numbers))
    return join(value, f" (finding {one_line(position.finding)})")


def _making(report: Report) -> tuple[Fragment, ...]:
    label = (element("p", EXTRACTIVE_NOTICE, class_="note"),) if report.making.extractive else ()
    rows = (
        element("div", element("dt", name), element("dd", value)) for name, value in production_facts(report.making)
    )
    return (*label, element("dl", *rows, class_="facts"))


def _contents(chapters: Iterable[Chapter]) -> Fragment:
    entries = (
        element("li", element("a", chapter.heading, href=f"#{chapter.key}"), *_subentries(chapter.parts))
        for chapter in chapters
    )
    return element("nav", element("ul", *entries), aria_label="Contents")


def _subentries(parts: tuple[Chapter, ...]) -> tuple[Fragment, ...]:
    if not parts:
        return ()
    links = (element("a", one_line(part.heading), href=f"#{part.key}", dir="auto") for part in parts)
    return (element("ul", *(element("li", link) for link in links)),)
