from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quaestor.tools.engines.response import first_words, parse_leading_date, strip_html


@pytest.mark.parametrize(
    ("html", "text"),
    [
        ("a<br>b<br/>c", "a b c"),
        ("H<sub>2</sub>O", "H2O"),
        ('<a href="/x" class=y>link</a>', "link"),
        ("<jats:p>one</jats:p>", "one"),
        ("<style>p { color: red }</style>red", "red"),
        ("<script>if (a < b) { c() }</script>safe", "safe"),
        ("before<!-- a - b -- c <b> -->after", "before after"),
        ("&lt;b&gt; is a tag", "<b> is a tag"),
        ("fish &amp; chips&nbsp;!", "fish & chips !"),
        ("p < 0.05 and q > 3", "p < 0.05 and q > 3"),
        ("$a<b$ and c>d", "$a<b$ and c>d"),
        ("if x <y and y> z", "if x <y and y> z"),
        ("How to use the <script> tag", "How to use the tag"),
        ("a\x00b\x1b[31m\u202fc", "ab[31m c"),
    ],
)
def test_html_becomes_words(html: str, text: str) -> None:
    assert strip_html(html, 100) == text


@given(text=st.text(alphabet="<>!-/ab script=&;\"'\x00\ud800", max_size=300), most=st.integers(1, 50))
def test_words_are_on_one_line_and_not_too_many(text: str, most: int) -> None:
    words = strip_html(text, most)
    assert len(words) <= most
    assert words == " ".join(words.split())
    words.encode()


@pytest.mark.parametrize(
    "part", ["<", "<a ", "<script>", "<!--", "<a =", "</script", "<script><style>", "<!-", "&", "a="]
)
def test_hostile_html_takes_no_time(part: str) -> None:
    strip_html(part * 20_000, 100)


def test_words_are_cut_at_a_blank_where_there_is_one() -> None:
    assert strip_html("one two three", 9) == "one two"
    assert strip_html("one two three", 7) == "one two"
    assert strip_html("zinc" * 5, 6) == "zinczi"
    assert first_words("one  two three four", characters=100, words=2) == "one two"
    assert first_words("one two three", characters=11) == "one two"


@pytest.mark.parametrize(
    "form",
    [
        "%Y-%m-%d",
        "%Y/%m/%d",
        "%Y-%m-%dT23:30:00-08:00",
        "%Y-%m-%d 00:00",
        "%a, %d %b %Y 08:00:00 GMT",
        "%d %B %Y",
        "%b %d, %Y",
        "%B %d, %Y",
        "%Y %b %d",
        "%Y %m %d",
    ],
)
@given(day_meant=st.dates(min_value=date(1000, 1, 1)))
def test_a_day_is_read_however_it_is_written(form: str, day_meant: date) -> None:
    assert parse_leading_date(day_meant.strftime(form)) == day_meant


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("2023", date(2023, 1, 1)),
        ("2023-04", date(2023, 4, 1)),
        ("2023 Apr", date(2023, 4, 1)),
        ("April 2023", date(2023, 4, 1)),
        ("2023 Nov-Dec", date(2023, 11, 1)),
        ("3 Sept. 2023", date(2023, 9, 3)),
        ("  March 3rd, 2023 - an article", date(2023, 3, 3)),
    ],
)
def test_what_is_open_is_the_first(text: str, meant: date) -> None:
    assert parse_leading_date(text) == meant


@pytest.mark.parametrize(
    "text", ["", "3 days ago", "yesterday", "2023-02-30", "2023-13", "0000-01-01", "20230405", "Spring 2023", "12345"]
)
def test_what_names_no_day_is_no_day(text: str) -> None:
    assert parse_leading_date(text) is None


@given(text=st.text())
def test_any_text_can_be_asked(text: str) -> None:
    parse_leading_date(text)
