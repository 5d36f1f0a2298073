"""What later letters of a thread say, where a program put what is answered below the answer."""

import pytest

from quaestor.research.brief.marked_sentence import MarkedSentence
from quaestor.research.brief.thread_replies import replies_to

QUESTION = "Would you like tin lids on the jars? I could ask at the mill."
ANSWER = "Tin lids: no, sorry."
THREAD = """From: Ann Berg
To: Bo Ek
Date: Mon, 11 May 2026 07:58
Subject: Re: jars

Morning Bo,

The boat is fine. {answer}
> the jars have tin lids

-------- Original message --------
From: Bo Ek
To: Ann Berg
Date: Thu, 7 May 2026 21:40
Subject: jars

{question} The boat costs 12.

Bo
"""


def replies(marked: str, text: str, around: str = "") -> list[str]:
    about = MarkedSentence(text=marked, around=around, heading="", title="jars", days=())
    return [text[start:end] for start, end in replies_to(text, text.index(marked), about)]


def thread(answer: str = ANSWER, question: str = QUESTION) -> str:
    return THREAD.format(answer=answer, question=question)


def test_the_answer_in_a_later_letter_is_told_beside_the_question() -> None:
    assert replies(QUESTION, thread()) == [ANSWER]
    assert replies(QUESTION, thread("Lids: no, sorry.")) == [], "one word"
    assert replies(QUESTION, thread(), around=ANSWER) == [], "it is shown already"


def test_a_later_letter_is_not_answered_by_an_earlier_one() -> None:
    assert replies(ANSWER, thread()) == []
    swapped = thread().replace("11 May", "6 May")
    assert replies(QUESTION, swapped) == []
    assert replies(ANSWER, swapped) == ["Would you like tin lids on the jars?"]


def test_of_one_day_the_hour_tells_which_letter_is_later() -> None:
    assert replies(QUESTION, thread().replace("7 May 2026 21:40", "11 May 2026 07:10")) == [ANSWER]
    assert replies(QUESTION, thread().replace("7 May 2026 21:40", "11 May 2026 09:10")) == []
    assert replies(QUESTION, thread().replace("7 May 2026 21:40", "11 May 2026 07:58")) == []


@pytest.mark.parametrize("proposed", ["I propose to give her back 12.", "My proposal is to give her 12 back."])
def test_what_answers_a_proposal_may_share_small_words_alone(proposed: str) -> None:
    assert replies(proposed, thread("Give all of it back, 23.50.", proposed)) == ["Give all of it back, 23.50."]
    hoped = proposed.replace("propose", "hope").replace("proposal", "hope")
    assert replies(hoped, thread("Give all of it back, 23.50.", hoped)) == []


def test_of_several_answers_the_one_that_shares_most_is_told_and_of_equals_the_last() -> None:
    both = f"{ANSWER} And no lids of tin for jars."
    assert replies(QUESTION, thread(both)) == ["And no lids of tin for jars."]
    newest = f"Von: Ann Berg\nGesendet: 12.05.2026 08:00\nBetreff: jars\n\nTin lids, yes after all.\n\n{thread()}"
    assert replies(QUESTION, newest) == ["Tin lids, yes after all."]


def test_a_text_without_letters_answers_nothing() -> None:
    assert replies(QUESTION, f"{QUESTION}\n\n{ANSWER}\n") == []
    undated = thread().replace("Date: Thu, 7 May 2026 21:40", "Date: Thursday")
    assert replies(QUESTION, undated) == []
