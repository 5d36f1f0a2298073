from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quaestor.evidence.tokenization import sentence_spans


def said(text: str) -> list[str]:
    return [" ".join(text[start:end].split()) for start, end in sentence_spans(text)]


@pytest.mark.parametrize(
    "parts",
    [
        ["Dr. J. K. Rowling met e.g. Mr. Smith in the U.S. Army.", "He saw No. 5 of Op. 27 etc.", "The end... or not?"],
        ["Python 3.11.4 costs $3.5 million.", '"Really?" he said.', "She lives in the U.S.", "She works."],
        ["See version 3.11.", "asyncio.run() is new.", "It was cited. [2]_", "Next.[3]", "More."],
        ["Acme Inc. bought Foo, i.e. Bar, vs. Baz.", "In 1990 it closed.", ":pep:`438` was next."],
        ["Am 3. Oktober 1990 wurde es gefeiert.", "Das war im 20. Jahrhundert."],
        ["Vive en EE. UU.", "Los otros no.", "¿Por qué?", "¡No sé!"],
        ["Wait...", "What?", "(He left.)", "``code`` follows."],
    ],
)
def test_prose_is_cut_at_the_ends_of_sentences_alone(parts: list[str]) -> None:
    assert said(" ".join(parts)) == parts


@pytest.mark.parametrize(
    "parts",
    [
        ["北京是中国的首都。", "它有2000万人口\uff01", "真的吗\uff1f"],
        ["「そうです。」と言った。", "次の文。"],
        ["疲劳。[需要引证]", "然后。"],
    ],
)
def test_scripts_without_blanks_end_sentences_without_them(parts: list[str]) -> None:
    assert said("".join(parts)) == parts


def test_hindi_and_thai() -> None:
    assert said("दिल्ली राजधानी है। यह बड़ी है।") == ["दिल्ली राजधानी है।", "यह बड़ी है।"]
    thai = ["ประเทศไทยเป็นประเทศที่ตั้งอยู่ในเอเชียตะวันออกเฉียงใต้", "มีเมืองหลวงชื่อกรุงเทพ"]
    assert said(" ".join(thai)) == thai


def test_a_hard_line_break_ends_no_sentence() -> None:
    assert said("Wrapped over\ntwo lines. And\nagain.") == ["Wrapped over two lines.", "And again."]


def test_a_title_line_is_not_joined_with_the_paragraph_below_it() -> None:
    assert said("Rejected Ideas\nFrozen ones were dropped by all.") == [
        "Rejected Ideas",
        "Frozen ones were dropped by all.",
    ]
    assert said("A line that is as long as its page is\nWrapped for that alone.") == [
        "A line that is as long as its page is Wrapped for that alone."
    ]


def test_blocks_are_units_of_their_own() -> None:
    text = """PEP: 1
Title: A title: with a colon
Author: Ann Lee,
        Bo Ek

Heading
=======

Prose follows. See::

    code. Not prose.

    more code

- one. Two
  three
- four

1. first
2. second

.. note:: A note
   goes on.

.. code-block:: python

   x = 1. Foo

.. _target: https://example.org
.. a comment

====  ====
a     b
====  ====
1     2
====  ====

| c. E | d |
| 3 | 4 |

# Markdown heading #

~~~
fenced. Code
~~~
Last words.
"""
    assert said(text) == [
        "PEP: 1",
        "Title: A title: with a colon",
        "Author: Ann Lee, Bo Ek",
        "Heading",
        "Prose follows.",
        "See::",
        "code. Not prose. more code",
        "one.",
        "Two three",
        "four",
        "first",
        "second",
        "A note goes on.",
        ".. code-block:: python x = 1. Foo",
        "==== ==== a b ==== ==== 1 2 ==== ====",
        "| c. E | d | | 3 | 4 |",
        "Markdown heading",
        "~~~ fenced. Code ~~~",
        "Last words.",
    ]


def test_a_table_without_bars_at_its_sides_is_a_table() -> None:
    text = "Lamp | Range. Miles\n:---|:---\nFog | 3. Red\nGale | 9\n\nKeepers read a|b. Not a table."
    assert said(text) == [
        "Lamp | Range. Miles :---|:--- Fog | 3. Red Gale | 9",
        "Keepers read a|b.",
        "Not a table.",
    ]


def test_where_links_lead_is_no_sentence() -> None:
    text = "See [the lamp][lamp].\n\n[lamp]: ./lamp.html#fog\n[gale]: https://a.org 'Gale'\n\n[Ann]: I see it. Good."
    assert said(text) == ["See [the lamp][lamp].", "[Ann]: I see it.", "Good."]


def test_a_note_in_prose_is_no_field() -> None:
    assert said("Note: this is prose. And it goes on.") == ["Note: this is prose.", "And it goes on."]


@given(st.text(alphabet=st.sampled_from("aB1. !?:\n\t-=#*|>`。ก")))
def test_sentences_are_in_order_and_trimmed(text: str) -> None:
    spans = sentence_spans(text)
    assert all(0 <= start < end <= len(text) for start, end in spans)
    assert all(text[start:end] == text[start:end].strip() for start, end in spans)
    assert all(before[1] <= after[0] for before, after in pairwise(spans))


def test_a_printed_line_end_ends_a_sentence_as_a_blank_does() -> None:
    text = r"Trams run at night.\n\nOne of them is free. Others are not."
    assert [text[start:end] for start, end in sentence_spans(text)] == [
        "Trams run at night.",
        r"\n\nOne of them is free.",
        "Others are not.",
    ]


@pytest.mark.parametrize(
    "table",
    [
        "| Lamp | Range |\n|---|---|\nFog | 3. Red\nGale | 9",
        "Lamp | Range\n--- | ---\n| Fog | 3. Red |\nGale | 9",
        "Fog | 3. Red\nGale | 9",
    ],
)
def test_rows_of_a_table_belong_to_it_with_and_without_bars_at_their_sides(table: str) -> None:
    assert said(f"The lamps:\n\n{table}\n\nKeepers read. They sleep.")[1] == " ".join(table.split("\n"))


@pytest.mark.parametrize("text", ["Pipe a | b here. Or not.\nThen it ends.", "Pipe a | b here. Or not."])
def test_a_bar_in_prose_makes_no_row(text: str) -> None:
    assert len(said(text)) > 1


def test_numbers_that_count_on_begin_items_also_below_words_without_a_number() -> None:
    assert said("Enter the boat.\n2. Row\nfar. Rest.\n3. Return.") == [
        "Enter the boat.",
        "Row far.",
        "Rest.",
        "Return.",
    ]
    assert said("He came on page\n2. Then he went in\n1860. All of it.")[1:] == ["Then he went in 1860.", "All of it."]
