from collections.abc import Callable

import pytest

from quaestor.contracts.source import Hit
from quaestor.research.contracts.roles import ReadInput
from quaestor.research.offline.reader import confidence, read_passages
from quaestor.research.offline.sentences.extracts import extract_sentences
from quaestor.research.offline.sentences.relevance import (
    answers_kind,
    min_share_of_best,
    score_sentence,
    sentence_idf_weights,
)
from quaestor.research.offline.words.question import parse_question

HitOf = Callable[..., Hit]


def sure(question: str, *hits: Hit) -> float:
    return confidence(ReadInput(question=question, task=question, hits=hits))


def claims(question: str, *hits: Hit) -> list[str]:
    return [one.claim for one in read_passages(ReadInput(question=question, task=question, hits=hits)).findings]


def test_what_every_sentence_says_tells_less_than_what_one_does(hit: HitOf) -> None:
    question = parse_question("Which jar lid is made of tin?")
    weights = sentence_idf_weights(
        question, question, extract_sentences([hit("A jar lid is round. This jar lid is tin. Any jar lid fits.")])
    )
    assert weights.of["tin"] > 1.5 * weights.of["jar"]
    assert sum(weights.of.values()) == pytest.approx(1)


def test_what_opens_the_section_that_a_question_names_is_worth_more(hit: HitOf) -> None:
    question = parse_question("What does jar.close do to a lid?")
    text = "Turn the lid to the right. Turn the lid by hand."
    headed, below = (hit(text, title="jar", heading=heading) for heading in ("jar > close", "jar > close > now"))
    scores = [
        [score_sentence(one, question, sentence_idf_weights(question, question, found)) for one in found]
        for found in (extract_sentences([headed]), extract_sentences([below]))
    ]
    assert scores[0][0] > scores[1][0]
    assert scores[0][1] == scores[1][1]


def test_what_a_named_document_says_of_what_is_asked_need_not_say_its_name(hit: HitOf) -> None:
    question = parse_question("What does Note 8 say about oil?")
    found = extract_sentences([hit("Oil is kept cold here. Lamps are cut by hand here.", title="note-0008.txt")])
    weights = sentence_idf_weights(question, question, found)
    [of_oil, of_lamps] = (score_sentence(one, question, weights) for one in found)
    [elsewhere] = (
        score_sentence(one, question, weights) for one in extract_sentences([hit("Oil is kept cold here.", title="a")])
    )

    assert of_oil > elsewhere + weights.cover({"note", "8"}) / 2
    assert of_lamps < of_oil / 2


def test_the_rare_word_of_a_question_leads_to_the_sentence(hit: HitOf) -> None:
    text = "The jar lid of the north is sold to cooks. Tin is what a lid of the south is made of. A jar lid is round."
    assert any("Tin is" in one for one in claims("Which jar lid is made of tin?", hit(text)))


def test_the_more_passages_the_nearer_to_the_best_and_less_so_for_each_of_several_things() -> None:
    one, several = (
        parse_question("How does a lid close?"),
        parse_question("How does one wait for threads or processes?"),
    )
    shares = [min_share_of_best(passages, one) for passages in (1, 2, 5)]
    assert shares == sorted(shares)
    assert min_share_of_best(5, one) == min_share_of_best(50, one)
    assert 0 < shares[0] < shares[-1] < 1
    assert min_share_of_best(5, several) < min_share_of_best(5, one)


RARE = "Verdigris spoils a copper jar lid. A lid is cleaned with sand. Ships come in spring."


def test_of_one_passage_a_rare_word_does_not_mark_its_sentence_alone(hit: HitOf) -> None:
    [marked] = claims("What does verdigris spoil of a copper lid?", hit(RARE))
    assert marked.endswith("Verdigris spoils a copper jar lid. A lid is cleaned with sand.")


