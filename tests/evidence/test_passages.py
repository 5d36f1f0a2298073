import pytest
from hypothesis import given
from hypothesis import strategies as st

from quaestor.evidence.passages import MAX_LENGTH, split_passages
from quaestor.evidence.tokenization import sentence_spans

MEDIA_TYPES = ("text/x-rst", "text/markdown", "text/plain", "text/html")

LINES = st.one_of(
    st.sampled_from(
        ["", "Title", "=====", "-----", "# A", "## B", "```", "```{note}", "Key: value", "::", "- item", "    code"]
    ),
    st.text(max_size=40),
    st.sampled_from([".. class:: Lamp", "   .. method:: light()", ".. option:: -o", "   It burns.", ".. note::"]),
    st.sampled_from([".. list-table:: T", "   :header-rows: 1", "   * - a", "     - b", ".. csv-table::", "   a, b"]),
    st.sampled_from(["word " * 500, "x" * 2000, "One sentence. " * 150]),
)


@given(st.lists(LINES, max_size=30).map("\n".join), st.sampled_from(MEDIA_TYPES))
def test_every_character_is_in_exactly_one_passage_of_bounded_size(text: str, media_type: str) -> None:
    at = 0
    for start, end, _ in split_passages(text, media_type):
        assert at <= start < end <= len(text)
        assert not text[at:start].strip()
        assert text[start:end] == text[start:end].strip()
        assert end - start <= MAX_LENGTH
        at = end
    assert not text[at:].strip()


def headings(text: str, media_type: str) -> list[tuple[str, str]]:
    return [(heading, text[start:end].splitlines()[0]) for start, end, heading in split_passages(text, media_type)]


RST = """PEP: 1
Title: First

Abstract
========

Words.

Specification
=============

Syntax
------

Words.

Grammar
~~~~~~~

Words.

Meaning
-------

# No heading here.
"""


def test_restructuredtext_headings_nest_in_order_of_appearance() -> None:
    assert headings(RST, "text/x-rst") == [
        ("", "PEP: 1"),
        ("Abstract", "Abstract"),
        ("Specification > Syntax", "Specification"),
        ("Specification > Syntax > Grammar", "Grammar"),
        ("Specification > Meaning", "Meaning"),
    ]


def test_an_overline_makes_another_level() -> None:
    text = "=====\nTitle\n=====\n\nWords.\n\nPart\n====\n\nWords."
    assert headings(text, "text/x-rst") == [("Title", "====="), ("Title > Part", "Part")]


@pytest.mark.parametrize("overline", ["#####\n", ""])
def test_a_rule_of_number_signs_makes_a_heading_of_restructuredtext(overline: str) -> None:
    text = f"{overline}Title\n#####\n\nWords.\n\nPart\n****\n\n# No heading here."
    assert [heading for heading, _ in headings(text, "text/x-rst")] == ["Title", "Title > Part"]


def test_a_comment_in_a_frame_of_number_signs_is_no_heading_of_source_code() -> None:
    text = "start = 1\n#########\n# Bells #\n#########\n\nring = 2\n"
    assert [heading for heading, _ in headings(text, "text/plain")] == [""]


MARKDOWN = """# Top

Words.

## Deep

```
# no heading
```

Next
====

Words.
"""


def test_markdown_headings_nest_by_level_and_never_stand_in_code() -> None:
    assert headings(MARKDOWN, "text/markdown") == [("Top", "# Top"), ("Top > Deep", "## Deep"), ("Next", "Next")]


def test_plain_text_underlined_as_restructuredtext_nests_below_its_larger_headings() -> None:
    text = "tasks\n=====\n\nTask\n----\n\nTask.wait\n~~~~~~~~~\n\nWaits.\n\ngather\n------\n\nGathers.\n"
    assert headings(text, "text/plain") == [("tasks > Task > Task.wait", "tasks"), ("tasks > gather", "gather")]


