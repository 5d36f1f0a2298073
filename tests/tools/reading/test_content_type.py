import pytest

from fakes.office import docx, epub, odt, pptx, rtf, xlsx
from fakes.pdf import pdf
from quaestor.tools.reading.content_type import (
    ARCHIVE,
    HTML,
    MARKDOWN,
    OFFICE,
    PDF,
    PLAIN,
    RST,
    detect_media_type,
    parse_charset,
    unknown_suffix,
)

PAGE = b"<!-- saved --> \n<!-- again -->\n<!DOCTYPE html><p>Words"
OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
WORD, ODT = (
    "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
    "application/vnd.oasis.opendocument.text",
)


@pytest.mark.parametrize(
    ("content", "uri", "told", "media_type"),
    [
        (b"# Words", "/a/b.md", "", MARKDOWN),
        (b"Words", "/a/b.RST", "", RST),
        (b"# Words", "/a/b.mdx", "", MARKDOWN),
        (b"# Words", "/a/b.html.MD.erb", "", MARKDOWN),
        (b"# Words", "https://x.org/a.md.j2?b=c", "", MARKDOWN),
        (b"<p>Words", "/a/b.html.tmpl", "", HTML),
        (b"Words", "/a/config.in", "", PLAIN),
        (b"Words", "/a/b.py", "", PLAIN),
        (b"Words", "/a/b", "", PLAIN),
        (b"{}", "https://x.org/a.json", "application/json", PLAIN),
        (b"# Words", "https://x.org/a.md?b=c.txt", "text/plain; charset=utf-8", MARKDOWN),
        (PAGE, "/a/saved", "", HTML),
        (PAGE, "/a/page.php", "", HTML),
        (PAGE, "/a/lost.pdf", "", HTML),
        (PAGE, "/a/template.txt", "", PLAIN),
        (b"<p>Words", "/a/b.htm", "", HTML),
        (b"<p>Words", "https://x.org/", "Text/HTML; charset=utf-8", HTML),
        (b"<p>Words", "https://x.org/a.txt", "application/xhtml+xml", HTML),
        (pdf(["x"]), "/a/b.txt", "", PDF),
        (pdf(["x"]), "https://x.org/download", "application/octet-stream", PDF),
        (b"junk", "/a/b.pdf", "", PDF),
        (docx("x"), "/a/b.docx", "", WORD),
        (docx("x"), "/a/b", "", WORD),
        (odt("x"), "/a/b.txt", "", ODT),
        (OLE, "/a/b.doc", "", "application/msword"),
        (OLE, "/a/b.msi", "", PLAIN),
        (b"PK\x03\x04junk", "/a/b.zip", "", ARCHIVE),
        (b"PK\x03\x04junk", "/a/b.jar", "", PLAIN),
        (b"Words", "/a/b.zip", "", PLAIN),
        (b"Words", "https://x.org/download", WORD, WORD),
    ],
)
def test_beginning_beats_server_beats_name(content: bytes, uri: str, told: str, media_type: str) -> None:
    assert detect_media_type(content, uri, told) == media_type


def test_the_suffix_of_a_template_is_left_out_behind_one_that_is_known() -> None:
    assert [unknown_suffix(name) for name in ("/a/b.lid", "/a/b.lid.in", "/a/b.md.in")] == ["lid", "in", ""]


@pytest.mark.parametrize("content", [docx("x"), xlsx("x"), pptx("x"), odt("x"), epub("x"), rtf("x")])
def test_office_files_are_known_without_a_name(content: bytes) -> None:
    assert detect_media_type(content, "/a/b") in OFFICE


def test_comments_without_end_are_looked_at_once() -> None:
    assert detect_media_type(b"<!---->" * 2_800 + b"x", "/a/b") == PLAIN
    assert detect_media_type(b"<!--" * 5_000, "/a/b") == PLAIN


@pytest.mark.parametrize(
    ("told", "name"),
    [("text/html; charset=koi8-r", "koi8-r"), ('text/html;Charset="UTF-8"', "UTF-8"), ("text/html", "")],
)
def test_a_server_may_name_the_character_set(told: str, name: str) -> None:
    assert parse_charset(told) == name
