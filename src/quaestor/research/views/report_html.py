"""The report as one HTML file that needs nothing else: no script, no picture, no font, no network."""

from collections.abc import Iterable

from quaestor.research.contracts.report import Report
from quaestor.research.reports.fixed_words import ENGLISH_CODE, ReportWords, report_words
from quaestor.research.reports.languages import text_direction
from quaestor.research.views.citations_html import citation_markers, citation_popovers, claim_sentence, source_list
from quaestor.research.views.readable import Chapter, ReadableDocument, Sentence, readable_document
from quaestor.research.views.report_outline import Dispute, DisputePosition, production_facts, proof_notice
from quaestor.views.escaping import Content, Fragment, element, html_page, join, one_line


def render_html(report: Report) -> str:
    """Render a report; the text ends with a line end and is the same to the byte for the same report.

    A citation is a button that opens its quote in a popover (the HTML popover attribute, so no script).
    """
    shown, words = readable_document(report), report_words(report.language)
    sections = [
        *((chapter, _blocks(chapter, words)) for chapter in shown.chapters),
        *((Chapter("references", words.references), one) for one in (source_list(shown.references, words),) if one),
        (Chapter("making", words.making), _making(report, words)),
    ]
    main = element("main", join(_header(report, shown, words), *(_section(*each) for each in sections), by="\n"))
    contents = _contents((chapter for chapter, _ in sections), words)
    body = join(contents, main, *citation_popovers(shown.references, words), by="\n")
    return body_page(report.title, body, report.language)


def body_page(title: str, body: Fragment, language: str | None) -> str:
    """Return a whole page in a language."""
    code = language or ENGLISH_CODE
    return html_page(title, element("body", body), lang=code, dir=text_direction(code))


def _header(report: Report, shown: ReadableDocument, words: ReportWords) -> Fragment:
    return element(
        "header",
        element("p", words.report_version.format(version=report.version), class_="kind"),
        element("h1", one_line(report.title), dir="auto"),
        *_question(report),
        *_notice(report, words),
        *((element("p", one_line(notice), class_="note"),) if (notice := proof_notice(report, words)) else ()),
        *(_answer(shown.answer, words) if shown.answer else ()),
    )


def _question(report: Report) -> tuple[Fragment, ...]:
    if report.question == report.title:
        return ()
    return (element("p", one_line(report.question), class_="question", dir="auto"),)


def _notice(report: Report, words: ReportWords) -> tuple[Fragment, ...]:
    if not report.partial:
        return ()
    return (element("p", element("strong", f"{words.partial_report} "), one_line(report.partial), class_="notice"),)


def _answer(said: Sentence, words: ReportWords) -> tuple[Fragment, ...]:
    label = element("span", words.answer, class_="label")
    if said.claim is not None:
        return (element("p", label, claim_sentence(said, words), class_="answer"),)
    return (
        element("p", label, element("bdi", one_line(said.text)), " ", element("mark", said.status), class_="answer"),
    )


def _section(chapter: Chapter, blocks: tuple[Fragment, ...]) -> Fragment:
    return element("section", element("h2", chapter.heading), *blocks, id=chapter.key)


def _blocks(chapter: Chapter, words: ReportWords) -> tuple[Fragment, ...]:
    sentences = tuple(claim_sentence(one, words) for one in chapter.sentences)
    return (
        *(_list(*sentences) if chapter.is_list else _paragraph(*sentences)),
        *((element("p", one_line(chapter.note), class_="note", dir="auto"),) if chapter.note else ()),
        *(_detail(part, words) for part in chapter.parts),
        *_list(*(_dispute(one, words) for one in chapter.disputes)),
        *_list(*(element("bdi", one_line(point)) for point in chapter.points)),
    )


def _detail(part: Chapter, words: ReportWords) -> Fragment:
    return element("section", element("h3", one_line(part.heading), dir="auto"), *_blocks(part, words), id=part.key)


def _paragraph(*sentences: Fragment) -> tuple[Fragment, ...]:
    return (element("p", join(*sentences, by=" ")),) if sentences else ()


def _list(*items: Content) -> tuple[Fragment, ...]:
    return (element("ul", *(element("li", item, dir="auto") for item in items)),) if items else ()


def _dispute(dispute: Dispute, words: ReportWords) -> Fragment:
    subject = element("strong", element("bdi", one_line(dispute.subject)))
    sides = join(*(_position(position, words) for position in dispute.positions), by=f" {words.against} ")
    return join(subject, ": ", sides)


def _position(position: DisputePosition, words: ReportWords) -> Fragment:
    value = element("q", element("bdi", one_line(position.value)))
    if position.numbers:
        return join(value, citation_markers(position.numbers, words))
    return join(value, f" ({one_line(words.finding.format(id=position.finding))})")


def _making(report: Report, words: ReportWords) -> tuple[Fragment, ...]:
    label = (element("p", words.extractive_notice, class_="note"),) if report.making.extractive else ()
    rows = (
        element("div", element("dt", name), element("dd", value))
        for name, value in production_facts(report.making, words)
    )
    return (*label, element("dl", *rows, class_="facts"))


def _contents(chapters: Iterable[Chapter], words: ReportWords) -> Fragment:
    entries = (
        element("li", element("a", chapter.heading, href=f"#{chapter.key}"), *_subentries(chapter.parts))
        for chapter in chapters
    )
    return element("nav", element("ul", *entries), aria_label=words.contents)


def _subentries(parts: tuple[Chapter, ...]) -> tuple[Fragment, ...]:
    if not parts:
        return ()
    links = (element("a", one_line(part.heading), href=f"#{part.key}", dir="auto") for part in parts)
    return (element("ul", *(element("li", link) for link in links)),)
