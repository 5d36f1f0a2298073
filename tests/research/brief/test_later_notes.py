import pytest

from quaestor.research.brief.later_notes import ended_below, later_notes
from quaestor.research.brief.marked_sentence import MarkedSentence

MARKED = "The jar train leaves at 6.02."


def notes(below: str, marked: str = MARKED) -> list[str]:
    text = f"{marked}\n\n{below}\n"
    about = MarkedSentence(text=marked, heading="", title="Letter", days=())
    return [text[start:end] for start, end in later_notes(text, len(marked), about)]


@pytest.mark.parametrize(
    "note",
    [
        "*PS 19 May: the train now goes at 5.31.*",
        "P.S. The train now goes at 5.31.",
        "**Amendment, 4 June:** the train is slow.",
        "UPDATE 2024-06-04: the train is slow.",
        "[Edit: the train is slow.]",
        "Stop press: the train is slow.",
        "Correction (Ann): the train is slow.",
        "NB: The train no longer goes.",
        "Note of 4 June: the train is slow.",
        "*Note by Ann: the train is slow.*",
        "(Ann: we take the boat instead of the train.)",
        "Nachtrag vom 4. Juni: the train is slow.",
        "Mise à jour du 4 juin : the train is slow.",
        "MàJ 4 juin : the train is slow.",
    ],
)
def test_a_paragraph_that_is_called_a_later_note_and_shares_a_word_is_one_on_what_is_above_it(note: str) -> None:
    assert len(told := notes(f"Bring lids.\n\n{note}")) == 1
    assert notes(f"Bring lids.\n{note}\nNote of 5 June: corks are dear.") == told, "it is a line of a paragraph"
    assert notes(note.replace("train", "boat").replace("Train", "Boat")) == [], "it shares no word"


def test_a_postscript_at_the_end_of_a_long_text_is_one_if_it_shares_two_words() -> None:
    far = "Nothing else is told. " * 1_500
    assert notes(f"{far}\n\nP.S. The jar train now goes at 5.31.") == ["P.S. The jar train now goes at 5.31."]
    assert notes(f"{far}\n\nP.S. The train now goes at 5.31.") == []
    assert notes(f"{far}\n\nP.S. The jar train now goes at 5.31.\n\n{far}") == []


@pytest.mark.parametrize(
    "said",
    [
        "The train now goes at 5.31.",
        "Update the train as follows: wash it.",
        "Note: the train has lids.",
        "Note 2: the train has lids.",
        "Note: the train has lids. Jars are now blue.",
        ".. note:: The train now has lids.",
        "NB: The train is not slow.",
        "(Picture: the train of Ann)",
        "(We take the boat instead of the train.)",
        "P.S. The train is blue.",
        "Updates: the train is slow.",
        "Create: makes a train.\nUpdate: changes a train.\nDelete: takes a train away.",
        "- Create: makes a train.\n- Update: changes a train.\n- Delete: takes a train away.",
    ],
)
def test_other_paragraphs_below_are_no_notes(said: str) -> None:
    assert notes(said) == []


def test_a_postscript_that_shares_two_words_is_a_note_without_a_word_for_a_change() -> None:
    assert notes("P.S. The jar train goes at 5.31.") == ["P.S. The jar train goes at 5.31."]


def test_a_note_under_another_heading_shares_two_words() -> None:
    assert notes("## Boats\n\nUpdate: the train is slow.") == []
    assert notes("## Boats\n\nUpdate: the jar train is slow.") == ["Update: the jar train is slow."]


def test_the_last_notes_are_shown_in_their_order() -> None:
    below = [f"Update {day} June: the train goes at {day}." for day in range(2, 7)]
    assert notes("\n\n".join(below)) == below[-3:]


@pytest.mark.parametrize(
    ("below", "is_found"),
    [
        ("PS jar train: make that 6 June.", True),
        ("Update on the jar train: make that 6 June.", True),
        ("PS jar boat: make that 6 June.", False),
    ],
)
def test_a_label_may_name_what_it_is_on_in_words_of_the_sentence(below: str, *, is_found: bool) -> None:
    assert notes(below) == ([below] if is_found else [])


NEED = "It is often necessary to set the lid of the jar before the train leaves."
ENDED = "Since May it is no longer necessary to set the lid of the jar."


@pytest.mark.parametrize(
    ("below", "found"),
    [
        (f"Bring jars.\n\n{ENDED} The sun shone.", [ENDED]),
        (f"- Bring jars.\n- {ENDED}", [ENDED]),
        (f"## Lids\n\n{ENDED}", []),
        ("It is no longer necessary to bring the jar.", []),
        (ENDED.replace("no longer", "often"), []),
    ],
)
def test_a_sentence_of_a_section_says_below_another_that_it_is_no_longer_so(below: str, found: list[str]) -> None:
    text = f"{NEED}\n\n{below}\n"
    about = MarkedSentence(text=NEED, heading="", title="Letter", days=())
    assert [text[start:end] for start, end in ended_below(text, len(NEED), about)] == found
