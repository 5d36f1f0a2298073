from fakes.findings import finding, source
from quaestor.contracts.source import TableCell, TablePlace
from quaestor.research.contracts.verdicts import RULES, ClaimCheck, Verdict
from quaestor.research.contracts.writing import WrittenSentence
from quaestor.research.reports.citations import CitationBuilder
from quaestor.research.reports.draft import Statement, to_statement

ONE, TWO = finding("t1/1", "Vos built it."), finding("t2/1", "It burned down.")
FINDINGS = {one.id: one for one in (ONE, TWO)}


def said(text: str, *refs: str) -> WrittenSentence:
    return WrittenSentence(text=text, findings=refs)


def test_a_claim_is_quoted_when_all_its_findings_were_verified() -> None:
    citing = CitationBuilder(FINDINGS, verified={"t1/1"})
    assert citing.claim(said("a", "t1/1")).quoted
    assert not citing.claim(said("b", "t2/1")).quoted
    assert citing.claim(said("b", "t2/1")).citations == ()
    assert not citing.claim(said("c", "t1/1", "t2/1")).quoted
    assert not citing.claim(said("d")).quoted
    assert not citing.claim(said("e", "t9/9")).quoted


def test_claims_and_citations_are_numbered_once_in_order() -> None:
    citing = CitationBuilder(FINDINGS, verified=FINDINGS)
    first = citing.claims([said("b", "t2/1"), said("a", "t1/1")])
    assert [claim.number for claim in first] == [1, 2]
    assert [citation.number for claim in first for citation in claim.citations] == [1, 2]
    assert [claim.number for claim in citing.claims([said(" b ", "t2/1")])] == [1]
    both = citing.claim(said("c", "t1/1", "t2/1"))
    assert [citation.number for citation in both.citations] == [2, 1]
    sources = citing.sources([source(ONE.claim), source("never cited"), source(TWO.claim)])
    assert [one.sha256 for one in sources] == [source(TWO.claim).sha256, source(ONE.claim).sha256]


def test_a_part_of_a_report_says_a_sentence_once() -> None:
    citing = CitationBuilder(FINDINGS, verified=FINDINGS)
    claims = citing.claims([said("b", "t2/1"), said("a", "t1/1"), said(" b ", "t1/1")])
    assert [claim.text for claim in claims] == ["b", "a"]


def test_a_sentence_on_a_finding_of_nobody_is_left_out() -> None:
    citing = CitationBuilder(FINDINGS, verified=FINDINGS)
    assert [claim.text for claim in citing.claims([said("a", "t9/9"), said("b", "t1/1", "t9/9"), said("c")])] == ["c"]


def test_what_is_not_quoted_can_be_dropped() -> None:
    sentences = [said("a", "t1/1"), said("b", "t2/1")]
    assert [claim.text for claim in CitationBuilder(FINDINGS, {"t1/1"}).claims(sentences)] == ["a", "b"]
    dropping = CitationBuilder(FINDINGS, {"t1/1"}, drop=True)
    kept = dropping.claims([said("c", "t2/1", "t1/1"), said("d", "t1/1", "t2/1"), *sentences])
    assert [(claim.number, claim.text) for claim in kept] == [(1, "a")]
    assert [citation.number for citation in kept[0].citations] == [1]


def refuting(*sentences: WrittenSentence) -> dict[Statement, ClaimCheck]:
    return judged(ClaimCheck(verdict=Verdict.REFUTED, note="No.", checked_by="m"), *sentences)


def judged(check: ClaimCheck, *sentences: WrittenSentence) -> dict[Statement, ClaimCheck]:
    return {to_statement(one, FINDINGS): check for one in sentences}


