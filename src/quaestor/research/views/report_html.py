"""The report as one HTML file that needs nothing else: no script, no picture, no font, no network."""

from dataclasses import dataclass
from importlib.resources import files

from quaestor.research.contracts.report import Report
from quaestor.research.views.citations_html import citation_markers, citation_popovers, claim_sentence, source_list
from quaestor.research.views.report_outline import (
    EXTRACTIVE_NOTICE,
    Dispute,
    DisputePosition,
    ReportPart,
    closing_parts,
    detail_parts,
    disputes,
    open_points,
    opening_parts,
    production_facts,
    proof_notice,
    references,
)
from quaestor.views.escaping import Content, Fragment, element, join, one_line, style_element

_POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"


@dataclass(frozen=True, slots=True)
class _Chapter:
    """The content under one heading of the page; `parts` are the headings below it."""

    key: str
    heading: str
    blocks: tuple[Fragment, ...]
    parts: tuple[ReportPart, ...] = ()


def render_html(report: Report) -> str:
    """Render a report; the text ends with a line end and is the same to the byte for the same report.

    A citation is a button that opens its quote in a popover (the HTML popover attribute, so no script).
    """
    chapters = _chapters(report)
    main = element("main", join(_header(report), *(_section(chapter) for chapter in chapters), by="\n"))
    return html_page(report.title, join(_contents(chapters), main, *citation_popovers(references(report)), by="\n"))


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


def _header(report: Report) -> Fragment:
    return element(
        "header",
        element("p", f"Research report, version {report.version}", class_="kind"),
        element("h1", one_line(report.title), dir="auto"),
        *_question(report),
        *_notice(report),
        *((element("p", one_line(notice), class_="note"),) if (notice := proof_notice(report)) else ()),
        *_answer(report),
    )


def _question(report: Report) -> tuple[Fragment, ...]:
    if report.question == report.title:
        return ()
    return (element("p", one_line(report.question), class_="question", dir="auto"),)


def _notice(report: Report) -> tuple[Fragment, ...]:
    if not report.partial:
        return ()
    return (element("p", element("strong", "Partial report. "), one_line(report.partial), class_="notice"),)


def _answer(report: Report) -> tuple[Fragment, ...]:
    label = element("span", "Answer", class_="label")
    if report.answer_claim:
        return (element("p", label, claim_sentence(report.answer_claim), class_="answer"),)
    if report.answer:
        words = element("bdi", one_line(report.answer))
        return (element("p", label, words, " ", element("mark", "not quoted"), class_="answer"),)
    return ()


def _chapters(report: Report) -> tuple[_Chapter, ...]:
    detailed = detail_parts(report)
    chapters = (
        *(_Chapter(part.key, part.heading, _claims(part)) for part in opening_parts(report)),
        _Chapter("details", "Details", tuple(_detail(part) for part in detailed), detailed),
        _Chapter("contradictions", "Contradictions", _list(*(_dispute(one) for one in disputes(report)))),
        _Chapter("assumptions", "Assumptions", _list(*(element("bdi", one_line(each)) for each in report.assumptions))),
        _Chapter("gaps", "Gaps", _list(*(element("bdi", one_line(point)) for point in open_points(report)))),
        *(_Chapter(part.key, part.heading, _claims(part)) for part in closing_parts(report)),
        _Chapter("references", "References", source_list(references(report))),
        _Chapter("making", "How this was made", _making(report)),
    )
    return tuple(chapter for chapter in chapters if chapter.blocks)


def _section(chapter: _Chapter) -> Fragment:
    return element("section", element("h2", chapter.heading), *chapter.blocks, id=chapter.key)


def _detail(part: ReportPart) -> Fragment:
    heading = element("h3", one_line(part.heading), dir="auto")
    return element("section", heading, *_claims(part), id=part.key)


def _claims(part: ReportPart) -> tuple[Fragment, ...]:
    sentences = tuple(claim_sentence(claim) for claim in part.claims)
    body = _list(*sentences) if part.listed else _paragraph(*sentences)
    return (*body, *((element("p", one_line(part.note), class_="note", dir="auto"),) if part.note else ()))


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


def _contents(chapters: tuple[_Chapter, ...]) -> Fragment:
    entries = (
        element("li", element("a", chapter.heading, href=f"#{chapter.key}"), *_subentries(chapter.parts))
        for chapter in chapters
    )
    return element("nav", element("ul", *entries), aria_label="Contents")


def _subentries(parts: tuple[ReportPart, ...]) -> tuple[Fragment, ...]:
    if not parts:
        return ()
    links = (element("a", one_line(part.heading), href=f"#{part.key}", dir="auto") for part in parts)
    return (element("ul", *(element("li", link) for link in links)),)
