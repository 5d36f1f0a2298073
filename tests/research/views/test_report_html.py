from dataclasses import dataclass, field
from html.parser import HTMLParser

from hypothesis import given
from typing_extensions import override

from quaestor.research.views.report_html import render_html
from research.views.sample import HARM, HOSTILE, LONG, bare, report
from research.views.test_report_markdown import TEXTS, with_everywhere

VOID = {"meta"}


@dataclass
class Page(HTMLParser):
    """The elements of a page, with a check that every one is closed where it must be."""

    elements: list[tuple[str, dict[str, str]]] = field(default_factory=list)
    texts: list[tuple[str, str]] = field(default_factory=list)
    opened: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        super().__init__(convert_charrefs=True)

    @override
    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, {key: value or "" for key, value in attrs}))
        if tag not in VOID:
            self.opened.append(tag)

    @override
    def handle_endtag(self, tag: str) -> None:
        assert self.opened.pop() == tag

    @override
    def handle_data(self, data: str) -> None:
        self.texts.append((self.opened[-1] if self.opened else "", data))

    def attributes(self, name: str) -> list[str]:
        return [attributes[name] for _, attributes in self.elements if name in attributes]

    def said(self) -> str:
        return "".join(data for tag, data in self.texts if tag != "style")


def page(text: str) -> Page:
    parsed = Page()
    parsed.feed(text)
    parsed.close()
    assert not parsed.opened
    return parsed


@given(TEXTS)
def test_no_text_becomes_markup(text: str) -> None:
    seen, plain = page(render_html(with_everywhere(text))), page(render_html(with_everywhere("word")))
    assert [tag for tag, _ in seen.elements] == [tag for tag, _ in plain.elements]
    assert [sorted(attributes) for _, attributes in seen.elements] == [
        sorted(attributes) for _, attributes in plain.elements
    ]


def test_the_page_needs_nothing_else_and_allows_nothing_else() -> None:
    parsed = page(render_html(report()))
    tags = {tag for tag, _ in parsed.elements}
    assert tags.isdisjoint({"script", "img", "link", "iframe", "object", "embed", "form", "base", "svg"})
    assert {"http-equiv": "Content-Security-Policy"}.items() <= parsed.elements[3][1].items()
    assert parsed.elements[3][1]["content"].startswith("default-src 'none'; style-src 'unsafe-inline';")
    handlers = [key for _, attributes in parsed.elements for key in attributes if key.startswith("on")]
    assert not handlers
    assert "url(" not in render_html(report())
    assert "@import" not in render_html(report())


def test_every_button_opens_a_quote_and_every_anchor_leads_somewhere() -> None:
    parsed = page(render_html(report()))
    ids = parsed.attributes("id")
    assert len(ids) == len(set(ids))
    assert set(parsed.attributes("popovertarget")) == {f"quote-{number}" for number in range(1, 8)}
    assert set(parsed.attributes("popovertarget")) <= set(ids)
    inner = {href[1:] for href in parsed.attributes("href") if href.startswith("#")}
    assert {"summary", "t1", "references", "reference-7"} <= inner <= set(ids)


def test_only_web_addresses_are_linked() -> None:
    outer = {href for href in page(render_html(report())).attributes("href") if not href.startswith("#")}
    assert outer == {
        "https://example.org/survey?year=1899&part=2",
        "https://example.org/\u6c34\u9053",
        "https://example.com/guide",
    }


def test_an_address_cannot_leave_its_attribute() -> None:
    address = "https://evil.example/\"onclick='x'>&amp;"
    told = report()
    told = told.model_copy(update={"sources": (told.sources[0].model_copy(update={"uri": address}),)})
    links = [attributes for tag, attributes in page(render_html(told)).elements if tag == "a" and "rel" in attributes]
    assert links
    assert all(link == {"href": address, "rel": "noreferrer nofollow"} for link in links)


def test_a_popover_holds_the_exact_words_their_place_and_the_whole_hash() -> None:
    parsed = page(render_html(report()))
    quotes = [data for tag, data in parsed.texts if tag == "blockquote"]
    assert LONG.text in quotes
    assert f"characters {LONG.start} to {LONG.end} of 101" in parsed.said()
    assert LONG.source in parsed.said()


def test_hidden_characters_are_shown() -> None:
    quotes = [data for tag, data in page(render_html(report())).texts if tag == "blockquote"]
    shown = HARM.text.replace("\x1b", "\ufffd").replace("\x00", "\ufffd").replace("\u202e", "\ufffd")
    assert shown in quotes
    assert HOSTILE not in quotes


def test_doubts_and_reasons_are_visible() -> None:
    parsed = page(render_html(report(extractive=True, partial="The limit of 40 model calls was reached.")))
    assert [data for tag, data in parsed.texts if tag == "mark"] == ["not quoted"] * 2
    assert "Partial report. The limit of 40 model calls was reached." in parsed.said()
    assert "no language model wrote them" in parsed.said()
    assert "The search brought nothing on this." in parsed.said()


def test_an_answer_without_a_claim_is_not_quoted() -> None:
    parsed = page(render_html(report().model_copy(update={"answer_claim": None})))
    assert "Answer91 kilometres not quoted" in parsed.said()


def test_empty_parts_are_left_out() -> None:
    assert [data for tag, data in page(render_html(bare())).texts if tag in {"h1", "h2", "h3"}] == [
        "Why",
        "How this was made",
    ]
