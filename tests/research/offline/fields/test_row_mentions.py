import pytest

from quaestor.research.offline.fields.row_mentions import called, find_mention, is_common_word, is_telling_name


def test_a_name_is_looked_for_as_it_is_written() -> None:
    assert called("nis").search("Nis")
    assert not called("nis").search("NIS")
    assert called("North Tower").search("the north tower's")
    assert not called("North Tower").search("North Towers")
    assert is_telling_name("Ek")
    assert is_telling_name("B2")
    assert not is_telling_name("B")
    assert not is_telling_name("27")
    assert is_common_word("pine")
    assert not is_common_word("Pine")


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("Heron", "In May the Heron was sold."),
        ("Heron", "The heron was sold to somebody in Marlow after many years at the lower pier."),
        ("Thursday", "On Thursdays the library of the town is shut from now on, but for the room of the newspapers."),
        ("Acetone", "Moved acetone to the cupboard"),
        ("Trout", "No trout."),
        ("tandem", "- tandem: 30 a day"),
        ("V4", "V4 -> returned"),
        ("North Tower", "the north tower is shut"),
    ],
)
def test_a_name_is_mentioned_in_other_forms_where_no_other_thing_is_meant(name: str, sentence: str) -> None:
    assert find_mention(name, sentence)


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("Heron", "A heron was sold."),
        ("Heron", "Some people at the lower pier say that in May they saw what may be heron nests in the reeds."),
        ("pine", "A pine was sold."),
        ("nis", "NIS was sold."),
        ("V4", "V41 was sold."),
        ("Cut", "We cutter crews."),
    ],
)
def test_other_things_are_not_mentioned(name: str, sentence: str) -> None:
    assert find_mention(name, sentence) is None


def test_a_name_in_small_letters_is_meant_behind_an_article_or_a_possessive() -> None:
    assert find_mention("pine", "The pine was sold.") is not None
    assert find_mention("pine", "Can we move Ann's pine next door?") is not None
