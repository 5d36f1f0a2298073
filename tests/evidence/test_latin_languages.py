import pytest

from quaestor.evidence.latin_languages import document_language, question_language


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("Come si chiude il vaso?", "it"),
        ("Dove si trova il vaso?", "it"),
        ("Qual è il vaso?", "it"),
        ("Quanto costa Anna all'ora?", "it"),
        ("Porque é que o vaso caiu?", "pt"),
        ("Por que caiu a torre?", "pt"),
        ("Quando abre o forno?", "pt"),
        ("¿Por qué cayó el vaso?", "es"),
        ("Cuanto pesa el vaso", "es"),
        ("Que contient le vase ?", "fr"),
        ("Liste des vases du conseil", "fr"),
        ("Quel jour a eu lieu la vente de septembre 2024 ?", "fr"),
        ("Lister les chefs de table", "fr"),
        ("was kostet die vase", "de"),
        ("Was kostet die Vase?", "de"),
        ("Hoe hoog is de vaas?", "nl"),
        ("Dlaczego wazon spadł?", "pl"),
        ("Kto jest garncarzem?", "pl"),
    ],
)
def test_the_language_of_a_short_question_is_that_of_its_small_words_as_they_are_written(
    text: str, language: str
) -> None:
    assert question_language(text) == language


@pytest.mark.parametrize(
    "text",
    [
        "Was the die cast?",
        "Comment on the car",
        "Who sings Come Home?",
        "Hay prices",
        "Old man Lee",
        "PEP 8",
        "Oak Creek AZ",
        "Jay Z songs",
        "What is at Caffè dell'Arte now?",
        "",
    ],
)
def test_words_that_mean_something_in_english_show_no_other_language(text: str) -> None:
    assert question_language(text) is None


def test_a_text_with_one_small_word_has_no_known_language_and_a_question_has_one() -> None:
    assert question_language("Das Gefäß") == "de"


def test_a_question_without_the_mark_of_spanish_is_of_equals_in_another_language_unless_a_word_ends_as_there() -> None:
    assert question_language("Greco ha pagato la caparra?") == "it"
    assert question_language("¿Greco ha pagato la caparra?") == "es"
    assert question_language("Greco ha pagado la fianza?") == "es"
    assert question_language("Greco ha pagato la caparra") == "es"
    assert document_language("Das Gefäß") is None
    assert document_language("Das Gefäß ist leer") == "de"


def test_addresses_and_articles_without_a_vowel_tell_no_english() -> None:
    mail = "Da: bus@riva.it\nA: conti@riva.it\n\nPartenza per Lecco a piazza Roma; il prezzo è di 580 per il gasolio."
    assert document_language(mail) == "it"
    assert document_language("Il vaso all'ora è a terra, a Lecco, a casa: all'ultima non si va.") == "it"
    assert document_language("See https://lids.it and all of it, per lid.") in {"en", None}


@pytest.mark.parametrize(
    "text",
    [
        "Der Krug von einem Topf is a 1961 film directed by Ann Lee.",
        "Do as told: no support. No help. See a.example.com, b.example.com. A user, a role. So do me a favour.",
    ],
)
def test_an_english_text_is_english_whatever_titles_and_addresses_it_has(text: str) -> None:
    assert document_language(text) == "en"


def test_a_small_word_that_two_languages_have_makes_no_text_english() -> None:
    assert document_language("Sommerfest am 12. Juli. Der Wettbewerb findet am selben Tag statt.") == "de"
    assert document_language("I am in, and so am I.") == "en"
