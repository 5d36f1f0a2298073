from hashlib import sha256

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fakes.findings import finding
from quaestor.contracts.ledger import Finding
from quaestor.contracts.source import Quote
from quaestor.evidence.contradictions import find_contradictions
from quaestor.evidence.text_reuse import MIN_TERMS, find_copies, is_copy_of
from quaestor.evidence.tokenization import terms
from quaestor.research.contracts.writing import WrittenSentence
from quaestor.research.reports.citations import CitationBuilder

SAID = "The Zorblax bridge over the grey river was opened to all traffic by the mayor of Ulm in 1932."


@pytest.mark.parametrize(
    "other",
    [
        SAID,
        SAID.upper().lower().replace("zorblax", "Zorblax").replace("ulm", "Ulm"),
        "the Zorblax  bridge over the grey river\nwas opened to all traffic by the mayor of Ulm in 1932",
        "The Zorblax bridge over the grey river was opened to all traffic by the mayor.",
        "As told before: the Zorblax bridge over the grey river was opened to all traffic by the mayor of Ulm in 1932.",
        "The Zorblax bridge over the grey river was opened to all vehicles by the mayor of Ulm in 1932.",
    ],
)
def test_what_is_cut_framed_or_changed_in_a_word_is_a_copy(other: str) -> None:
    assert is_copy_of(SAID, other)


@pytest.mark.parametrize(
    "other",
    [
        SAID.replace("1932", "1931"),
        SAID.replace("Ulm", "Bern"),
        SAID.replace("The Zorblax", "Wuppertal"),
        SAID.replace("was opened", "was not opened"),
        "In 1932 the mayor of Ulm opened the Zorblax bridge, which crosses the grey river, to all traffic.",
        "The Zorblax bridge over the grey river",
        "",
    ],
)
def test_another_value_a_denial_other_words_and_few_words_are_no_copy(other: str) -> None:
    assert not is_copy_of(SAID, other)


def test_a_short_line_is_said_alike_by_chance() -> None:
    assert not is_copy_of("Status: Final", "Status: Final")


WORDS = st.lists(st.sampled_from(["bridge", "river", "Ulm", "1932", "was", "not", "opened", "by"]), max_size=20)


@given(WORDS, WORDS)
def test_copying_is_mutual_and_a_text_of_some_length_copies_itself(one: list[str], other: list[str]) -> None:
    first, second = " ".join(one), " ".join(other)
    assert is_copy_of(first, second) == is_copy_of(second, first)
    assert is_copy_of(first, first) == (len(terms(first)) >= MIN_TERMS)


def said(name: str, claim: str, source: str, words: str | None = None) -> Finding:
    text = words or claim
    quote = Quote(source=sha256(source.encode()).hexdigest(), start=0, end=len(text), text=text)
    return Finding(id=name, claim=claim, quotes=(quote,))


def test_a_finding_that_only_copies_an_earlier_one_of_another_source_is_named_with_it() -> None:
    again = said("t2/1", SAID[:-1], "b")
    assert find_copies([said("t1/1", SAID, "a"), again, said("t3/1", SAID, "c")]) == {"t2/1": "t1/1", "t3/1": "t1/1"}


def test_the_same_source_and_another_claim_from_the_same_words_are_no_copies() -> None:
    first = said("t1/1", SAID, "a")
    assert find_copies([first, said("t1/2", SAID, "a")]) == {}
    assert find_copies([first, said("t1/2", "A mayor of Ulm lived in 1932.", "b", words=SAID)]) == {}
    assert find_copies([finding("t1/1", "A."), finding("t1/2", "B.")]) == {}


def test_a_claim_cites_copied_words_once_and_independent_words_twice() -> None:
    own = [said("t1/1", SAID, "a"), said("t2/1", SAID, "b"), said("t3/1", "In 1932 Ulm got its bridge.", "c")]
    citing = CitationBuilder({one.id: one for one in own}, verified=[one.id for one in own])
    claim = citing.claim(WrittenSentence(text="It opened in 1932.", findings=("t1/1", "t2/1", "t3/1")))
    assert claim.quoted
    assert [citation.finding for citation in claim.citations] == ["t1/1", "t3/1"]


def test_two_readings_of_copied_words_are_no_contradiction() -> None:
    old, new = "The Zorblax bridge is 120 metres long.", "The Zorblax bridge is 140 metres long."
    words = "The grey stone bridge at Zorblax, built by the guild of masons, is 120 metres long."
    assert (
        find_contradictions([said("t1/1", old, "a", words), said("t1/2", new, "b", words.replace(" grey", ""))]) == ()
    )
    [found] = find_contradictions([said("t1/1", old, "a", words), said("t1/2", new, "b", words.replace("120", "140"))])
    assert found.values == ("120", "140")
