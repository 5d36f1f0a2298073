import pytest

from quaestor.research.brief.names_above import names_above, names_beside
from quaestor.research.brief.paragraphs import paragraph_around

ASKED = "Why will the guild not pay for the Heron?"
LETTER = "The Jar Guild\n\nClaim 77, boat Heron\n\nDear Ann Lee,\n\n{}\n\nYours\n"
REFUSED = "we thank you for the report of 11 March. We regret that we cannot pay, as nobody steered."


def above(text: str, said: str) -> tuple[str, ...]:
    start = text.index(said)
    return names_above(text, "text/markdown", paragraph_around(text, "text/markdown", start, start + len(said)), ASKED)


def test_a_letter_is_about_what_it_names_above_its_paragraphs() -> None:
    too_long_to_be_shown_whole = f"{REFUSED}\n\n{'The guild keeps its books. ' * 40}"

    assert above(LETTER.format(too_long_to_be_shown_whole), REFUSED) == ("Heron",)


def test_a_paragraph_is_about_what_was_named_last() -> None:
    told = "The Heron was sold. The Stork of Ann Lee was bought in her place by the guild.\n\n"
    letter = LETTER.format(f"{told}{REFUSED}\n\n{'The guild keeps its books. ' * 40}")

    assert above(letter, REFUSED) == ()


@pytest.mark.parametrize(
    "said",
    [
        "We regret that we cannot pay for the Stork, as nobody steered.",
        "We regret that we cannot pay for the Heron, as nobody steered.",
        "- We regret that we cannot pay, as nobody steered.\n- We thank you for the report.",
    ],
)
def test_a_paragraph_that_names_something_itself_and_an_item_are_about_that(said: str) -> None:
    assert above(LETTER.format(said), said) == ()


@pytest.mark.parametrize(
    ("top", "is_of_day"),
    [
        ("# Success\n\n     _November, 1913._\n", True),
        ("Burnt Fork, Wyoming, November 18, 1913.\n", True),
        ("18.11.1913\n", True),
        ("# Success\n\nIn November, 1913, the guild paid for all of the jars.\n", False),
        ("November, 1912\n", False),
    ],
)
def test_all_of_a_letter_is_of_the_day_at_its_top(top: str, *, is_of_day: bool) -> None:
    text, said = (
        f"{top}\nDear Ann Lee,\n\nI have ten Pelicans now, said Bo Ek.\n",
        "I have ten Pelicans now, said Bo Ek.",
    )
    start = text.index(said)
    around = paragraph_around(text, "text/markdown", start, start + len(said))
    for asked in ("1913", "November 1913"):
        told = names_above(text, "text/markdown", around, f"How many Pelicans had she in {asked}?")
        assert told == ((asked,) if is_of_day else ())


def test_a_name_in_another_section_or_far_above_is_not_what_a_paragraph_goes_on_about() -> None:
    far = "we have read all that was sent. " * 40

    assert above(f"# Boats\n\nThe Heron is new.\n\n# Claims\n\n{REFUSED}\n", REFUSED) == ()
    assert above(LETTER.format(f"{far}\n\n{REFUSED}"), REFUSED) == ()


def test_a_paragraph_that_repeats_the_last_word_of_a_name_is_about_it() -> None:
    told = "## Claims\n\nAnn Lee keeps jars.\n\n## Refusals\n\nMr. Fox and {} refused to pay.\n"
    start = told.index("Mr. Fox")

    def above(who: str, asked: str) -> tuple[str, ...]:
        text = told.format(who)
        return names_above(text, "text/markdown", paragraph_around(text, "text/markdown", start, start + 7), asked)

    assert above("Mrs. Lee", "Why did Ann Lee refuse?") == ("Ann Lee",)
    assert above("Mrs. Lee", "Why did Bo Lee refuse?") == ()
    assert above("Mrs. Ek", "Why did Ann Lee refuse?") == ()
    assert above("Mrs. 3", "Why did Ann 3 refuse?") == ()


WALKS = "# Walks around Millbrook\n\n## Kirkholme\n\n### Old town\n\nThe library was opened in 1911.\n\n{}"


def beside(text: str, title: str = "Walks around Millbrook", said: str = "The library was opened") -> tuple[str, ...]:
    start = text.index(said)
    around = paragraph_around(text, "text/markdown", start, start + len(said))
    return names_beside(text, "text/markdown", around, title, "When was the library in Millbrook opened?")


def test_a_section_is_not_about_a_name_that_another_one_is_called() -> None:
    two = "## 2. Millbrook\n\nThe hall is old.\n\n### Churches\n\nOne is new.\n"

    assert beside(WALKS.format(two)) == ("Millbrook",)
    assert beside(WALKS.format("## Millbrook Hall\n\nIt is old.\n")) == ()
    assert beside(WALKS.format(two), said="The hall is old") == ()
    assert beside(WALKS.format(two), said="One is new") == ()
    assert beside(WALKS.format(two).replace("The library", "The library of Millbrook"), said="of Millbrook") == ()


def test_a_text_that_is_called_by_a_name_lends_it_to_all_of_its_sections() -> None:
    text = WALKS.replace("Walks around Millbrook", "Millbrook").format("## Millbrook\n\nA village.\n")

    assert beside(text) == ()
    assert beside(WALKS.format("## Millbrook\n\nA village.\n"), title="Millbrook") == ()


def test_a_quoted_phrase_in_small_letters_is_not_repeated_by_its_last_word() -> None:
    told = "If you choose remove old, jars go.\n\n## Else\n\nMr. Fox replaces the old jars.\n"
    around = paragraph_around(told, "text/markdown", told.index("Mr. Fox"), told.index("jars.\n", 70))

    assert names_above(told, "text/markdown", around, 'Do jars go when I choose "remove old"?') == ()


def test_a_name_above_may_stand_over_the_end_of_a_line() -> None:
    told = "The jar was given by Ann\nLee in spring.\n\n## Refusals\n\nMr. Fox and Ms. Lee refused to pay.\n"
    around = paragraph_around(told, "text/markdown", told.index("Mr. Fox"), told.index(" refused"))

    assert names_above(told, "text/markdown", around, "What did Ann Lee give?") == ("Ann Lee",)
