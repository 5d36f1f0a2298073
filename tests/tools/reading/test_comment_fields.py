import pytest

from quaestor.tools.reading.comment_fields import comment_fields

FIELDS = "title: Version 2.0.10 released\nslug: version-2-0-10\ndate: 2021-04-05 11:54:38 UTC+1\n"
LINES = ".. title: Version 2.0.10 released.\n.. slug: version-2-0-10\n.. date: 2021-04-05 11:54:38 UTC+1\n"


@pytest.mark.parametrize(
    "text",
    [
        f"<!--\n{LINES}-->\n\n# Security\n",
        f"<!--\n{LINES} -->\n\n# Security\n",
        f"<!-- {LINES.replace('.. ', '')}-->\nWords.\n",
        f"{LINES}\n\nSecurity\n========\n",
        f"\ufeff\n{LINES}",
    ],
)
def test_the_fields_of_a_comment_above_a_text_are_read(text: str) -> None:
    assert comment_fields(text) == FIELDS


@pytest.mark.parametrize(
    "text",
    [
        "",
        f"Words.\n\n<!--\n{LINES}-->\n",
        "<!--\n.. slug: version-2-0-10\n-->\n",
        "<!-- title: A\nThis is a comment.\n-->\n",
        "<!--\n.. title: A\n",
        ".. note:: title: A\n",
    ],
)
def test_a_comment_without_a_title_or_with_other_words_has_none(text: str) -> None:
    assert comment_fields(text) == ""


def test_an_abbreviation_keeps_its_full_stop() -> None:
    assert comment_fields("<!--\ntitle: Ann Lee Ltd.\n-->") == "title: Ann Lee Ltd.\n"


def test_a_long_comment_is_read_in_linear_time() -> None:
    assert comment_fields("<!--" + "a: b\n" * 2_000 + "c\n") == ""
