"""The fixed words of every language, and the language of a question."""

import string
from importlib.resources import files

import pytest

from quaestor.research.reports.fixed_words import ReportWords, report_words
from quaestor.research.reports.languages import function_words, report_language, text_direction

CODES = sorted(
    file.name.removesuffix(".toml")
    for file in files("quaestor.research.reports").joinpath("words").iterdir()
    if file.is_file()
)


def fields(text: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(text) if name}


def test_the_languages_are_those_of_the_documentation() -> None:
    assert CODES == ["ar", "de", "en", "es", "fr", "it", "ja", "nl", "pt", "ru", "zh"]


@pytest.mark.parametrize("code", CODES)
def test_a_language_fills_in_what_the_english_words_do(code: str) -> None:
    english, own = report_words("en"), report_words(code)
    for name in ReportWords.__struct_fields__:
        assert fields(getattr(own, name)) | {"claims"} == fields(getattr(english, name)) | {"claims"}, name


def test_a_language_without_words_has_the_english_ones() -> None:
    assert report_words("th") is not report_words("en")
    assert report_words("th") == report_words(None) == report_words("en")


@pytest.mark.parametrize(
    ("question", "language"),
    [
        ("Wer war der Erbauer des Turms?", "de"),
        ("Who built the tower?", "en"),
        ("PEP 8", "en"),
        ("¿Quién construyó el faro?", "es"),
        ("Qui a construit le phare ?", "fr"),
        ("Chi ha costruito il faro?", "it"),
        ("Quem construiu a torre?", "pt"),
        ("Wie bouwde de vuurtoren?", "nl"),
        ("Dlaczego latarnia zgasła?", "pl"),
        ("Кто построил маяк?", "ru"),
        ("谁建造了灯塔?", "zh"),
        ("灯台を建てたのは誰ですか?", "ja"),
        ("من بنى المنارة؟", "ar"),
        ("Who edits Die Zeit, and what does 灯台 mean?", "en"),
        ("Wer hat PEP 灯 geschrieben und warum?", "de"),
    ],
)
def test_the_language_of_a_question_is_known_by_its_script_or_its_small_words(question: str, language: str) -> None:
    assert report_language(question) == language


def test_small_words_of_a_question_are_known_in_its_language() -> None:
    assert function_words("Wann war die US-Flotte in der Stadt?") == {"Wann", "war", "die", "in", "der"}
    assert function_words("Did the die of US coins break?") == {"Did", "the", "of"}
    assert function_words("Qui a peint l'enseigne d'un ami ?") == {"Qui", "a", "l", "d", "d'un"}
    assert "a-t-elle" in function_words("Quand la brosse a-t-elle servi ?")


def test_a_language_has_its_direction() -> None:
    assert [text_direction(code) for code in ("ar", "he", "en", "ja")] == ["rtl", "rtl", "ltr", "ltr"]
