"""A direct date is the date of what is asked, not one that stands in a sentence with the same words."""

import pytest

from quaestor.research.offline.words.dates import find_dates
from quaestor.research.offline.words.stated_dates import states_date
from quaestor.research.offline.words.wording import asked_language, asked_words


def stated(question: str, sentence: str) -> bool:
    """Return whether the first date of a sentence is stated as that of the question."""
    return states_date(sentence, find_dates(sentence)[0], asked_words(question), question, asked_language(question))


@pytest.mark.parametrize(
    ("question", "sentence"),
    [
        ("When was Ida Moss born?", "Ida Moss was born on 4 June 1921 in Quell."),
        ("When was Ida Moss born?", "Ida Moss (born 4 June 1921) kept bees."),
        ("When was Ida Moss born?", "Born in Quell on 4 June 1921, Ida Moss kept bees."),
        (
            "When was the pump house of Quell built?",
            "The pump house of Quell was built in 1902 and burned for two days.",
        ),
        ("When was the pump house built?", "In the spring of 1902, the pump house was built."),
        ("When was the pump house built?", "The pump house, which stands at the quay, was built in 1902."),
        ("When did the ferry sink?", "In a storm on 4 June 1921, the ferry sank."),
        ("When did the crew load salt and coal?", "On 4 June 1921 the crew loaded salt and coal."),
        ("When did Ida and Bo marry?", "Ida and Bo married on the 4th of June, 1921."),
        ("When did the ferry sink?", "The ferry sank, on 4 June 1921."),
        ("Until when does the lease run?", "The lease runs until 4 June 2031."),
        ("When was the office moved to Quell?", "The office was moved to Quell in 1902."),
        ("When will the roof be mended?", "The roof will be mended on 4 June 2031."),
        ("Wann wurde das Pumpenhaus von Quell gebaut?", "Das Pumpenhaus von Quell wurde 1902 gebaut."),
        ("Wann beginnt die Messe in Leland?", "Die Messe beginnt am 1. Juli 2031 in Leland."),
        ("Quand la pompe a-t-elle été construite ?", "La pompe a été construite en 1902."),
        ("¿Cuándo se construyó el faro de Quell?", "El faro de Quell se construyó en 1902."),
        ("Quando foi construído o farol de Quell?", "O farol de Quell foi construído no dia 4 de junho de 1902."),
        ("Когда построили маяк?", "Маяк построили в 1902 году."),
    ],
)
def test_a_sentence_that_tells_what_is_asked_states_its_date(question: str, sentence: str) -> None:
    assert stated(question, sentence)


@pytest.mark.parametrize(
    ("question", "sentence"),
    [
        ("When was Ida Moss born?", "The brother of Ida Moss was born on 4 June 1921."),
        ("When was Ida Moss born?", "Ida Moss's brother was born on 4 June 1921."),
        ("When was the ferry?", "A book about the old ferry was sold in 1902."),
        ("When did Bo Ek leave the quay?", "Bo Ek left the quay after the storm of 4 June 1921."),
        ("When was the quay opened?", "The quay was to be opened on 4 June 1921, but the money ran out."),
        ("When was the quay opened?", "The quay wasn't opened on 4 June 1921."),
        ("When was the quay opened?", "Nobody believes that the quay opened on 4 June 1921."),
        ("When does the office move?", "If the board agrees, the office moves on 4 June 2031."),
        ("When did the pump stand still?", "The pump stood still until 4 June 1921."),
        ("When was the pump house sold?", "The wish to sell the pump house dates from 4 June 1921."),
        (
            "When was the new pump bought?",
            "The old pump was sold on 4 June 1921 and the new pump was bought that week.",
        ),
        ("When does Ida Moss leave?", "| Ida Moss | leaves | 2031 | |"),
        ("When was the roof mended?", "The roof will be mended on 4 June 2031."),
        ("When did the ferry sink?", "The ferry almost sank on 4 June 1921."),
        ("Wann kam die Pumpe?", "Die Rechnung für die Pumpe kam am 4. Juni 1921."),
        ("Wann kam die Pumpe?", "Die Rechnung der Pumpe kam am 4. Juni 1921."),
        ("Wann ist Bo Ek gestorben?", "Bo Ek ist nicht am 4. Juni 1921 gestorben."),
        ("Wann wurde die Pumpe verkauft?", "Die Pumpe wurde später verkauft, den Auftrag gab Bo Ek am 4. Juni 1921."),
        ("Quand la pompe est-elle arrivée ?", "La facture de la pompe est arrivée le 4 juin 1921."),
        ("Quand la pompe est-elle arrivée ?", "La pompe n'est pas arrivée le 4 juin 1921."),
        ("¿Cuándo llegó la bomba?", "La factura de la bomba llegó el 4 de junio de 1921."),
        ("Quando arrivò la pompa?", "La pompa non arrivò il 4 giugno 1921."),
        ("Когда построили маяк?", "Маяк не построили в 1902 году."),
    ],
)
def test_what_belongs_to_something_else_or_is_told_with_a_reserve_states_no_date(question: str, sentence: str) -> None:
    assert not stated(question, sentence)
