import pytest

from quaestor.evidence.stemming import (
    LANGUAGE_KEYS,
    added_stems,
    detect_language,
    held_stems,
    query_language,
    stemmed_terms,
)


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("The lighthouse was built on the rock in 1847.", None),
        ("El faro de Punta Brava fue construido en 1847 por el ingeniero.", "es"),
        ("Der Turm wurde im Jahr 1847 von einem Ingenieur gebaut.", "de"),
        ("Le phare est dans une tour qui a été construite par un ingénieur.", "fr"),
        ("Il faro fu costruito nel 1847 da un ingegnere.", "it"),
        ("O farol foi construído em 1847 por um engenheiro.", "pt"),
        ("De vuurtoren werd in 1847 door een ingenieur gebouwd.", "nl"),
        ("Bu fener bir kule ile ve deniz için var, en eski fener budur.", "tr"),
        ("Маяк построили в 1862 году.", "ru"),
        ("Φάρος που χτίστηκε το 1847.", "el"),
        ("بنيت المنارة في عام 1847.", "ar"),
        ("दीपस्तंभ 1847 में बनाया गया था।", "hi"),
        ("灯塔建于1847年。", None),
        ("", None),
        ("Python 3.11", None),
    ],
)
def test_a_language_is_told_by_its_script_or_its_stop_words(text: str, language: str | None) -> None:
    assert detect_language(text) == language


@pytest.mark.parametrize(
    ("language", "asked", "said"),
    [
        ("es", "construyó", "construido"),
        ("de", "Türme", "Turm"),
        ("fr", "l'ingénieur", "ingénieurs"),
        ("it", "lavano", "lavare"),
        ("pt", "construíram", "construir"),
        ("nl", "torens", "toren"),
        ("ru", "маяка", "маяки"),
        ("el", "φάρου", "φάρος"),
        ("ar", "المنارة", "منارة"),
        ("hi", "किताबें", "किताब"),
        ("tr", "kuleler", "kule"),
    ],
)
def test_forms_of_a_word_have_a_stem_in_common(language: str, asked: str, said: str) -> None:
    assert set(stemmed_terms(asked, language)) & {*stemmed_terms(said, None), *added_stems(said, language)}


@pytest.mark.parametrize(
    "said",
    [
        "Die Feuerwehr-\nfeste sind beliebt.",
        "Die Feuerwehr\N{SOFT HYPHEN}feste sind beliebt.",
        "Die Feuerwehr\N{SOFT HYPHEN}\nfeste sind beliebt.",
        "Die Feuerwehr\N{HYPHEN}\n   feste sind beliebt.",
    ],
)
def test_a_word_that_a_hyphen_breaks_has_the_stem_of_the_whole(said: str) -> None:
    assert set(stemmed_terms("Feuerwehrfest", "de")) <= held_stems(said, "de")


def test_a_word_is_held_of_which_a_question_leaves_off_the_accent() -> None:
    said = held_stems("La garantía es de diez años.", "es")
    assert not said.isdisjoint(stemmed_terms("garantia", "es"))
    assert not said.isdisjoint(stemmed_terms("garantía", "es"))


def test_two_lines_of_which_one_ends_in_a_dash_have_no_common_word() -> None:
    assert "feuerwehrfest" not in held_stems("Die Feuerwehr -\nFeste sind beliebt.", "de")


def test_identifiers_and_words_of_other_scripts_keep_their_plain_terms() -> None:
    assert added_stems("PyEval_SaveThread 3.11 GIL_STATE", "de") == []
    assert stemmed_terms("Кто такой Guido и PEP 8?", "ru") == stemmed_terms("Guido PEP 8", None)


def test_small_words_of_the_language_are_none_of_the_terms_of_a_query() -> None:
    assert stemmed_terms("Come lavano i vasi?", "it") == ["lav", "vas"]
    assert stemmed_terms("Come", "it") == ["com"]


def test_an_english_text_has_no_stems_beside_its_terms() -> None:
    assert added_stems("The ships were built.", None) == []
    assert stemmed_terms("Which ships were built?", None) == ["ship", "build"]


@pytest.mark.parametrize(
    ("query", "held", "language"),
    [
        ("¿Quién construyó el faro?", {"es": 5}, "es"),
        ("¿Quién construyó el faro?", {"de": 9}, None),
        ("faros torres", {"es": 6}, "es"),
        ("faros torres", {"es": 5}, None),
        ("Who built the faro of Punta Brava?", {"es": 9}, None),
        ("Кто построил маяк?", {"ru": 1}, "ru"),
        ("Кто построил маяк?", {}, None),
    ],
)
def test_a_query_is_searched_by_stems_that_the_index_holds(
    query: str, held: dict[str, int], language: str | None
) -> None:
    assert query_language(query, held, 10) == language


def test_the_name_of_a_language_is_no_word_of_a_text() -> None:
    assert not {*stemmed_terms(" ".join(LANGUAGE_KEYS.values()), None)} & {*LANGUAGE_KEYS.values()}
