import pytest

from quaestor.research.offline.fields.row_losses import called, find_loss, is_common_word, is_telling_name


@pytest.mark.parametrize(
    "text",
    [
        "Much is new. Ben Carr left us for Glasgow at Christmas.",
        "So ben carr has died.",
        "The Heron was sold.",
        "It is told that the Heron was, in May, scrapped.",
    ],
)
def test_a_loss_that_is_told_of_a_row_is_found(text: str) -> None:
    assert find_loss(text, ["Ann Pole", "Ben Carr", "Heron"]) in {"Ben Carr", "Heron"}


@pytest.mark.parametrize(
    "text",
    [
        "Ben Carr sings. A jar was sold.",
        "A jar was sold by Ben Carr.",
        "Ben Carr sings in the choir on each day of the week, and a jar was sold.",
        "| Ben Carr | sold |",
        "A heron was lost.",
        "Pine was sold in May.",
        "In group 3 nothing was lost, and 3 was sold.",
    ],
)
def test_other_losses_are_not_those_of_a_row(text: str) -> None:
    assert find_loss(text, ["Ben Carr", "Heron", "pine", "3"]) == ""


def test_a_name_is_looked_for_as_it_is_written() -> None:
    assert called("nis").search("Nis")
    assert not called("nis").search("NIS")
    assert called("North Tower").search("the north tower's")
    assert not called("North Tower").search("North Towers")
    assert is_telling_name("Ek")
    assert not is_telling_name("B2")
    assert is_common_word("pine")
    assert not is_common_word("Pine")
