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
        (
            "When was the pump house of Quell built?",
            "The pump house of Quell was built in 1902 and burned for two days.",
        ),
        ("When was the pump house built?", "In the spring of 1902, the pump house was built."),
        ("When did the ferry sink?", "On Friday, 4 June 1921, the ferry sank."),
        ("When did the crew load salt and coal?", "On 4 June 1921 the crew loaded salt and coal."),
        ("When did Ida and Bo marry?", "Ida and Bo married on the 4th of June, 1921."),
        ("When did the ferry sink?", "The ferry sank, on 4 June 1921."),
        ("When was the office moved to Quell?", "The office was moved to Quell in 1902."),
        ("Wann wurde das Pumpenhaus von Quell gebaut?", "Das Pumpenhaus von Quell wurde 1902 gebaut."),
        ("Quand la pompe a-t-elle été construite ?", "La pompe a été construite en 1902."),
        ("¿Cuándo se construyó el faro de Quell?", "El faro de Quell se construyó en 1902."),
        ("Quando foi construído o farol de Quell?", "O farol de Quell foi construído no dia 4 de junho de 1902."),
        ("Когда построили маяк?", "Маяк построили в 1902 году."),
        ("When was Moss's quay opened?", "Moss's quay was opened in 1902."),
        ("When was the quay opened?", "The quay was officially opened on 4 June 1921 by the mayor."),
        ("When was the quay opened?", "The quay was opened by the Prince of Leland on 4 June 1921."),
        ("When was Ida Moss born?", "Ida Moss was born in Quell on 4 June 1921, and kept bees."),
        ('When was "The Ferry" printed?', '"The Ferry" was printed in 1902.'),
        ("Wann wurde der Kai eröffnet?", "Am 4. Juni 1921 wurde der Kai eröffnet."),
        ("Wann wurde der Kai eröffnet?", "Der Kai wurde am 4. Juni 1921 vom Prinzen von Leland feierlich eröffnet."),
        ("Quand le quai a-t-il été ouvert ?", "Le quai a été officiellement ouvert le 4 juin 1921 par le prince."),
        ("¿Cuándo se inauguró el muelle?", "El 4 de junio de 1921 se inauguró el muelle."),
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


@pytest.mark.parametrize(
    ("question", "sentence"),
    [
        ("When was the quay opened?", "The café beside the quay was opened on 4 June 1921 by the mayor, Ida Moss."),
        ("When did the hall burn down?", "The inn opposite the hall burned down on 4 June 1921, and the host moved."),
        ("When did Ida Moss marry?", "Ida Moss was engaged to Bo Ek, who married Una Falk on 4 June 1921."),
        ("When was Bo Ek elected mayor?", "Bo Ek, whose brother was elected mayor on 4 June 1921, kept a diary."),
        ("When did the crew sell the ferry?", "The crew met on 4 June 1921 to sell the ferry to Leland."),
        ("When was the school founded?", "The teachers met on 4 June 1921 to found a school."),
        (
            "When did the firm extend the line to Quell?",
            "The firm promised on 4 June 1921 to extend the line to Quell.",
        ),
        ("When did the pool close?", "The Quell Gazette reported on 4 June 1921 that the pool had closed."),
        ("When did the pool open?", "The pool opened exactly one year after the first stone was laid on 4 June 1921."),
        ("Wann tanzte Goethe in Quell?", "Die Tafel meldet den Gästen, dass Goethe am 4. Juni 1806 in Quell tanzte."),
        ("When did the ferry sink?", "In her novel of 1921 the ferry sank."),
        ("When was the pump house built?", "According to the guide, the pump house was built in 1902."),
        ("When was the school founded?", "The school was founded by a man born on 4 June 1821."),
        ("When was the pump house mended?", "The pump house built in 1902 was mended."),
        ("When was Ida Moss born?", "Ida Moss and her sister, born on 4 June 1921, lived in Quell."),
        ("When was the school founded?", "The school in Quell was founded in 1902."),
        ("When was the school founded?", "The school was founded by Ida Moss (1902)."),
        ("When was the Sel Quay opened?", "The Sel-Quay-Café was opened in 1921."),
        ("Quand le quai a-t-il été ouvert ?", "Le journal rapporta le 4 juin 1921 que le quai a été ouvert."),
        ("¿Cuándo se inauguró el muelle?", "El café junto al muelle se inauguró el 4 de junio de 1921."),
        ("Wanneer werd de kade geopend?", "Het café naast de kade werd geopend op 4 juni 1921."),
        ("Когда построили маяк?", "Кафе у маяка построили в 1902 году."),  # noqa: RUF001 (Russian)
    ],
)
def test_a_sentence_with_other_words_among_or_before_those_of_the_question_states_no_date(
    question: str, sentence: str
) -> None:
    assert not stated(question, sentence)