@pytest.mark.parametrize("media_type", ["text/plain", "text/x-rst"])
def test_a_comment_in_source_code_is_no_heading(media_type: str) -> None:
    assert headings("# comment\nx = 1\n", media_type) == [("", "# comment")]


MINUTES = """COUNCIL OF HOLLIN BECK
Minutes of 12 December

1. BEE HIVES
A child was stung.

2. NEXT MEETING

13 February.
"""


def test_lines_in_capitals_are_headings_of_plain_text() -> None:
    assert headings(MINUTES, "text/plain") == [
        ("COUNCIL OF HOLLIN BECK", "COUNCIL OF HOLLIN BECK"),
        ("1. BEE HIVES", "1. BEE HIVES"),
        ("2. NEXT MEETING", "2. NEXT MEETING"),
    ]
    assert headings(MINUTES, "text/markdown") == [("", "COUNCIL OF HOLLIN BECK")]


@pytest.mark.parametrize(
    "text",
    [
        "Words.\nBEE HIVES\nMore words.",
        "THE HIVES ARE SOLD\nAS THEY STAND\nwith the bees.",
        "DO NOT OPEN THE HIVES.\nBees sting.",
        "DO NOT OPEN THE HIVES.\n\nBees sting.",
        "NASA\nis an agency.",
        "NAME   PRICE\nhive   35",
        "MAX_HIVES = 10\nhives = MAX_HIVES",
        "MRS TRANTER\nWhere is the bench?\n\nThe bench stands there.\n\nMRS TRANTER\nThank you.",
        "MRS TRANTER (aside)\n\nWhere is the bench?\n\nMRS TRANTER\n\nThank you.",
        "MISS TRANTER (aside)\nWhere is the bench?",
        "(_Ann Lee_)\n\nBees hum.",
        "ANNA LEE (queen)\n\nTOM EK (drone)\n\nCY ORR (smoker)\n",
    ],
)
def test_other_lines_in_capitals_are_no_headings(text: str) -> None:
    assert headings(text, "text/plain") == [("", text.splitlines()[0])]


SONGBOOK = """SONGS OF THE HIVE

QUEEN OF MAY

Written by Ann Lee.

OLD MILL (_Camp_ 7).

Written by Bo Ek.

'TIS MAY! (p. 12)

Written by Cy Orr.
"""


def test_a_line_in_capitals_with_a_remark_in_brackets_is_a_heading() -> None:
    assert [heading for heading, _ in headings(SONGBOOK, "text/plain")] == [
        "QUEEN OF MAY",
        "OLD MILL (_Camp_ 7).",
        "'TIS MAY! (p. 12)",
    ]


LEAFLET = """HIVES FOR BEGINNERS

In this leaflet
1. What a hive is
2. Dangers

1. What a hive is

A hive is a box.

2. Dangers

Stings hurt.

2.1 For children

Cover your arms.
"""
LEASE = "§ 1 Bees\nThe tenant keeps bees.\n\n§ 2 Rent\nIt is paid in honey.\n\nArticle III\n\nAmen.\n"


def test_lines_with_a_number_above_text_are_headings_of_plain_text() -> None:
    assert [heading for heading, _ in headings(LEAFLET, "text/plain")] == [
        "HIVES FOR BEGINNERS",
        "HIVES FOR BEGINNERS > 1. What a hive is",
        "HIVES FOR BEGINNERS > 2. Dangers",
        "HIVES FOR BEGINNERS > 2. Dangers > 2.1 For children",
    ]
    assert [heading for heading, _ in headings(LEASE, "text/plain")] == ["§ 1 Bees", "§ 2 Rent", "Article III"]
    numbered = LEASE.replace("\nThe tenant", "\n(1) The tenant").replace("\nIt is", "\n(1) It is")
    assert [heading for heading, _ in headings(numbered, "text/plain")] == ["§ 1 Bees", "§ 2 Rent", "Article III"]
    assert len(headings(LEASE, "text/markdown")) == 1


