import pytest

from quaestor.tools.reading.content_type import decode_text, is_binary, needs_detection

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


@pytest.mark.parametrize(
    ("text", "encoding"),
    [
        ("港の灯台は明治二十年に建てられた。灯台守は船を毎日記録した。", "shift-jis"),
        ("港の灯台は明治二十年に建てられた。灯台守は船を毎日記録した。", "euc-jp"),
        ("港口的灯塔建于一八八七年。由行会支付。守塔人每天记录船只。", "gb18030"),
        ("港口的燈塔建於一八八七年。由行會支付。守塔人每天記錄船隻。", "big5"),
        ("항구의 등대는 1887년에 세워졌다. 등대지기는 배를 매일 기록했다.", "euc-kr"),
        ("Маяки гавани были построены в 1831 году. Смотрители вели журналы.", "cp1251"),
        ("Маяки гавани были построены в 1831 году. Смотрители вели журналы.", "koi8-r"),
        ("Φάρος του λιμανιού χτίστηκε το 1887. Φύλακας κρατούσε ημερολόγιο.", "cp1253"),
        ("بنيت منارة الميناء عام 1887. وكان الحارس يسجل السفن كل يوم.", "cp1256"),
    ],
)
def test_a_text_in_another_script_is_read_in_the_character_set_of_its_bytes(text: str, encoding: str) -> None:
    lines = f"{text}\n" * 8
    content = lines.encode(encoding)
    assert needs_detection(content, "")
    assert decode_text(content) == lines
    assert not needs_detection(content, encoding)


@pytest.mark.parametrize(
    "text",
    [
        "Der Leuchtturm von Süderhöft wurde 1887 gebaut. Er kostete 9.100 Gulden.",
        "Le phare d'Aldmouth fut construit en 1831 par l'ingénieur; il a coûté très cher à l'île.",
        "Fyrtårnet på Østre Ås ble bygd i året 1887.",
        "café",
    ],
)
def test_a_text_of_western_europe_is_read_as_such_however_short_it_is(text: str) -> None:
    assert decode_text(text.encode("cp1252")) == text
    assert not needs_detection(text.encode("cp1252"), "")
