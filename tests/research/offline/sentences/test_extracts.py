from collections.abc import Callable

import pytest

from quaestor.contracts.source import Hit
from quaestor.research.offline.sentences.extracts import extract_sentences, extract_with_lines
from quaestor.research.offline.sentences.readability import standalone_score
from quaestor.research.offline.words.word_forms import AS_WRITTEN

HitOf = Callable[..., Hit]


def test_a_sentence_knows_its_place(hit: HitOf) -> None:
    found = extract_sentences([hit("Jars hold honey and jam. They are made of glass.\n", title="Jars")])

    assert [(one.claim, one.rank, one.place) for one in found] == [
        ("Jars hold honey and jam.", 0, 0),
        ("They are made of glass.", 0, 1),
    ]
    assert found[1].standing < found[0].standing


def test_two_sentences_of_a_few_words_in_one_paragraph_are_read_together(hit: HitOf) -> None:
    found = extract_sentences([hit("Close the jar. Return the lid.\n\nOpen it. It is turned to the left by hand.\n")])

    assert [one.claim for one in found] == [
        "Close the jar. Return the lid.",
        "It is turned to the left by hand.",
    ]


def test_a_german_sentence_is_read_though_most_of_its_words_have_capitals(hit: HitOf) -> None:
    told = "Der Schlüssel liegt bei Frau Maria\nLehmann im Büro. Der Hausmeister ist Karl\nBrandt.\n"
    found = extract_sentences([hit(told)])

    assert [(one.claim, one.is_prose) for one in found] == [
        ("Der Schlüssel liegt bei Frau Maria Lehmann im Büro.", True),
        ("Der Hausmeister ist Karl Brandt.", True),
    ]
    assert not any(one.is_prose for one in extract_sentences([hit("Ann Lee, Jars of the County of Kent.\n")]))
    assert not any(
        one.is_prose for one in extract_sentences([hit("Karl Brandt, Krüge der Grafschaft Kent, Verlag Lee.\n")])
    )


def test_a_heading_in_bold_letters_is_read_with_the_sentence_behind_it(hit: HitOf) -> None:
    told = hit("1. **Jar fair.** It made a profit of 210 crowns. Thanks to Ann.\n2. **Lids.** 2.104, 10 and 402.50.\n")
    sentences, lines = extract_with_lines([told], AS_WRITTEN)

    assert [one.claim for one in sentences] == ["Jar fair. It made a profit of 210 crowns."]
    assert "Lids. 2.104, 10 and 402.50." in [one.claim for one in lines]


@pytest.mark.parametrize(
    ("text", "claims"),
    [
        ("3. Cellar. Ann gave the old key back on Monday.\n", ["Cellar. Ann gave the old key back on Monday."]),
        ("- Cellar key. Ann gave it back to Bo on Monday.\n", ["Cellar key. Ann gave it back to Bo on Monday."]),
        ("**Cellar.** Ann gave the old key back on Monday.\n", ["Cellar. Ann gave the old key back on Monday."]),
        ("Cellar. Ann gave the old key back on Monday.\n", ["Ann gave the old key back on Monday."]),
        ("3. Cellar! Kitchen? Ann gave the old key back.\n", ["Cellar! Kitchen? Ann gave the old key back."]),
        (
            "3. The cellar is dry now. Ann gave it back on Monday.\n",
            ["The cellar is dry now.", "Ann gave it back on Monday."],
        ),
    ],
)
def test_what_an_item_is_about_is_read_with_the_sentence_behind_it(hit: HitOf, text: str, claims: list[str]) -> None:
    sentences, _ = extract_with_lines([hit(text)], AS_WRITTEN)
    assert [one.claim for one in sentences if one.is_prose] == claims


