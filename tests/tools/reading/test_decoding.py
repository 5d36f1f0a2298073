import pytest

from quaestor.tools.reading.content_type import decode_text, is_binary

MIR = "Мир, слова".encode("koi8-r")


def test_a_server_may_name_the_encoding() -> None:
    assert decode_text(MIR, "koi8-r") == "Мир, слова"


def test_the_server_beats_the_page() -> None:
    assert decode_text(b'<meta charset="cp1251">' + MIR, "koi8-r").endswith("Мир, слова")


@pytest.mark.parametrize("charset", ["", "utf-8", "no-such", "rot13", "utf-16", "base64", "idna"])
def test_a_name_that_helps_nothing_is_passed_over(charset: str) -> None:
    assert decode_text(b"caf\xe9", charset) == "café"


def test_utf_8_beats_every_name() -> None:
    assert decode_text("café".encode(), "koi8-r") == "café"


def test_marked_text_is_never_binary() -> None:
    assert not is_binary("a".encode("utf-16"))
    assert is_binary(b"a\0")
