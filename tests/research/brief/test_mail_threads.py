from datetime import UTC, date, datetime

import pytest

from quaestor.contracts.source import Source
from quaestor.research.brief.mail_threads import answers, bare_subject, is_told_in_reply, place_in_thread


def letter(title: str, day: int = 0) -> Source:
    return Source(
        sha256="a" * 64,
        uri="/mail/one.eml",
        title=title,
        media_type="message/rfc822",
        characters=1,
        retrieved_at=datetime(2025, 6, 1, tzinfo=UTC),
        published=date(2025, 5, day) if day else None,
    )


@pytest.mark.parametrize("title", ["Jars", "Re: Jars", "RE: AW: Jars", "Antw: Jars", "Re[2]: Jars", "Réf : Jars"])
def test_the_marks_of_replies_are_no_part_of_a_subject(title: str) -> None:
    assert bare_subject(title) == "Jars"


@pytest.mark.parametrize("title", ["Reed: Jars", "Jars: re lids"])
def test_other_words_are(title: str) -> None:
    assert bare_subject(title) == title


@pytest.mark.parametrize(
    ("title", "day", "other", "its"),
    [("Re: jars", 0, "Jars", 0), ("AW: Re: Jars", 3, "Re: Jars", 3), ("Re: Jars", 4, "AW: Jars", 3)],
)
def test_a_letter_answers_what_has_its_subject_and_fewer_marks_or_an_earlier_day(
    title: str, day: int, other: str, its: int
) -> None:
    assert answers(letter(title, day), letter(other, its))
    assert not answers(letter(other, its), letter(title, day))


@pytest.mark.parametrize(
    ("title", "day", "other", "its"),
    [("Re: Lids", 4, "Jars", 3), ("Jars", 4, "Jars", 3), ("Re: Jars", 0, "Re: Jars", 3), ("Re:", 4, "", 3)],
)
def test_no_other_letter_does(title: str, day: int, other: str, its: int) -> None:
    assert not answers(letter(title, day), letter(other, its))


def test_the_last_letter_of_a_thread_is_that_of_the_last_day_with_the_most_marks() -> None:
    thread = [letter("Jars", 3), letter("Re: Jars", 3), letter("Re: Re: Jars", 3), letter("Re: Jars", 4)]
    assert max(thread[::-1], key=place_in_thread) == thread[-1]
    assert min(thread[::-1], key=place_in_thread) == thread[0]


@pytest.mark.parametrize(
    ("said", "is_told"),
    [
        ("Fine, then on the 16th of May.", True),
        ("We need 40 lids.", True),
        ("The talk is cancelled.", True),
        ("Thank you for asking.", False),
        ("Call 07700900187.", False),
    ],
)
def test_a_reply_tells_its_own_days_numbers_and_changes(said: str, *, is_told: bool) -> None:
    text = f"Hello Bo,\n\nit rains. {said}\n\n> It rains. {said}\n"
    assert is_told_in_reply(said, text, text.index(said)) == is_told
    assert not is_told_in_reply(said, text, text.rindex(said))
