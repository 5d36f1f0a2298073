from collections.abc import Callable

import pytest

from quaestor.contracts.ledger import Finding
from quaestor.research.offline.direct_answer import find_answer
from quaestor.research.offline.question import parse_question

FindingOf = Callable[..., Finding]


def told(question: str, findings: tuple[Finding, ...]) -> tuple[str, tuple[str, ...]] | None:
    reply = find_answer(parse_question(question), findings)
    return (reply.text, reply.findings) if reply else None


@pytest.fixture
def dated(finding: FindingOf) -> tuple[Finding, ...]:
    return (
        finding("t1/1", "Lidded Jars (Note 40) — Created: 09-Jul-2010"),
        finding("t2/1", "No More Jars (Note 12) — Created: 03-May-2001"),
    )


def test_the_earlier_alternative_is_named_as_in_the_question(dated: tuple[Finding, ...]) -> None:
    assert told('Which was created first, "Lidded Jars" or "No More Jars"?', dated) == (
        "No More Jars",
        ("t1/1", "t2/1"),
    )


def test_the_later_alternative_is_named_when_it_is_asked_for(dated: tuple[Finding, ...]) -> None:
    assert told('Which was created last, "Lidded Jars" or "No More Jars"?', dated) == ("Lidded Jars", ("t1/1", "t2/1"))


def test_one_date_is_no_comparison(dated: tuple[Finding, ...]) -> None:
    assert told('Which was created first, "Lidded Jars" or "No More Jars"?', dated[:1]) is None


def test_dates_in_sentences_are_compared(finding: FindingOf) -> None:
    found = (finding("t1/1", "The Exies were formed in 1997."), finding("t2/1", "Circus Diablo was formed in 2006."))

    assert told("Which band was formed first, Exies or Circus Diablo?", found) == ("Exies", ("t1/1", "t2/1"))


def test_a_chain_is_answered_at_its_end_and_rests_on_both_ends(finding: FindingOf) -> None:
    found = (
        finding("t1/1", "Lidded Jars (Note 40) — Replaces: 12"),
        finding("t2/1", "Plain Jars (Note 12) — Author: Ann Lee <ann@example.org>, Bo Ek <bo@example.org>"),
    )

    assert told('Who wrote the note that "Lidded Jars" replaces?', found) == ("Ann Lee, Bo Ek", ("t1/1", "t2/1"))


def test_a_chain_without_its_end_has_no_answer(finding: FindingOf) -> None:
    found = (finding("t1/1", "Lidded Jars (Note 40) — Replaces: 12"),)

    assert told('Who wrote the note that "Lidded Jars" replaces?', found) is None


def test_different_values_are_all_told(finding: FindingOf) -> None:
    found = (
        finding("t1/1", "Lidded Jars (Note 40) — Requires: 12, 13"),
        finding("t2/1", "Plain Jars (Note 12) — Status: Final"),
        finding("t2/2", "Open Jars (Note 13) — Status: Draft"),
    )

    assert told('What is the status of the note required by "Lidded Jars"?', found) == (
        "Final; Draft",
        ("t1/1", "t2/1", "t2/2"),
    )


@pytest.mark.parametrize(
    ("question", "claim", "text"),
    [
        ("When did Ann Lee glaze the jar?", "Ann Lee, born in 1950, came; Ann Lee glazed the jar in 1977.", "1977"),
        ("Who glazed the blue jar?", "The blue jar was glazed by Ann Lee.", "Ann Lee"),
        ("How many jars did Ann Lee glaze?", "Ann Lee glazed 1,200 jars.", "1,200"),
        ("Which Note defines jar lids?", "Jar lids are what Note 40 defines.", "Note 40"),
    ],
)
def test_a_sentence_is_asked_for_what_is_wanted(finding: FindingOf, question: str, claim: str, text: str) -> None:
    assert told(question, (finding("t1/1", claim),)) == (text, ("t1/1",))


def test_prose_has_no_short_answer(finding: FindingOf) -> None:
    assert told("Why do jars have lids?", (finding("t1/1", "Jars have lids because Ann Lee said so in 1977."),)) is None


def test_a_sentence_about_something_else_does_not_answer(finding: FindingOf) -> None:
    assert told("Who glazed the blue jar?", (finding("t1/1", "Bo Ek sells blue hats."),)) is None


def test_no_sentence_answers_for_a_document_to_which_no_reference_leads(finding: FindingOf) -> None:
    claim = 'Ann Lee wrote on the note that superseded "Lidded Jars" in the Jar Review.'
    assert told('Who wrote the note that superseded "Lidded Jars"?', (finding("t1/1", claim),)) is None
