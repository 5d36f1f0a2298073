import pytest

from quaestor.research.offline.words.other_writings import holds_decade, holds_degree, holds_ordinal_name


@pytest.mark.parametrize(
    ("name", "text", "held"),
    [
        ("Eighth", "The talk on King Henry VIII was long.", True),
        ("Henry VIII", "Henry the Eighth came by boat.", True),
        ("Henry VIII", "Henry VII came by boat.", False),
        ("Henry VIII", "George the Eighth came by boat.", False),
        ("Eighth", "There were viii jars.", False),
        ("Henry", "Henry the Eighth came by boat.", False),
    ],
)
def test_a_name_is_held_with_its_number_in_another_form(name: str, text: str, held: bool) -> None:
    assert holds_ordinal_name(text, name) is held


@pytest.mark.parametrize(
    ("word", "text", "held"),
    [
        ("eighties", "The club was founded in the 1980s.", True),
        ("eighties", "It is a song of the '80s.", True),
        ("1980s", "The club was founded in the early eighties.", True),
        ("eighties", "The club was founded in the 1970s.", False),
        ("eighties", "The club was founded in 1980.", False),
        ("club", "The club was founded in the 1970s.", False),
    ],
)
def test_a_decade_is_held_in_words_and_in_digits(word: str, text: str, held: bool) -> None:
    assert holds_decade(text, word) is held


@pytest.mark.parametrize(
    ("word", "text", "held"),
    [
        ("cheap", "Ann bought the cheapest jar.", True),
        ("cheap", "This jar is cheaper than that.", True),
        ("large", "It is the largest jar.", True),
        ("heavy", "It is the heaviest jar.", True),
        ("flat", "It is the flattest jar.", True),
        ("numb", "The number of jars is small.", False),
        ("fore", "The jar stands in the forest.", False),
        ("tow", "The tower is lower than the towest.", False),
        ("Cheap", "Ann bought the cheapest jar.", False),
    ],
)
def test_an_adjective_is_held_by_its_higher_degrees(word: str, text: str, held: bool) -> None:
    assert holds_degree(text, word) is held
