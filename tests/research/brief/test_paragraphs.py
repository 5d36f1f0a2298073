import pytest

from quaestor.research.brief.paragraphs import MAX_PARAGRAPH_CHARACTERS, paragraph_around

NOTE = """Note: 12
Title: Plain Jars
Status: Rejected
Superseded-By: 40

Abstract
========

Jars hold honey. They are made of glass.

Lids keep the dust out.

Reasons
=======

Dust spoils honey.
"""


def around(text: str, words: str) -> tuple[str, str]:
    start = text.index(words)
    found = paragraph_around(text, "text/x-rst", start, start + len(words))
    return text[found.start : found.end], found.heading


def test_a_sentence_is_shown_in_its_paragraph_below_its_heading() -> None:
    assert around(NOTE, "They are made of glass.") == ("Jars hold honey. They are made of glass.", "Abstract")
    assert around(NOTE, "Dust spoils") == ("Dust spoils honey.", "Reasons")


def test_a_field_is_shown_with_the_fields_around_it() -> None:
    assert around(NOTE, "Status: Rejected")[0].startswith("Note: 12\nTitle: Plain Jars")


def test_a_long_paragraph_is_cut_after_sentences_on_either_side() -> None:
    text = " ".join(f"Jar number {number} holds honey of the north." for number in range(100)) + "\n"
    shown, _ = around(text, "Jar number 50 holds honey of the north.")

    assert len(shown) <= MAX_PARAGRAPH_CHARACTERS
    assert shown.startswith("Jar number 4")
    assert shown.endswith("of the north.")


@pytest.mark.parametrize("words", ["jar 7,", "jar 400,"])
def test_what_has_no_sentences_is_cut_by_lines(words: str) -> None:
    text = "name, price\n" + "\n".join(f"jar {number}, {number} crowns" for number in range(500)) + "\n"
    shown, _ = around(text, words)

    assert words in shown
    assert len(shown) <= 2 * MAX_PARAGRAPH_CHARACTERS
