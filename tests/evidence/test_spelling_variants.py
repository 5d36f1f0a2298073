import pytest

from quaestor.evidence.tokenization import terms


@pytest.mark.parametrize(
    ("british", "american"),
    [
        ("licence colour harbours", "license color harbors"),
        ("organisation recognising realise", "organization recognizing realize"),
        ("analyse centres catalogue", "analyze centers catalog"),
        ("travelled labelling modeller", "traveled labeling modeler"),
        ("behavioural favourite neighbourhood", "behavioral favorite neighborhood"),
        ("Programme Judgement GREY", "Program Judgment GRAY"),
        ("tyres kerb kilogrammes gaol", "tires curb kilograms jail"),
        ("He practises archaeology", "He practices archeology"),
        ("paediatrician anaesthetic leukaemia sulphur", "pediatrician anesthetic leukemia sulfur"),
        ("enrolment fulfils pyjamas aeroplanes", "enrollment fulfills pajamas airplanes"),
    ],
)
def test_words_that_are_spelt_in_two_ways_have_one_term(british: str, american: str) -> None:
    assert terms(british) == terms(american)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("our", "or"),
        ("hour", "hor"),
        ("four", "for"),
        ("scour", "score"),
        ("rise", "rize"),
        ("presence", "presense"),
        ("tried", "tired"),
    ],
)
def test_other_words_keep_their_spelling(one: str, other: str) -> None:
    assert terms(one) != terms(other)
