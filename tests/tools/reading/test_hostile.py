"""Documents that mean harm: each is skipped with a reason or read as far as it is sound, and the next is read well."""

import socket
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from fakes.office import docx, docx_of, odt, packed
from fakes.pdf import pdf_of
from quaestor.contracts.immutable import replace
from quaestor.tools.reading.parse import SETTINGS, TIMEOUT_SECONDS, parse_sync, read_in_worker
from quaestor.tools.reading.protocol import ParsedDocument, ReadRequest, SkipReason
from quaestor.tools.worker.pool import CancellationToken, WorkerPool

HIDDEN = "words of another file"
SOUND = b"<html><head><title>Sound</title></head><body><p>Some sound words of a page.</p></body></html>"
LAUGHS = (
    "<!DOCTYPE d [<!ENTITY l0 'ha'>" + "".join(f"<!ENTITY l{n} '{f'&l{n - 1};' * 10}'>" for n in range(1, 10)) + "]>"
)
DEEP = 20_000
TOO_MUCH = {SkipReason.TOO_MUCH_MEMORY, SkipReason.CRASHED}
"""Python says that there is no more memory; other code is ended."""


@pytest.fixture(autouse=True)
def the_next_document_is_read_well() -> Iterator[None]:
    yield
    answer = parse_sync(SOUND, "text/html", "https://example.org/")
    assert isinstance(answer, ParsedDocument)
    assert (answer.title, answer.text) == ("Sound", "Some sound words of a page.")


@pytest.mark.parametrize(
    "page",
    [
        b"<html><body>" + b"<div>" * DEEP + b"words" + b"</div>" * DEEP,
        b"<html><body>" + b"<b><i>" * DEEP + b"words",
        b"<html><head>" + b"<title" * 200_000,
        b"<html><head>" + b"<title>" * 200_000,
        b"<html><body>" + b"<a " * 300_000,
        b"<html><body>" + b"<!--" * 300_000,
    ],
    ids=["deep", "deep and open", "title without end", "titles", "tags without end", "comments without end"],
)
def test_a_page_of_markup_alone_holds_no_words(page: bytes) -> None:
    assert parse_sync(page, "text/html", "https://example.org/") is SkipReason.NO_WORDS


def test_a_page_that_takes_too_long_is_given_up() -> None:
    page = b"<html><body><p " + b" ".join(b"a%d=1" % number for number in range(200_000)) + b">words"
    pool = WorkerPool(replace(SETTINGS, module="fakes.hurried_reader"), TIMEOUT_SECONDS, 1)
    asked = ReadRequest(media_type="text/html", uri="https://example.org/")
    assert read_in_worker(pool, asked, page, CancellationToken()) is SkipReason.TOO_MUCH_WORK
    assert read_in_worker(pool, asked, SOUND, CancellationToken()) == parse_sync(SOUND, asked.media_type, asked.uri)
    pool.close()


def test_a_file_that_unpacks_to_more_than_memory_is_given_up() -> None:
    content = docx_of("0" * 200_000_000)
    assert len(content) < 1_000_000
    assert parse_sync(content, "", "/a.docx") is SkipReason.TOO_MUCH_MEMORY


def test_a_pdf_stream_that_unpacks_to_more_than_memory_is_given_up() -> None:
    packed_twice = zlib.compress(zlib.compress(b"q " * 100_000_000, 1))
    content = pdf_of(packed_twice, coding=b"/Filter [/FlateDecode /FlateDecode]")
    assert len(content) < 100_000
    assert parse_sync(content, "", "/a.pdf") in TOO_MUCH


def test_tables_in_tables_in_tables_are_no_harm() -> None:
    deep = "<w:tbl><w:tr><w:tc>" * DEEP + "<w:p><w:r><w:t>x</w:t></w:r></w:p>" + "</w:tc></w:tr></w:tbl>" * DEEP
    assert parse_sync(docx_of(deep), "", "/a.docx")


@pytest.mark.parametrize("make", [docx, odt])
def test_entities_that_multiply_are_not_followed(make: Callable[..., bytes]) -> None:
    answer = parse_sync(make("&l9; words", doctype=LAUGHS), "", "/a")
    assert answer is SkipReason.DAMAGED or (isinstance(answer, ParsedDocument) and len(answer.text) < 1_000)