@pytest.mark.parametrize(
    "text",
    [
        "1. Open the hive\n2. Take the honey\n\nClose it.",
        "1. Open the hive\n\n2. Take the honey\n\n3. Close it\n\n   with care",
        "12 May 1844 was a Sunday.\n\nBees slept.",
        "Section 4 of the act applies\nto all hives.",
        "Bees.\n2. Dangers\n\nStings hurt.",
        "1903\n\nBees came.",
    ],
)
def test_other_lines_with_a_number_are_no_headings(text: str) -> None:
    assert headings(text, "text/plain") == [("", text.splitlines()[0])]


def test_short_paragraphs_are_joined_below_one_heading() -> None:
    text = "\n\n".join(["A short paragraph."] * 40)
    assert len(split_passages(text, "text/plain")) == 1


def test_long_paragraphs_are_cut_between_sentences() -> None:
    text = "This sentence has some words in it. " * 100
    pieces = [text[start:end] for start, end, _ in split_passages(text, "text/plain")]
    assert len(pieces) > 2
    assert all(piece.startswith("This") and piece.endswith("it.") for piece in pieces)


def test_words_before_a_colon_stay_with_what_they_introduce() -> None:
    text = f"{'First words of some length. ' * 50}\n\nAn example::\n\n    {'code ' * 60}"
    last = split_passages(text, "text/x-rst")[-1]
    assert text[last.start :].startswith("An example::")


WIKI = "Before.\n = = Plot = = \n The light burns.\n=== Cast ===\nAnna keeps it.\nx = 3\n"


def test_headings_of_wiki_markup_are_headings() -> None:
    assert headings(WIKI, "text/plain") == [
        ("", "Before."),
        ("Plot", "= = Plot = = "),
        ("Plot > Cast", "=== Cast ==="),
    ]


def test_the_signs_of_wiki_markup_may_be_close_to_the_words_of_a_heading() -> None:
    text = "==Plot==\nThe light burns.\n===  Cast===\nAnna keeps it.\n==Never put it out.==\n==1234==\n=x=\n"
    assert headings(text, "text/plain") == [("Plot", "==Plot=="), ("Plot > Cast", "===  Cast===")]


def test_a_heading_is_words_without_tags_images_and_emphasis() -> None:
    written = "# bells <img src='logo.png'/>\n\nRing.\n\n## **Old** bells\n\nRang.\n\n## ![cracked](c.png)\n\nStill.\n"
    assert headings(written, "text/markdown") == [
        ("bells", "# bells <img src='logo.png'/>"),
        ("bells > Old bells", "## **Old** bells"),
        ("bells", "## ![cracked](c.png)"),
    ]


REFERENCE = """Lamps
=====

.. function:: light(lamp, hours=4)

   Light the lamp.

   :param lamp: which one

.. class:: Lamp

   It burns oil.

   .. method:: fill()

      Fill the lamp.

   .. attribute:: wick

      What burns.

   Clean it every day.

.. data:: RED
.. data:: GREEN

   Its colour.

Oil is dear.
"""


def test_the_name_of_what_is_explained_is_a_heading_of_what_is_indented_below_it() -> None:
    assert headings(REFERENCE, "text/x-rst") == [
        ("Lamps > light(lamp, hours=4)", "Lamps"),
        ("Lamps > Lamp", ".. class:: Lamp"),
        ("Lamps > Lamp > fill()", ".. method:: fill()"),
        ("Lamps > Lamp > wick", ".. attribute:: wick"),
        ("Lamps > Lamp", "Clean it every day."),
        ("Lamps > RED, GREEN", ".. data:: RED"),
        ("Lamps", "Oil is dear."),
    ]


