import pytest
from hypothesis import given
from hypothesis import strategies as st

from quaestor.evidence.retrieval.document_names import (
    candidate_mentions,
    document_keys,
    key_terms,
    marked_names,
    name_keys,
    opening_name,
)
from quaestor.evidence.tokenization import terms


@pytest.mark.parametrize(
    ("title", "said"),
    [
        ("Fog Signals", "the fog signal of Aldmouth"),
        ("The Jump", "who won The Jump in 2014"),
        ("pep-0634", "as PEP 634 says"),
        ("Aldmouth (harbour)", "the lights of Aldmouth"),
        ("Haymo of Faversham", "the era of Haymo of Faversham's"),
        ("黑豹队", "黑豹队的防守"),
    ],
)
def test_a_title_is_found_where_a_text_says_it(title: str, said: str) -> None:
    assert set(name_keys([title])) & {mention.key for mention in candidate_mentions(said)}


@pytest.mark.parametrize("title", ["", "679", "the", "bell fog tower light ship dock wall gate crane"])
def test_what_names_nothing_has_no_key(title: str) -> None:
    assert name_keys([title]) == ()


def test_a_document_is_called_by_its_title_its_file_and_its_opening() -> None:
    text = "# Fog\n\nThe Aldmouth Bell was cast in 1844."
    assert document_keys("/d/fog-signals.md", "Fog", text) == ("=fog", "=fog+signal", "=aldmouth+bell")


def test_a_page_of_a_manual_is_called_by_its_name_alone_and_a_version_stands_apart() -> None:
    assert document_keys("/d/fog.1.txt", "", "low words") == ("=fog+1", "=fog")
    assert document_keys("/d/fog-2.1.txt", "", "low words") == ("=fog+2+1",)
    assert name_keys(["GPLv3"]) == name_keys(["GPL-3"])


def test_a_readme_in_a_folder_with_a_number_is_called_as_the_folder() -> None:
    assert document_keys("/d/LID-0075/README.md", "Fair Jars", "low words") == ("=fair+jar", "=lid+75")
    assert document_keys("/d/lids/README.md", "Fair Jars", "low words") == ("=fair+jar", "=readm")
    assert document_keys("/d/LID-0075/notes.md", "Fair Jars", "low words") == ("=fair+jar", "=note")


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Lid: 75\nTitle: Fair Jars\n\nA Lid is good.", ""),
        ("Tostig Godwinson was an earl.", "Tostig Godwinson"),
        ("Pterocarya, often called wingnuts, are trees.", "Pterocarya"),
        ("Lilu is a spirit. They fear Lilu.", "Lilu"),
        ("Alterations of the architecture matter.", ""),
        ("In the harbour stood Henrike Vos.", ""),
        ("no capital here", ""),
        ("", ""),
    ],
)
def test_a_text_may_open_with_a_name(text: str, name: str) -> None:
    assert opening_name(text) == name


def test_names_are_runs_of_capitalised_words_whole_and_in_part() -> None:
    found = [mention.key for mention in marked_names("It was lit by Henrike Vos, keeper of the Tower of Aldmouth.")]
    assert found == [
        "=henrik",
        "=henrik+vos",
        "=vos",
        "=tower",
        "=tower+of+aldmouth",
        "=aldmouth",
    ]


def test_a_capital_that_a_sentence_start_explains_marks_nothing() -> None:
    marked = {
        mention.key: mention.is_proper_name for mention in marked_names("Bells ring. Keepers of Aldmouth wrote Vos.")
    }
    assert not marked["=bell"]
    assert marked["=vos"]


@given(st.text(max_size=60))
def test_a_mention_stands_where_it_says_and_is_no_word(text: str) -> None:
    words = set(terms(text))
    for mention in (*candidate_mentions(text), *marked_names(text)):
        assert 0 <= mention.start < mention.end <= len(text)
        assert mention.key not in words
        assert not any(character.isspace() for character in mention.key)
        assert key_terms(mention.key)
