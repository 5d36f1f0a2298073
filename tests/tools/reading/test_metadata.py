from hypothesis import given
from hypothesis import strategies as st

from quaestor.tools.reading.metadata import extract_links
from quaestor.tools.reading.protocol import PageLink

BASE = "https://example.org/a/page.html"


def test_links_are_absolute_in_order_and_each_once() -> None:
    anchors = [("b#part", " The\n next "), ("/c?d=1", ""), ("//other.org", "O"), ("b", "again"), ("HTTP://X.org/", "X")]
    assert extract_links(anchors, BASE) == (
        PageLink(url="https://example.org/a/b", text="The next"),
        PageLink(url="https://example.org/c?d=1"),
        PageLink(url="https://other.org", text="O"),
        PageLink(url="http://X.org/", text="X"),
    )


def test_what_leads_nowhere_in_the_web_is_no_link() -> None:
    addresses = [
        "#top",
        "",
        "page.html#end",
        "mailto:a@b.c",
        "javascript:x()",
        "data:,x",
        "ftp://x.org",
        "http://[",
        "https://",
        "https://me:hunter-two@x.org/",
    ]
    assert extract_links([(address, "x") for address in addresses], BASE) == ()
    assert extract_links([("b.html", "x")], "/home/ann/page.html") == ()


def test_there_are_at_most_500_of_bounded_length() -> None:
    found = extract_links([("x" * 3_000, "")] + [(f"{number}", "word " * 99) for number in range(600)], BASE)
    assert [link.url for link in found] == [f"https://example.org/a/{number}" for number in range(500)]
    assert {len(link.text) for link in found} == {200}


@given(st.lists(st.tuples(st.text(), st.text())))
def test_no_address_breaks_it(anchors: list[tuple[str, str]]) -> None:
    assert all(
        link.url.startswith(("http://", "https://")) and "#" not in link.url for link in extract_links(anchors, BASE)
    )
