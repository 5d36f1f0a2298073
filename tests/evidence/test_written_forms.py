import pytest

from quaestor.evidence.retrieval.query import parse_query
from quaestor.evidence.stemming import held_stems, stemmed_terms


def holds(text: str, said: str, language: str | None = None) -> bool:
    return held_stems(text, language).issuperset(stemmed_terms(said, language))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("The bell weighs 412 kg.", "412 kilograms"),
        ("The bell weighs 412 kilograms.", "412 kg"),
        ("Entry costs £8.", "8 pounds"),
        ("It is two km from here.", "kilometres"),
        ("It is 2½ km from here.", "kilometers"),
        ("Of it five per cent go away.", "5%"),
        ("Of it 5% go away.", "five per cent"),
        ("The fee is two hundred and ten euros.", "210 euros"),
        ("The fee is 200 euros.", "two hundred euros"),
        ("It begins on Sept. 3rd.", "3 September"),
        ("It begins in September 2019.", "Sept. 2019"),
        ("Tue,16:00,Ann", "Tuesday"),
        ("| Mon | Spanish |", "Monday"),
        ("Open until Fri. 22 Aug.", "Friday 22 August"),
        ("Open until Friday, 22 August.", "Fri 22 Aug"),
        ("Max. 12 people a course", "maximum"),
        ("Saint Anne's bell", "St Anne"),
        ("Open Mon-Fri from 9.", "Wednesday"),
        ("Open from Friday to Monday.", "Sunday"),
        ("It is on the 1st floor.", "first floor"),
        ("It is on the third floor.", "3rd floor"),
        ("He lives at 4 St. James's St.", "St James's Street"),
    ],
)
def test_a_text_says_what_it_writes_in_short_or_in_words(text: str, said: str) -> None:
    assert holds(text, said)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("The sun rises in the east.", "Sunday"),
        ("He sat down and wed her.", "Saturday Wednesday"),
        ("It is open on Sunday.", "sun"),
        ("Chapter 3 of the book g", "grams"),
        ("The file is route.km", "kilometres"),
        ("No car may park.", "number"),
        ("See 1.200 and 2.5", "five"),
        ("Open Mon-Wed and Friday.", "Thursday"),
        ("He sat to wed it.", "Tuesday"),
        ("From Saturday to Monday", "Tuesday"),
    ],
)
def test_a_word_that_only_looks_like_a_short_form_is_none(text: str, said: str) -> None:
    assert not holds(text, said)


@pytest.mark.parametrize(
    ("language", "text", "said"),
    [
        ("de", "Mo., 3. Mrz: höchstens zwölf Gäste, 5 %", "Montag März 12 Prozent"),
        ("de", "Mo\u2013Fr 9 bis 12 Uhr", "Mittwoch"),
        ("es", "de martes a viernes", "jueves"),
        ("fr", "lun. 3 janv. : douze places, 6 km", "lundi janvier 12 kilomètres"),
        ("es", "Lun. 3 ene.: doce plazas, 6 kg", "lunes enero 12 kilogramos"),
        ("it", "Lun. 3 gen.: dodici posti", "lunedì gennaio 12"),
        ("nl", "Ma. 3 mrt.: twaalf plaatsen", "maandag maart 12"),
        ("pt", "Seg. 3 fev.: doze lugares", "segunda fevereiro 12"),
    ],
)
def test_every_language_has_its_months_days_and_numbers(language: str, text: str, said: str) -> None:
    assert holds(text, said, language)


def test_a_query_is_searched_by_the_other_signs_for_its_words() -> None:
    assert {"mon"} <= set(parse_query("Which course is on Monday?").terms)
    assert {"sept", "tue", "km"} <= set(parse_query("Is the Tuesday walk of September 6 kilometres long?").terms)
    assert {"fifteen"} <= set(parse_query("Is there a 15% discount?").terms)
    assert {"12"} <= set(parse_query("Does it cost twelve euros?").terms)
    assert {"no", "nos"}.isdisjoint(parse_query("Which number of boats is red?").terms)
    assert "2" not in parse_query("Which two boats are red?").terms
    assert "eight" not in parse_query("What does PEP 8 say?").terms