def test_of_one_passage_what_is_said_twice_is_marked_once(hit: HitOf) -> None:
    twice = "Verdigris spoils a copper jar lid. A copper jar lid verdigris spoils."
    [marked] = claims("What does verdigris spoil of a copper lid?", hit(twice))
    assert marked.endswith("Verdigris spoils a copper jar lid.")


def test_of_one_passage_one_sentence_is_marked_for_a_name_or_a_date(hit: HitOf) -> None:
    text = "Verdigris spoiled the copper lid of Ann Lee in 1831. A lid is cleaned with sand. Ships come in spring."
    [marked] = claims("Whose copper lid was spoiled by verdigris?", hit(text))
    assert marked.endswith("in 1831.")


def test_it_is_surer_where_a_sentence_says_what_the_named_subject_is(hit: HitOf) -> None:
    question = "Who owns the Zorblax jar?"
    says = hit("The Zorblax jar (an old pot) is a pot of clay.", title="Zorblax jar (pottery)")
    other = hit("The lid of the Zorblax jar has a crack in it.", title="Zorblax jar (pottery)")
    elsewhere = hit("The Zorblax jar is a pot of clay.", title="Clay pots of the north")
    assert sure(question, says) > sure(question, other)
    assert sure(question, says) > sure(question, elsewhere)


def test_what_stands_above_counts_in_full_in_a_section_on_the_side_asked_for(hit: HitOf) -> None:
    text = "It keeps the dust out of the jam for a longer time."
    question = "Why was the Zorblax lid added?"
    assert sure(question, hit(text, title="Zorblax lid", heading="Rationale")) > sure(
        question, hit(text, title="Zorblax lid", heading="Usage")
    )


def test_a_sentence_in_other_order_of_the_same_words_is_said_once(hit: HitOf) -> None:
    twice = hit("A lid keeps dust out of a clay jar. Out of a clay jar a lid keeps dust.")
    assert len(claims("What does a lid keep out of a clay jar?", twice)) == 1


def test_a_reason_in_a_sentence_without_a_word_of_the_question_answers_no_better(hit: HitOf) -> None:
    task = parse_question("Why did the mayor cut the museum budget?")
    text = "We spend more on schools, because they grew.\n\nThe harbour must wait for its crane, which is old.\n\n"
    text += "We spend less on the museum.\n"
    sentences = extract_sentences([hit(text, title="Budget speech of the mayor")])
    weights = sentence_idf_weights(task, task, sentences)
    schools, _, museum = (score_sentence(one, task, weights) for one in sentences)

    assert schools < 1.1 * museum


def test_a_question_that_nothing_answers_is_worth_half_of_what_a_sentence_is(hit: HitOf) -> None:
    question = parse_question("How soon must a lid be shut?")
    found = extract_sentences([hit("Must that lid be shut? Must this lid be shut?\n\nNow a lid must be shut.")])
    weights = sentence_idf_weights(question, question, found)
    scores = [score_sentence(one, question, weights) for one in found]

    assert max(scores[:2]) < 0.6 * scores[2]


def test_a_field_that_repeats_the_title_is_worth_no_more_than_what_stands_under_it(hit: HitOf) -> None:
    question = parse_question("When was the flood?")
    header = hit("title: The flood\ndate: 2021-08-02\nauthor: Jane Ray", title="The flood")
    found = extract_sentences([header])
    weights = sentence_idf_weights(question, question, found)
    [title, date, author] = (score_sentence(one, question, weights) for one in found)

    assert title == date == author


@pytest.mark.parametrize(
    ("question", "claim", "answers"),
    [
        ("Which ports do I have to open?", "Open the following ports:", True),
        ("Which ports do I have to open?", "Open the port of the web page.", False),
        ("Which port do I have to open?", "Open the following ports:", False),
    ],
)
def test_a_list_that_is_asked_for_is_introduced_by_a_colon(question: str, claim: str, answers: bool) -> None:
    assert answers_kind(claim, parse_question(question)) is answers