def test_a_refuted_sentence_stays_quoted_and_says_who_refuted_it() -> None:
    citing = CitationBuilder(FINDINGS, verified=FINDINGS, checks=refuting(said("Vos built it alone.", "t1/1")))
    claim = citing.claim(said(" Vos built\nit  alone. ", "t1/1"))
    assert (claim.text, claim.quoted, claim.verdict) == ("Vos built it alone.", True, Verdict.REFUTED)
    assert (claim.note, claim.checked_by) == ("No.", "m")
    assert [citation.finding for citation in claim.citations] == ["t1/1"]
    assert citing.claim(said("Vos built it.", "t1/1")).verdict is Verdict.NOT_CHECKED


def test_a_refuted_sentence_sums_up_nothing() -> None:
    citing = CitationBuilder(FINDINGS, verified=FINDINGS, checks=refuting(said("a", "t1/1")))
    assert [claim.text for claim in citing.leading_claims([said("a", "t1/1"), said("b", "t2/1")])] == ["b"]


def test_an_answer_is_given_by_the_verdict_on_it_as_an_answer() -> None:
    year = said("1831", "t1/1")
    as_answer = {to_statement(year, FINDINGS, "When was it rebuilt?"): ClaimCheck(verdict=Verdict.REFUTED)}
    citing = CitationBuilder(FINDINGS, verified=FINDINGS, checks=as_answer)
    assert citing.answer(year, "When was it rebuilt?") is None
    assert citing.answer(said("d"), "When was it rebuilt?") is None
    answer = citing.answer(year, "When was it built?")
    assert answer
    assert answer.text == "1831"
    assert citing.claim(year) == answer


def test_the_same_words_on_other_quotes_are_another_claim() -> None:
    citing = CitationBuilder(FINDINGS, verified=FINDINGS, checks=refuting(said("a", "t1/1")))
    first, other = citing.claim(said("a", "t1/1")), citing.claim(said("a", "t2/1"))
    assert (first.verdict, other.verdict) == (Verdict.REFUTED, Verdict.NOT_CHECKED)
    assert [[one.finding for one in claim.citations] for claim in (first, other)] == [["t1/1"], ["t2/1"]]
    assert [claim.number for claim in citing.leading_claims([said("a", "t1/1"), said("a", "t2/1")])] == [other.number]


def test_what_breaks_a_rule_sums_up_nothing() -> None:
    doubt = ClaimCheck(verdict=Verdict.UNVERIFIABLE, checked_by=RULES)
    citing = CitationBuilder(FINDINGS, verified=FINDINGS, checks=judged(doubt, said("a", "t1/1")))
    assert citing.leading_claims([said("a", "t1/1")]) == ()
    assert [claim.verdict for claim in citing.claims([said("a", "t1/1")])] == [Verdict.UNVERIFIABLE]
    dropping = CitationBuilder(FINDINGS, FINDINGS, checks=judged(doubt, said("a", "t1/1")), drop=True)
    assert dropping.claims([said("a", "t1/1")]) == ()


def test_a_refuted_sentence_can_be_dropped_and_takes_no_number() -> None:
    dropping = CitationBuilder(FINDINGS, verified=FINDINGS, checks=refuting(said("a", "t1/1")), drop=True)
    kept = dropping.claims([said("a", "t1/1"), said("b", "t2/1")])
    assert [(claim.number, claim.text, claim.quoted) for claim in kept] == [(1, "b", True)]
    assert [citation.number for citation in kept[0].citations] == [1]
    sources = dropping.sources([source(ONE.claim), source(TWO.claim)])
    assert [one.sha256 for one in sources] == [source(TWO.claim).sha256]


def test_a_citation_has_the_place_of_its_quote_in_a_table() -> None:
    place = TablePlace(row=3, cells=(TableCell(column="year", value="1823", quoted=True),))
    [quote] = ONE.quotes
    citing = CitationBuilder(FINDINGS, FINDINGS, places={(quote.source, quote.start, quote.end): place})
    cited = [citation.in_table for claim in citing.claims([said("a", "t1/1", "t2/1")]) for citation in claim.citations]
    assert cited == [place, None]
