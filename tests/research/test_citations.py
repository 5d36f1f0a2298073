from hypothesis import given
from hypothesis import strategies as st

from fakes.findings import finding, source
from quaestor.research.citations import CitationBuilder
from quaestor.research.contracts.writing import WrittenSentence

ONE, TWO = finding("t1/1", "Vos built it."), finding("t2/1", "It burned down.")
FINDINGS = {one.id: one for one in (ONE, TWO)}


def said(text: str, *refs: str) -> WrittenSentence:
    return WrittenSentence(text=text, findings=refs)


def test_a_claim_is_supported_when_all_its_findings_were_verified() -> None:
    citing = CitationBuilder(FINDINGS, verified={"t1/1"})
    assert citing.claim(said("a", "t1/1")).supported
    assert not citing.claim(said("b", "t2/1")).supported
    assert citing.claim(said("b", "t2/1")).citations == ()
    assert not citing.claim(said("c", "t1/1", "t2/1")).supported
    assert not citing.claim(said("d")).supported
    assert not citing.claim(said("e", "t9/9")).supported


def test_claims_and_citations_are_numbered_once_in_order() -> None:
    citing = CitationBuilder(FINDINGS, verified=FINDINGS)
    first = citing.claims([said("b", "t2/1"), said("a", "t1/1"), said(" b ", "t2/1")])
    assert [claim.number for claim in first] == [1, 2, 1]
    assert [citation.number for claim in first for citation in claim.citations] == [1, 2, 1]
    both = citing.claim(said("c", "t1/1", "t2/1"))
    assert [citation.number for citation in both.citations] == [2, 1]
    sources = citing.sources([source(ONE.claim), source("never cited"), source(TWO.claim)])
    assert [one.sha256 for one in sources] == [source(TWO.claim).sha256, source(ONE.claim).sha256]


def test_what_is_not_supported_can_be_dropped() -> None:
    sentences = [said("a", "t1/1"), said("b", "t2/1")]
    assert [claim.text for claim in CitationBuilder(FINDINGS, {"t1/1"}).claims(sentences)] == ["a", "b"]
    dropping = CitationBuilder(FINDINGS, {"t1/1"}, drop=True)
    kept = dropping.claims([said("c", "t2/1", "t1/1"), said("d", "t1/1", "t2/1"), *sentences])
    assert [(claim.number, claim.text) for claim in kept] == [(1, "a")]
    assert [citation.number for citation in kept[0].citations] == [1]


def test_a_doubted_sentence_is_not_supported_and_its_quotes_are_still_cited() -> None:
    citing = CitationBuilder(FINDINGS, verified=FINDINGS, doubted={"Vos built it alone."})
    doubted = citing.claim(said(" Vos built\nit  alone. ", "t1/1"))
    assert (doubted.text, doubted.supported) == ("Vos built it alone.", False)
    assert [citation.finding for citation in doubted.citations] == ["t1/1"]
    assert citing.claim(said("Vos built it.", "t1/1")).supported


def test_a_doubt_adds_no_support() -> None:
    citing = CitationBuilder(FINDINGS, verified={"t1/1"}, doubted={"a", "d"})
    assert not citing.claim(said("b", "t2/1")).supported
    assert not citing.claim(said("d")).supported


def test_a_doubted_sentence_can_be_dropped_and_takes_no_number() -> None:
    dropping = CitationBuilder(FINDINGS, verified=FINDINGS, doubted={"a"}, drop=True)
    kept = dropping.claims([said("a", "t1/1"), said("b", "t2/1")])
    assert [(claim.number, claim.text, claim.supported) for claim in kept] == [(1, "b", True)]
    assert [citation.number for citation in kept[0].citations] == [1]
    sources = dropping.sources([source(ONE.claim), source(TWO.claim)])
    assert [one.sha256 for one in sources] == [source(TWO.claim).sha256]


SENTENCES = st.lists(
    st.builds(said, st.sampled_from("abc"), st.sampled_from(["t1/1", "t2/1", "t9/9"])), min_size=1, max_size=6
)
NAMES = st.frozensets(st.sampled_from("abc"))


@given(SENTENCES, NAMES, NAMES)
def test_more_doubts_never_make_more_claims_supported(
    sentences: list[WrittenSentence], doubted: frozenset[str], more: frozenset[str]
) -> None:
    def supported(names: frozenset[str]) -> set[str]:
        return {
            one.text for one in CitationBuilder(FINDINGS, {"t1/1"}, doubted=names).claims(sentences) if one.supported
        }

    assert supported(doubted) == supported(frozenset()) - doubted
    assert supported(doubted | more) <= supported(doubted)