@pytest.mark.parametrize("scheme", ["file", "http"])
def test_nothing_outside_a_document_is_read(tmp_path: Path, scheme: str) -> None:
    hidden = tmp_path / "hidden.txt"
    hidden.write_text(HIDDEN)
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.setblocking(False)
        address = hidden.as_uri() if scheme == "file" else f"http://127.0.0.1:{server.getsockname()[1]}/"
        outside = f'<!ENTITY out SYSTEM "{address}"><!ENTITY % more SYSTEM "{address}">%more;'
        doctype = f'<!DOCTYPE d SYSTEM "{address}" [{outside}]>'
        page = f"""<?xml version="1.0"?>{doctype}<html><head><link rel="stylesheet" href="{address}"></head>
            <body><p>Words: &out;</p><img src="{address}"><iframe src="{address}"></iframe></body></html>"""
        contents = [docx("Words: &out;", doctype=doctype), odt("Words: &out;", doctype=doctype), page.encode()]
        answers = [
            parse_sync(content, "", name) for content, name in zip(contents, ("/a", "/a", "/a.html"), strict=True)
        ]
        with pytest.raises(BlockingIOError):
            server.accept()
    assert HIDDEN not in str(answers)
    assert "Words:" in str(answers)


def test_a_path_out_of_the_archive_is_no_harm() -> None:
    parse_sync(packed({"../../out.txt": "x", "word/document.xml": "<w/>", "/etc/out.txt": "x"}), "", "/a.docx")
    assert not Path("/etc/out.txt").exists()


def test_text_beyond_all_measure_is_given_up() -> None:
    assert parse_sync(odt("word " * 5_000_000), "", "/a.odt") is SkipReason.TOO_MUCH_TEXT


WORDS = b"\n\nThe pumps were tested in March.\n"
MAILS = {
    "a line in a subject": b"From: a@b.c\nSubject: =?utf-8?q?Pumps=0AFrom:_boss=40x.y?=" + WORDS,
    "a line in a name": b"From: =?utf-8?q?Ann=0D=0AFrom:_boss?= <a@b.c>\nSubject: Pumps" + WORDS,
    "two senders": b"From: a@b.c\nSubject: Pumps\nFrom: boss@x.y" + WORDS,
    "a line in the name of an attachment": (
        b"From: a@b.c\nSubject: P\nContent-Type: multipart/mixed; boundary=b\n\n--b" + WORDS + b"--b\n"
        b"Content-Disposition: attachment; filename*=utf-8''%0AFrom%3A%20boss\n\nx\n--b--\n"
    ),
    "a file of the machine": (
        b"From: a@b.c\nSubject: P\nContent-Type: message/external-body; access-type=local-file; name=/etc/passwd"
        + WORDS
    ),
    "a time that is none": b"From: a@b.c\nSubject: P\nDate: Mon, 99 Jan 99999999999999 00:00:00 +9999999999" + WORDS,
    "a time before all times": b"From: a@b.c\nSubject: P\nDate: Mon, 1 Jan 0001 00:00:00 +1400" + WORDS,
    "characters of no set": b"From: a@b.c\nSubject: P\nContent-Type: text/plain; charset=rot13" + WORDS,
    "characters that unpack": b"From: a@b.c\nSubject: P\nContent-Type: text/plain; charset=zlib" + WORDS,
    "a set with a zero": b'From: a@b.c\nSubject: P\nContent-Type: text/plain; charset="a\0b"' + WORDS,
    "comments in comments": b"From: " + b"(" * DEEP + b"a@b.c\nSubject: P" + WORDS,
    "messages in messages": b"From: a@b.c\nSubject: P\n" + b"Content-Type: message/rfc822\n\n" * 2_000 + WORDS,
}


@pytest.mark.parametrize("mail", MAILS.values(), ids=MAILS)
def test_a_mail_is_read_or_named_and_has_the_sender_of_its_first_header(mail: bytes) -> None:
    answer = parse_sync(mail, "message/rfc822", "mail.eml")
    if isinstance(answer, ParsedDocument):
        senders = [line for line in answer.text.splitlines() if line.startswith("From:")]
        assert len(senders) == 1
        assert "boss@x.y" not in senders[0]
        assert "root:" not in answer.text
    else:
        assert answer is SkipReason.DAMAGED