@pytest.mark.parametrize(
    "text",
    [
        "Jars\n====\n",
        "Author: Ann Lee\nStatus: Final\nCreated: 2001\n",
        "::\n\n    jar = Jar(lid=None)\n    jar.close()\n",
        ".. note:: jars\n",
        "Example::\n\n    the jar is closed by hand and kept in the cool cellar\n",
        "The following kinds of jars are known to us:\n",
        "Too short.\n",
        "- `Adding lids to all glass jars <https://example.org/jars>`_\n",
        "- `Lids are what keeps dust out of jars. <https://example.org/jars>`_\n",
        "All about lids (2001) https://example.org/2001/jars\n",
        "- Adding new lids to all glass jars\n",
        "- All the lids of all the jars\n",
        "Args:\n    lids: The sequence of lids (possibly of other jars) to\n        wait for. They may be new.\n",
        'print("Both jars are closed by now and kept.")\n',
    ],
)
def test_what_is_no_sentence_is_read_by_its_lines(hit: HitOf, text: str) -> None:
    assert not any(one.is_prose for one in extract_sentences([hit(text)]))


def test_a_sentence_leans_on_no_code(hit: HitOf) -> None:
    text = "Jars are of clay in the cellar.\n```\njar.shut()\n```\nHowever, they are of glass in the shop.\n"

    assert extract_sentences([hit(text)])[1].start == text.index("However")


@pytest.mark.parametrize(
    "end",
    [
        ":\n\n```\njar.shut(lid)\n```\n",
        "::\n\n    jar.shut(lid)\n",
        ":\n\n- lids of tin\n- lids of cork\n",
        ":\n\n| Lid | Hand |\n|---|---|\n| tin | left |\n",
    ],
)
def test_what_introduces_code_a_list_or_a_table_is_a_sentence_if_it_states_something(hit: HitOf, end: str) -> None:
    text = f"Jars are of clay in the cellar. All of the jars are shut by hand with their lids{end}"

    assert extract_sentences([hit(text)])[1].claim.startswith("All of the jars are shut by hand")


@pytest.mark.parametrize("end", [":\n\nLids of tin are light.\n", ":\n"])
def test_what_introduces_nothing_that_is_shown_is_no_sentence(hit: HitOf, end: str) -> None:
    text = f"Jars are of clay in the cellar. The lids of the jars are of these kinds{end}"

    assert next(one.claim for one in extract_sentences([hit(text)])) == "Jars are of clay in the cellar."
    assert not any(one.claim.endswith(":") for one in extract_sentences([hit(text)]))


HELP = """\
FUNCTIONS
    close_all(lids, *, tight=True)
        Put a lid on every jar of the shelf.

    drop(lid)
        Take the lid off one jar again.

CLASSES
    class Shelf(builtins.object)
     |  A shelf keeps jars in their order.
     |
     |  take(self, jar) -> Jar
     |      Take a jar from its place on the shelf.
     |
     |      It is given back by hand.
"""


def test_what_a_reference_says_of_a_function_is_read_with_the_line_that_names_it(hit: HitOf) -> None:
    found = extract_sentences([hit(HELP)])

    assert [HELP[one.start : one.end] for one in found if one.is_prose] == [
        "close_all(lids, *, tight=True)\n        Put a lid on every jar of the shelf.",
        "drop(lid)\n        Take the lid off one jar again.",
        "class Shelf(builtins.object)\n     |  A shelf keeps jars in their order.",
        "take(self, jar) -> Jar\n     |      Take a jar from its place on the shelf.",
        "It is given back by hand.",
    ]


def test_the_rows_of_a_table_are_read_one_by_one(hit: HitOf) -> None:
    found = extract_sentences([hit("Number,Name\n1,blue jar with a lid\n2,red jar\n", title="jars.csv")])

    assert [one.claim for one in found] == ["1,blue jar with a lid", "2,red jar"]


def test_a_heading_is_no_line_of_the_table_below_it(hit: HitOf) -> None:
    found = extract_sentences([hit("# Jars\n\n| Jar | Lid |\n|-----|-----|\n| Blue | tin |\n\nKinds\n-----\n")])

    assert [one.claim for one in found] == ["| Blue | tin |"]


