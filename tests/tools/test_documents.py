import logging
from datetime import date
from pathlib import Path

import pytest

from fakes.pdf import pdf
from quaestor.contracts.library import Document
from quaestor.tools.documents import PERMANENT_REASONS, read_document
from quaestor.tools.reading.protocol import SkipReason

PAGE = """<!doctype html><html><head><title>Fog  bells</title></head><body><nav>Home</nav><article><h1>The bell</h1>
<p>The fog bell of Aldmouth was cast in 1844 after the wreck of the brig Constancy, and it was struck by hand.</p>
</article></body></html>"""


def written(folder: Path, name: str, content: str | bytes) -> Path:
    path = folder / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


@pytest.mark.parametrize(
    ("name", "content", "media_type", "title"),
    [
        ("a.md", "Intro\n\n# The *first* title\n\n# Second", "text/markdown", "The first title"),
        ("a.md", '---\ntitle: "Front matter"\n---\n\n# Heading', "text/markdown", "Front matter"),
        ("a.rst", "=====\nTitle\n=====\n\nWords", "text/x-rst", "Title"),
        (
            "pep.rst",
            "PEP: 1\nTitle: First\n  and last\nAuthor: Ann\n\nAbstract\n========\n",
            "text/x-rst",
            "First and last",
        ),
        ("a.py", "# comment\nx = 1\n", "text/plain", "a.py"),
        ("README", "Words only.", "text/plain", "README"),
        ("index.htm", PAGE, "text/html", "Fog bells"),
        ("saved", PAGE, "text/html", "Fog bells"),
        ("two.html", "<h1>One</h1><p>Some words of a page here.</p><h1>Two</h1>", "text/html", "One"),
        ("b.html", PAGE.replace("<title>Fog  bells</title>", ""), "text/html", "The bell"),
    ],
)
def test_media_type_and_title(tmp_path: Path, name: str, content: str, media_type: str, title: str) -> None:
    document = read_document(written(tmp_path, name, content))
    assert (document.media_type, document.title, document.skipped) == (media_type, title, None)


def test_a_page_may_name_its_encoding(tmp_path: Path) -> None:
    page = '<html><head><meta charset="koi8-r"><title>Мир</title></head><body><p>Всё хорошо, слова.</p></body></html>'
    assert read_document(written(tmp_path, "a.html", page.encode("koi8-r"))).title == "Мир"


def test_a_page_is_stored_as_its_words(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    path = written(tmp_path, "a.html", PAGE)
    document = read_document(path)
    assert "The fog bell of Aldmouth was cast in 1844" in document.text
    assert "<" not in document.text
    assert document == read_document(path)
    assert not [record for record in caplog.records if record.levelno >= logging.ERROR]


@pytest.mark.parametrize(
    ("content", "text"),
    [
        (b"caf\xc3\xa9", "café"),
        (b"\xef\xbb\xbfcaf\xc3\xa9", "café"),
        ("café".encode("utf-16"), "café"),
        (b"\xfe\xff" + "café".encode("utf-16-be"), "café"),
        ("café".encode("utf-32"), "café"),
        (b"caf\xe9 \x96 \x93so\x94", "café – “so”"),  # noqa: RUF001 (a dash of Windows-1252)
        (b"caf\xe9 \x81", "café \x81"),
        (b"a\r\nb\rc\n", "a\nb\nc\n"),
        (b"\xff\xfea\x00\x00\x00b\x00", "ab"),
        (b"\xff\xfe\x00\xd8a\x00", "\ufffda"),
    ],
)
def test_encodings(tmp_path: Path, content: bytes, text: str) -> None:
    document = read_document(written(tmp_path, "a.txt", content))
    assert document.text == text
    document.text.encode()


@pytest.mark.parametrize(
    "content", [b"\x00\x01\x02", b"text " * 99 + b"\0", bytes(range(256)) * 4, b"\x7fELF\x02\x01\x01" * 9]
)
def test_bytes_that_are_no_text_are_skipped(tmp_path: Path, content: bytes) -> None:
    assert read_document(written(tmp_path, "a.txt", content)).skipped == "not text"


def test_a_pdf_file_is_stored_with_its_pages_and_its_date(tmp_path: Path) -> None:
    path = written(tmp_path, "paper.pdf", pdf(["One"], ["Two"], said={"ModDate": "D:20200506"}))
    assert read_document(path) == Document(
        uri=str(path),
        title="paper.pdf",
        media_type="application/pdf",
        text="One\n\nTwo",
        published=date(2020, 5, 6),
        pages=(0, 5),
    )


def test_a_reason_lasts_if_another_reading_would_give_it_again(tmp_path: Path) -> None:
    assert read_document(written(tmp_path, "a.pdf", pdf(["x"], locked=True))).skipped in PERMANENT_REASONS
    assert read_document(tmp_path / "gone.txt").skipped not in PERMANENT_REASONS
    assert SkipReason.LOST not in PERMANENT_REASONS


def test_blank_text_is_skipped(tmp_path: Path) -> None:
    assert read_document(written(tmp_path, "a.txt", " \n\t\n")).skipped == "holds no words"


def test_a_file_that_has_gone_is_skipped_with_the_reason(tmp_path: Path) -> None:
    assert read_document(tmp_path / "gone.txt").skipped == "cannot be read: No such file or directory"