@pytest.mark.parametrize(
    ("question", "sentence"),
    [
        ("When was the treaty signed?", "The treaty was signed by 4 June 1921."),
        ("When was the treaty of Quell signed?", "The treaty of 1921 was signed in Quell of Leland."),
        ("When did the firm move to Quell?", "The firm moved to Quell to 1921."),
        ("Wann wurde der Kai von Quell eröffnet?", "Der Kai von Quell wurde von Ende 1921 eröffnet."),
    ],
)
def test_a_preposition_of_the_question_before_a_date_makes_it_another_one(question: str, sentence: str) -> None:
    assert not stated(question, sentence)


@pytest.mark.parametrize(
    ("question", "sentence"),
    [
        ("When did the ferry sink?", "The ferry sinks on 4 June 1921."),
        ("When did the crew leave?", "The crew leave on 4 June 1921."),
        ("When did the pool open?", "The pool was open on 4 June 1921 in spite of the strike."),
        ("When did the pool close?", "The pool was closed on 4 June 1921 for repairs."),
        ("When was the pool opened?", "The pool was open on 4 June 1921."),
        ("When was the pool opened?", "The pools were opened on 4 June 1921."),
        ("Wann wurde der Kai eröffnet?", "Der Kai eröffnet am 4. Juni 2031."),
        ("Quand la piscine a-t-elle fermé ?", "La piscine ferme le 4 juin 2031."),
        ("¿Cuándo se inauguró el muelle?", "El muelle se inaugura el 4 de junio de 2031."),
    ],
)
def test_a_state_and_the_present_tell_nothing_that_came_about(question: str, sentence: str) -> None:
    assert not stated(question, sentence)


@pytest.mark.parametrize("verb", ["made", "shown", "called", "given"])
def test_a_verb_that_is_no_telling_word_is_needed_too(verb: str) -> None:
    asked = f"When was the ferry {verb} in Quell?"

    assert stated(asked, f"The ferry was {verb} in Quell on 4 June 1921.")
    assert not stated(asked, "The ferry was in Quell on 4 June 1921.")


def test_who_did_something_is_told_from_whom_it_was_done_to() -> None:
    assert stated("When did Ida Moss paint Bo Ek?", "Ida Moss painted Bo Ek on 4 June 1921.")
    assert not stated("When did Ida Moss paint Bo Ek?", "Bo Ek painted Ida Moss on 4 June 1921.")


@pytest.mark.parametrize(
    "sentence",
    [
        "In 1902 the school founded a library.",
        "On 4 June 1921 was founded the school library.",
        "The school was founded in 1902/03.",
        "The school was founded in 1902, or so the legend goes.",
        "The school was founded in 1902,\u201d cried Bo Ek.",
        "Building a past: the school, founded in 1902.",
        "School: founded in 1902.",
        "Was the school founded in 1902?",
    ],
)
def test_a_statement_that_goes_on_or_is_quoted_or_is_a_caption_states_no_date(sentence: str) -> None:
    assert not stated("When was the school founded?", sentence)


@pytest.mark.parametrize(
    ("question", "sentence"),
    [
        ("Until when does the lease run?", "The lease runs until 4 June 2031."),
        ("When will the roof be mended?", "The roof will be mended on 4 June 2031."),
        ("When does the museum open?", "The museum was opened on 3 June 1971."),
        ("When is the fair?", "The fair is on 4 June 2031."),
        ("Wann beginnt die Messe in Leland?", "Die Messe beginnt am 1. Juli 2031 in Leland."),
    ],
)
def test_what_is_to_come_is_planned_and_has_no_date_yet(question: str, sentence: str) -> None:
    assert not stated(question, sentence)