def test_an_item_that_is_part_of_a_sentence_stands_as_one(hit: HitOf) -> None:
    rule = "You may sell a jar if\n\n(a) you give every buyer a lid of cork along with it; or,\n\n(b) it is empty.\n"
    found = {one.claim: one.standing for one in extract_sentences([hit(rule)])}

    assert found["you give every buyer a lid of cork along with it; or,"] == 1
    assert standalone_score("you give every buyer a lid of cork along with it") < 1


def test_a_sentence_that_leans_or_points_elsewhere_stands_worse() -> None:
    alone = standalone_score("Lids keep the dust out of jars.")

    assert alone == 1
    assert all(
        standalone_score(said) < alone for said in ("They keep dust out.", "See the note on lids.", "(Lids keep out.)")
    )


def test_a_sentence_that_leans_on_the_one_before_it_begins_there(hit: HitOf) -> None:
    text = "Jars hold honey and jam. However, they are made of glass.\n\nThey break in frost at night.\n"
    found = extract_sentences([hit(text)])

    assert [text[one.start : one.end] for one in found] == [
        "Jars hold honey and jam.",
        "Jars hold honey and jam. However, they are made of glass.",
        "They break in frost at night.",
    ]


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("**May a jar be opened twice?** No. The second time it is dry.\n\nJars hold honey and jam.\n", "it is dry."),
        ("May a jar be opened twice? Yes, where it is cold. Jars hold honey.\n", "where it is cold."),
        ("Q: May a jar be opened twice?\n\nA: No, never where it is warm.\n\nJars hold honey.\n", "it is warm."),
        ("It is late. May a jar be opened twice?\n\nJars hold honey and jam.\n", "opened twice?"),
        ("May a jar be opened twice? May a lid be turned twice? Jars hold honey.\n", "opened twice?"),
    ],
)
def test_a_question_is_read_with_the_answer_right_behind_it(hit: HitOf, text: str, read: str) -> None:
    [asked] = [one for one in extract_sentences([hit(text)]) if "opened twice?" in one.claim]
    words = asked.passage.text[asked.start : asked.end]
    assert words.endswith(read)
    assert "opened twice?" in asked.claim


def test_a_sentence_that_speaks_of_its_document_knows_what_that_is_called(hit: HitOf) -> None:
    text = "This note is about lids of jars and pots.\n"

    assert extract_sentences([hit(text, title="Plain Jars")])[0].title == "Plain Jars"
    assert extract_sentences([hit(text, title="jars.txt")])[0].title == ""


def test_speech_without_marks_is_cut_into_pieces_that_hold_all_of_it(hit: HitOf) -> None:
    text = " ".join(f"and then we sold the jar number {number} to a man from the north" for number in range(40))
    found = extract_sentences([hit(text)])

    held = {place for one in found for place in range(one.start, one.end)}
    assert len(found) > 5
    assert all(place in held for place, letter in enumerate(text) if letter != " ")


def test_tags_and_addresses_are_no_words_and_lines_of_contents_no_lines(hit: HitOf) -> None:
    text = '<img src="https://jars.example/lid.png" alt="lid">\n\nfrom: ann@jars.example\n\nLids ........ 3\n'
    [line] = extract_sentences([hit(text)])
    assert line.claim == "from: ann@jars.example"
    assert "jar" not in line.terms


def test_a_sentence_that_leans_on_the_one_before_says_what_both_say(hit: HitOf) -> None:
    _, found = extract_sentences([hit("Ann closed the jar with a lid. She was away for seven weeks.\n")])
    assert {"ann", "lid", "week"} <= found.own
    assert found.start == 0


def test_a_notice_of_copyright_is_worth_less_than_a_sentence() -> None:
    assert standalone_score("Copyright 2001 Ann Lee, all jars reserved.") < standalone_score("Ann Lee made the jars.")


