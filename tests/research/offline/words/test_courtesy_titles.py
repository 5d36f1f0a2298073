import pytest

from quaestor.research.offline.words.courtesy_titles import courtesy_title_starts
from quaestor.research.offline.words.names import find_names


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("Warum tritt Professor Ekdal zurück?", ["Ekdal"]),
        ("Wann kam Frau Prof. Dr. Ada Ekdal?", ["Ada Ekdal"]),
        ("Did Mrs. Ekdal and Captain Bergh sign?", ["Ekdal", "Bergh"]),
        ("Dr. Ekdal signed what?", ["Ekdal"]),
        ("Pourquoi Madame Ekdal est-elle partie ?", ["Ekdal"]),
        ("¿Por qué dimitió el señor Ekdal?", ["Ekdal"]),
        ("Perché la professoressa Ekdal è partita?", ["Ekdal"]),
        ("Зачем профессор Экдаль уехал?", ["Экдаль"]),
    ],
)
def test_a_title_before_a_name_is_no_part_of_it(question: str, names: list[str]) -> None:
    assert list(find_names(question)) == names


@pytest.mark.parametrize(
    "question",
    [
        "Who is the president of Leland?",
        "Which captain signed?",
        "Does MS Office open it?",
        "Darf die Frau Hunde mitbringen?",
        "What did the doctor tell?",
    ],
)
def test_a_role_an_acronym_and_a_noun_are_no_title_before_a_name(question: str) -> None:
    assert not courtesy_title_starts(question)
