import pytest
from lxml.html import document_fromstring, tostring  # type: ignore[import-untyped]  # it ships no types

from quaestor.tools.reading.loose_words import put_in_paragraphs


@pytest.mark.parametrize(
    ("body", "wrapped"),
    [
        ("a<h2>b</h2>c <i>d</i> e<p>f</p>", "<p>a</p><h2>b</h2><p>c <i>d</i> e</p><p>f</p>"),
        ("<h2>a</h2>b<br><br>c<br>d", "<h2>a</h2><p>b</p><p>c<br>d</p>"),
        ("<div>a<ul><li>b</li></ul>c</div>", "<div><p>a</p><ul><li>b</li></ul><p>c</p></div>"),
        ("a <b>b</b>", "a <b>b</b>"),
        ('<a href="b">to b</a> <a href="c">to c</a><h2>a</h2>', '<a href="b">to b</a> <a href="c">to c</a><h2>a</h2>'),
        ("<h2>a</h2> <!-- c --> <p>b</p>", "<h2>a</h2> <!-- c --> <p>b</p>"),
    ],
)
def test_words_between_blocks_become_paragraphs_but_not_links(body: str, wrapped: str) -> None:
    tree = document_fromstring(f"<html><body>{body}</body></html>")
    put_in_paragraphs(tree)
    assert tostring(tree, encoding="unicode") == f"<html><body>{wrapped}</body></html>"