def test_the_names_of_the_columns_of_a_table_are_no_line_of_it(hit: HitOf) -> None:
    [line] = extract_sentences([hit("name,jars,lids\nAnn,3,4\n", title="jars.csv")])
    assert line.claim == "Ann,3,4"


def test_where_links_lead_is_no_line_of_a_passage_without_sentences(hit: HitOf) -> None:
    found = extract_sentences([hit("- Jars\n\n[jar]: https://example.org/jar\n[lid]: lids.html#glass\n")])

    assert [one.claim for one in found] == ["Jars"]


@pytest.mark.parametrize(
    ("text", "read"),
    [
        (
            "It has been suggested that jars crack in the cold. Our tests do not show it. We tried forty jars.",
            "It has been suggested that jars crack in the cold. Our tests do not show it.",
        ),
        (
            "Many believe that honey spoils in a warm cellar. That is wrong. It keeps for many years there.",
            "Many believe that honey spoils in a warm cellar. That is wrong.",
        ),
        (
            "It has been suggested that jars crack in the cold. Forty of them were tried in winter.",
            "It has been suggested that jars crack in the cold.",
        ),
        (
            "It has been suggested that jars crack in the cold.\n\nThe lids do not fit all of them.",
            "It has been suggested that jars crack in the cold.",
        ),
    ],
)
def test_what_others_say_is_read_with_what_speaks_against_it(hit: HitOf, text: str, read: str) -> None:
    first = extract_sentences([hit(text)])[0]

    assert first.passage.text[first.start : first.end] == read


@pytest.mark.parametrize("opening", ["The reason is", "The short answer is", "The problem was"])
def test_what_opens_with_the_reason_alone_is_read_with_what_it_is_the_reason_of(hit: HitOf, opening: str) -> None:
    found = extract_sentences([hit(f"The jar leaks at its rim. {opening} the thin glass of the old moulds.")])

    assert found[1].start == 0
    assert found[1].own.issuperset({"jar", "leak", "glass"})


@pytest.mark.parametrize("word", ["jars;", "return"])
def test_where_a_line_of_prose_begins_or_ends_makes_it_no_code(hit: HitOf, word: str) -> None:
    before, after = ("", word) if word.endswith(";") else (word, "")
    text = f"The keepers of the cellar closed all of the {after}\n{before} they kept them until the spring.\n"

    assert [one.is_prose for one in extract_sentences([hit(text)])] == [True]


def test_what_is_no_sentence_of_wrapped_prose_is_read_whole(hit: HitOf) -> None:
    shelf = "Among them all the kinds of jars on the upper shelf of\nthe cellar, each with its own lid:"
    _, [line, *_] = extract_with_lines([hit(f"Jars are kept in a cellar.\n\n{shelf}\n\n- tin\n")], AS_WRITTEN)

    assert line.passage.text[line.start : line.end] == shelf


def test_what_a_row_holds_is_not_said_of_the_one_beside_it(hit: HitOf) -> None:
    blue, _ = extract_sentences([hit("jar,shelf\nblue,upper\nred,lower\n", title="cellar.csv")])

    assert not blue.neighbor_terms


def test_fields_are_lines_and_those_of_a_header_have_a_key(hit: HitOf) -> None:
    told = "The jars of the cellar are shut by hand."
    _, lines = extract_with_lines([hit(f"Lid\n===\n\nDefault: tin\n\n{told}\n\n:empty:\n")], AS_WRITTEN)
    _, of_header = extract_with_lines([hit(f"Lid: tin\nJar: glass\n\n{told}\n")], AS_WRITTEN)

    assert [(one.claim, one.key) for one in lines] == [("Default: tin", frozenset())]
    _, [one, *_] = extract_with_lines([hit(f"Lid: tin. Jar keeper: Bo Ek\nCork: none\n\n{told}\n")], AS_WRITTEN)
    assert one.key == {"lid", "jar", "keeper"}
    assert [(one.claim, one.standing, *one.key) for one in of_header] == [
        ("Lid: tin", 1, "lid"),
        ("Jar: glass", 1, "jar"),
    ]