def test_a_name_that_its_section_or_the_line_above_it_has_is_told_once() -> None:
    section = "Lamp\n====\n\n.. class:: Lamp\n\n   It burns oil.\n"
    signal = ".. signal:: lit\n.. function:: lit(lamp)\n\n   It is sent at dusk.\n"
    assert [heading for heading, _ in headings(section, "text/x-rst")] == ["Lamp"]
    assert [heading for heading, _ in headings(signal, "text/x-rst")] == ["lit(lamp)"]


def test_a_heading_ends_what_is_said_of_a_name() -> None:
    text = "   .. class:: Lamp\n\n      It burns oil.\n\nOil\n===\n\n         It is dear.\n"
    assert [heading for heading, _ in headings(text, "text/x-rst")] == ["Lamp", "Oil"]


@given(st.lists(st.tuples(st.integers(0, 4), st.booleans()), max_size=12))
def test_each_text_is_under_the_names_that_are_indented_less(lines: list[tuple[int, bool]]) -> None:
    text = "\n\n".join(
        f"{'  ' * depth}{f'.. data:: n{place}' if is_name else f'Text {place}.'}"
        for place, (depth, is_name) in enumerate(lines)
    )
    for start, end, heading in split_passages(text, "text/x-rst"):
        for place, (depth, is_name) in enumerate(lines):
            if not is_name and f"Text {place}." in text[start:end].split("\n\n")[-1]:
                above: list[str] = []
                least = depth
                for number, (other, named) in reversed([*enumerate(lines[:place])]):
                    above = [f"n{number}", *above] if named and other < least else above
                    least = min(least, other)
                assert heading == " > ".join(above)


def test_a_long_table_of_lists_is_cut_between_its_rows() -> None:
    rows = "".join(f"   * - Lamp {number}\n     - {'word ' * 30}\n" for number in range(30))
    text = f".. list-table::\n   :header-rows: 1\n\n{rows}"
    later = split_passages(text, "text/x-rst")[1:]
    assert later
    assert all(text[start:end].startswith("* - Lamp") for start, end, _ in later)


def test_a_note_of_myst_is_text_and_its_options_and_the_comments_of_code_are_no_headings() -> None:
    note = "What is described here no longer applies."
    contents = "```{contents}\n---\ndepth: 1\n---\n```\n"
    text = (
        f"# Lids\n\n{contents}\n## Tin\n\n```{{note}}\n{note}\n```\n\nA lid is of tin.\n\n```sh\n# lids.sh\nlid\n```\n"
    )
    passages = split_passages(text, "text/markdown")
    assert [one.heading for one in passages] == ["Lids", "Lids > Tin"]
    assert note in [text[start:end] for start, end in sentence_spans(text)]


def test_backticks_below_a_title_are_its_rule_and_three_open_code() -> None:
    text = "Jars\n====\n\nLids\n----\n\nMade\n````\n\nA lid is of tin.\n\nOil\n---\n\nSold\n``````\n\nIt was sold.\n"
    headings = [span.heading for span in split_passages(text, "text/x-rst")]
    assert headings == ["Jars > Lids > Made", "Jars > Oil > Sold"]
    [fenced] = split_passages("Run\n```\nthis\n```\n", "text/markdown")
    assert fenced.heading == ""


@pytest.mark.parametrize("day", ["Thursday, Jun 27, 2024", "27 June 2024", "2024-06-27", "June 2nd 2024"])
def test_a_release_and_its_day_above_a_rule_are_the_heading_of_its_changes(day: str) -> None:
    rule = "=" * 22
    text = f"Jars 9.0.0\n{day}\n{rule}\n- Lids of cork are gone.\n\nJars 8.5.0\n{day}\n{rule}\n- New.\n"
    assert [span.heading for span in split_passages(text, "text/plain")] == [f"Jars 9.0.0 {day}", f"Jars 8.5.0 {day}"]
    for other in (
        text.replace(rule, "---"),
        text.replace(rule, "===="),
        text.replace(day, "lids of tin"),
        f"A lid.\n{text}",
    ):
        assert not any("9.0.0" in span.heading for span in split_passages(other, "text/plain"))
