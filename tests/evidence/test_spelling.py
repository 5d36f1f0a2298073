import pytest

from quaestor.evidence.spelling import (
    compound_heads,
    doubtful_words,
    is_surely_meant,
    may_be_meant,
    near_words,
    participle_verbs,
    replace_words,
    stem_distance,
    with_ending_of,
)


def test_short_words_words_of_questions_and_quoted_ones_are_not_doubted() -> None:
    text = 'Why did "Quilted Generatrs" and Guido van Rosum use Python 3 for lists?'
    assert doubtful_words(text) == ("Guido", "Rosum", "Python", "lists")


@pytest.mark.parametrize(
    ("word", "text", "found"),
    [
        ("Rosum", "Guido van Rossum", [(1, "Rossum")]),
        ("Delegatte", "BDFL-Delegate: someone", [(1, "Delegate")]),
        ("stpo", "stop", [(1, "stop")]),
        ("keepr", "Keeper kept keep", [(1, "Keeper"), (1, "keep")]),
        ("Coldwatter", "coldwater harbour", [(1, "coldwater")]),
        ("regulatr", "regulation", []),
        ("lists", "lists", []),
        ("kat", "cat", []),
        ("Rosum", "Possum", []),
        ("spell", "Shell swell spells", [(1, "spells")]),
        ("rejected", "repeated", []),
        ("decieved", "deceived", [(1, "deceived")]),
        ("commitee", "committees", [(2, "committees")]),
    ],
)
def test_a_word_is_near_that_differs_in_few_letters_and_not_in_the_first(
    word: str, text: str, found: list[tuple[int, str]]
) -> None:
    assert list(near_words(text, word)) == found


def test_the_stem_of_a_near_word_is_near_to_a_beginning() -> None:
    assert stem_distance("decor", "decoratrs") == 0
    assert stem_distance("rossum", "Rosum") == 1
    assert stem_distance("dec", "decoratrs") is None
    assert stem_distance("possum", "Rosum") is None
    assert stem_distance("librari", "libary") == 1  # y became i
    assert stem_distance("librari", "libarx") is None


def test_a_term_takes_the_ending_of_a_misspelt_word() -> None:
    assert with_ending_of("suporting", "support") == "supporting"
    assert with_ending_of("harbuor", "harbour") == "harbour"
    assert with_ending_of("ChatGPT", "chang") == "ChatGPT"
    assert with_ending_of("tiered", "there") == "tiered"


def test_words_that_differ_in_their_endings_alone_are_two() -> None:
    assert [*near_words("The connection is there.", "connector")] == []
    assert [*near_words("The managment is there.", "management")] == [(1, "managment")]
    assert [*near_words("All connections are there.", "conections")] == [(1, "connections")]
    assert [*near_words("It is independent.", "independant")] == [(1, "independent")]
    assert [*near_words("It is visible.", "visable")] == [(1, "visible")]


def test_an_irregular_form_is_near_that_has_the_term_of_its_verb() -> None:
    assert stem_distance("build", "biult") == 1
    assert stem_distance("think", "thuoght") == 1
    assert stem_distance("build", "bolts") is None


@pytest.mark.parametrize(
    ("word", "other", "is_meant"),
    [
        ("compresing", "compressing", True),
        ("licnese", "license", True),
        ("harbuor", "harbour", True),
        ("acount", "account", True),
        ("acount", "amount", False),
        ("lister", "listed", False),
        ("Sandberg", "Sandburg", False),
        ("competng", "compressing", False),
    ],
)
def test_a_word_surely_means_another_that_is_long_or_has_two_letters_swapped(
    word: str, other: str, is_meant: bool
) -> None:
    assert is_surely_meant(word, other) is is_meant


@pytest.mark.parametrize(
    ("word", "other", "has_capitals", "may_be"),
    [
        ("halten", "haften", True, False),
        ("hallten", "halten", True, True),
        ("Mietvertrog", "Mietvertrag", True, True),
        ("coute", "Coté", False, False),
        ("coûté", "côté", False, False),
        ("commence", "commune", False, False),
        ("commance", "commence", False, True),
        ("mitgliderversamlung", "Mitgliederversammlung", True, True),
        ("jardn", "jardin", False, False),
        ("atente", "attente", False, True),
        ("poste", "postte", False, True),
        ("vertrag", "Vertrags", True, True),
    ],
)
def test_where_common_words_are_not_known_a_short_word_with_another_letter_is_none_misspelt(
    word: str, other: str, *, has_capitals: bool, may_be: bool
) -> None:
    assert may_be_meant(word, other, has_capitals=has_capitals) is may_be


def test_whole_words_are_replaced() -> None:
    assert replace_words("Rosum, Rosums and x_Rosum", [("Rosum", "Rossum")]) == "Rossum, Rosums and x_Rossum"


def test_no_word_is_meant_by_one_that_carries_no_subject() -> None:
    assert list(near_words("It never was so.", "newer")) == []


@pytest.mark.parametrize(
    ("word", "verb"),
    [("abgelehnt", "ablehnen"), ("geändert", "ändern"), ("gesammelt", "sammeln"), ("gespendet", "spenden")],
)
def test_a_german_participle_is_of_a_verb(word: str, verb: str) -> None:
    assert participle_verbs(word) == (verb,)


def test_the_last_part_of_a_german_compound_stands_behind_a_word() -> None:
    assert "Beitrag" in compound_heads("Jahresbeitrag")
    assert "Sicherung" not in compound_heads("Versicherung")