def test_the_names_of_columns_are_quoted_without_the_first_row_which_would_look_like_the_answer(hit: HitOf) -> None:
    table = "| Lid | Price |\n|---|---|\n| tin | 12 |\n| glass | 40 |\n"
    sentences, lines = extract_with_lines([hit(table)], AS_WRITTEN)
    quoted = [table[one.start : one.end] for one in (*sentences, *lines) if one.is_head]
    assert quoted == ["| Lid | Price |"]


def test_a_row_stands_under_the_names_of_its_columns_but_for_those_of_which_it_says_no(hit: HitOf) -> None:
    table = "| Lid | Price | Tight |\n|---|---|---|\n| tin | 12 | no |\n| glass | | yes |\n"
    sentences, lines = extract_with_lines([hit(table)], AS_WRITTEN)
    tin, glass = [one for one in (*sentences, *lines) if one.is_row]
    assert [sorted(one.above & {"lid", "price", "tight"}) for one in (tin, glass)] == [
        ["lid", "price"],
        ["lid", "tight"],
    ]
    assert "price" not in tin.own


@pytest.mark.parametrize("sign", ["-", "*", "+"])
def test_an_item_that_says_something_under_a_label_is_a_sentence(hit: HitOf, sign: str) -> None:
    items = ["Jars: the lids are very old.", "Keys: Ann Lee keeps the spare set.", "Two jars were broken at the fair."]
    told = "".join(f"{sign} {item}\n" for item in items)

    assert [one.claim for one in extract_sentences([hit(told)])] == items


def test_an_item_with_a_value_under_a_label_is_a_field(hit: HitOf) -> None:
    told = "- Lid: tin.\n- Keeper: Ann Lee, Kent\n- Two jars were broken at the fair.\n"

    assert [one.claim for one in extract_sentences([hit(told)])] == ["Two jars were broken at the fair."]


LISTED_JARS = """Jars are kept in a cellar.

.. list-table:: Jars
   :header-rows: 1

   * - Jar
     - Holds
       honey
   * - blue
     - no
   * - red
     - yes, of
       clover
"""
CSV_JARS = "Jars are kept in a cellar.\n\n.. csv-table:: Jars\n   :{options}\n\n   {rows}\n"


def test_a_row_of_a_table_of_lists_is_one_line_under_the_names_of_its_columns(hit: HitOf) -> None:
    _, lines = extract_with_lines([hit(LISTED_JARS)], AS_WRITTEN)

    assert [one.claim for one in lines if one.is_row] == ["- blue - no", "- red - yes, of clover"]
    assert ["honey" in one.above for one in lines if one.is_row] == [False, True]


@pytest.mark.parametrize(
    ("options", "rows"),
    [("header: Jar, Honey", "blue, no\n   red, yes"), ("header-rows: 1", "Jar, Honey\n   blue, no\n   red, yes")],
)
def test_a_row_of_csv_below_a_directive_stands_under_the_names_of_its_columns(
    hit: HitOf, options: str, rows: str
) -> None:
    _, lines = extract_with_lines([hit(CSV_JARS.format(options=options, rows=rows))], AS_WRITTEN)

    assert [("honey" in one.above, one.claim) for one in lines if one.is_row] == [
        (False, "blue, no"),
        (True, "red, yes"),
    ]


def test_neither_the_line_that_names_what_is_explained_nor_that_of_a_picture_is_quoted(hit: HitOf) -> None:
    name = hit(".. attribute:: lid\n\n   The lid\n")
    picture = hit("Jars are kept in a cellar.\n\n.. image:: jar.png\n   :alt: A jar\n")

    assert [one.claim for one in extract_sentences([name])] == ["The lid"]
    assert [one.claim for one in extract_with_lines([picture], AS_WRITTEN)[1]] == ["A jar"]
