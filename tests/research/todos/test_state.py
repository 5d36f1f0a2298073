import re

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from fakes.findings import finding, hit
from quaestor.contracts.event import ModelRequested
from quaestor.contracts.ledger import Finding
from quaestor.contracts.source import Hit
from quaestor.research.contracts.roles import DraftFinding, DraftQuote, ReadInput, is_label, label_quotes
from quaestor.research.contracts.roles import Reading as ReadingReply
from quaestor.research.todos.state import TodoState, resolve_labels
from quaestor.research.todos.steps import Reading
from quaestor.research.todos.tool_outcomes import search_key
from research.conftest import Ran, Research, todos

LIGHTHOUSE = "When was the Aldmouth lighthouse built?"
BELL = "When was the fog bell of Aldmouth cast?"
BUILT = "The Aldmouth lighthouse was built in 1831"
HITS = (hit("One."), hit("Two."))
KNOWN = (finding("t1/1", "Three."), finding("t1/2", "Four."))
WORDS = st.lists(st.text("aBcÄß", min_size=1, max_size=3), min_size=1, max_size=3)
BLANKS = st.sampled_from([" ", "  ", "\n", "\t "])


@given(WORDS, WORDS, BLANKS)
@example(["a", "B"], ["aB"], " ")
def test_queries_have_one_key_if_and_only_if_they_differ_in_case_and_blanks_alone(
    one: list[str], other: list[str], blank: str
) -> None:
    key = search_key(" ".join(one))
    assert search_key(f"{blank}{blank.join(one).casefold()}{blank}") == key
    same = [word.casefold() for word in one] == [word.casefold() for word in other]
    assert (search_key(" ".join(other)) == key) == same
    assert re.fullmatch("search/[0-9a-f]{16}", key)


def said(*sources: str) -> ReadingReply:
    quotes = tuple(DraftQuote(source=source, text=f"words {place}") for place, source in enumerate(sources))
    return ReadingReply(findings=(DraftFinding(claim="So it is.", quotes=quotes),))


def test_a_label_becomes_the_source_it_stands_for_and_a_hash_stays() -> None:
    state = TodoState(todo_id="t2", step=Reading(), unread=HITS, recalled=KNOWN)
    own = HITS[1].passage.source
    [draft] = resolve_labels(state, said("p1", "p4", own, "p3"))
    resolved = [HITS[0].passage.source, KNOWN[1].quotes[0].source, own, KNOWN[0].quotes[0].source]
    assert [quote.source for quote in draft.quotes] == resolved
    assert draft.claim == "So it is."
    assert [quote.text for quote in draft.quotes] == ["words 0", "words 1", "words 2", "words 3"]
    assert resolve_labels(state, ReadingReply()) == ()


@given(
    st.lists(st.sampled_from(HITS), max_size=3).map(tuple),
    st.lists(st.sampled_from(KNOWN), max_size=3).map(tuple),
    st.lists(st.integers(1, 9), min_size=1, max_size=5),
)
def test_what_a_reader_may_quote_is_resolved_and_a_reading_of_nothing_else_is_refused(
    hits: tuple[Hit, ...], known: tuple[Finding, ...], places: list[int]
) -> None:
    reading = said(*(f"p{place}" for place in places))
    shown = ReadInput(question="Who?", task="Find it.", hits=hits, findings=known)
    [draft] = resolve_labels(TodoState(todo_id="t2", step=Reading(), unread=hits, recalled=known), reading)
    given = [place for place in places if place <= len(hits) + len(known)]
    assert [is_label(quote.source) for quote in draft.quotes] == [place not in given for place in places]
    assert len(shown.objections(reading)) == (0 if given else len(set(places)))


def reads(ran: Ran, todo_id: str) -> list[ModelRequested]:
    asked = (event.payload for event in ran.of("model_requested", todo_id))
    return [one for one in asked if isinstance(one, ModelRequested) and one.role == "reader"]


def label(ran: Ran, words: str) -> str:
    """Return the label of the passage with these words, as the reader of the first todo was shown it."""
    shown = ReadInput.model_validate(reads(ran, "t1")[0].given)
    return next(name for name, quote in label_quotes(shown.hits, shown.findings).items() if words in quote.text)


@pytest.mark.parametrize("by", ["label", "hash"])
async def test_a_quote_is_proven_in_the_passage_whose_label_or_hash_a_reader_names(research: Research, by: str) -> None:
    first = await research({"planner": todos(LIGHTHOUSE, BELL)}, effort="low")
    shown = ReadInput.model_validate(reads(first, "t1")[0].given)
    name = label(first, BUILT)
    source = label_quotes(shown.hits, shown.findings)[name].source
    quote = {"source": name if by == "label" else source, "text": BUILT}
    reader = [{"todo": "t1", "reply": {"findings": [{"claim": "It is of 1831.", "quotes": [quote]}]}}]
    ran = await research({"planner": todos(LIGHTHOUSE, BELL), "reader": reader}, effort="low")
    [found] = ran.state.entries["t1"].findings
    assert (found.claim, found.quotes[0].text, found.quotes[0].source) == ("It is of 1831.", BUILT, source)


async def test_a_reader_that_names_no_passage_it_was_shown_is_told_so_and_asked_again(research: Research) -> None:
    quotes = [{"source": "p99", "text": BUILT}, {"source": "0" * 64, "text": BUILT}]
    reader = [{"todo": "t1", "reply": {"findings": [{"claim": "It is of 1831.", "quotes": quotes}]}}]
    ran = await research({"planner": todos(LIGHTHOUSE, BELL), "reader": reader}, effort="low")
    [rejected] = [event.payload.model_dump() for event in ran.of("contract_rejected", "t1")]
    objections = (f"no passage has the label '{'0' * 64}'", "no passage has the label 'p99'")
    assert (rejected["objections"], rejected["final"]) == (objections, False)
    assert reads(ran, "t1")[1].objections == objections
    assert ran.state.entries["t1"].findings


async def test_a_reading_is_used_without_the_findings_that_cannot_be(research: Research) -> None:
    good = {"claim": "It is of 1831.", "quotes": [{"source": "p1", "text": BUILT}]}
    unknown = {"claim": "It is tall.", "quotes": [{"source": "p99", "text": "It is 90 metres tall"}]}
    nameless = {"claim": "", "quotes": []}
    strange = {"statement": "It is of 1831."}
    many = {"claim": "It is old.", "quotes": [{"source": "p1", "text": BUILT}] * 9}
    reader = [{"todo": "t1", "reply": {"findings": [unknown, nameless, good, strange, many]}}]
    ran = await research({"planner": todos(LIGHTHOUSE), "reader": reader}, effort="low")
    assert not ran.of("contract_rejected")
    assert "It is of 1831." in [finding.claim for finding in ran.state.entries["t1"].findings]
    assert "It is tall." not in [finding.claim for finding in ran.state.entries["t1"].findings]


async def test_a_quote_under_the_wrong_label_is_proven_in_the_passage_that_has_its_words(research: Research) -> None:
    first = await research({"planner": todos(LIGHTHOUSE)}, effort="low")
    shown = ReadInput.model_validate(reads(first, "t1")[0].given)
    wrong = next(name for name, quote in label_quotes(shown.hits, ()).items() if BUILT not in quote.text)
    quotes = [{"source": wrong, "text": BUILT}, {"source": "p99", "text": BUILT}]
    reader = [{"todo": "t1", "reply": {"findings": [{"claim": "It is of 1831.", "quotes": quotes}]}}]
    ran = await research({"planner": todos(LIGHTHOUSE), "reader": reader}, effort="low")
    [found] = ran.state.entries["t1"].findings
    assert [quote.text for quote in found.quotes] == [BUILT]
    assert ran.state.entries["t1"].gaps == ()


async def test_a_todo_whose_statements_are_all_left_out_says_so_and_not_that_nothing_was_found(
    research: Research,
) -> None:
    lie = {"claim": "It is of gold.", "quotes": [{"source": "p1", "text": "It is made of gold and of silver"}]}
    reader = [{"todo": "t1", "reply": {"findings": [lie, lie]}}]
    ran = await research({"planner": todos(LIGHTHOUSE), "reader": reader}, effort="low")
    entry = ran.state.entries["t1"]
    assert entry.findings_summary == "What was stated is left out, as no quoted words prove it."
    assert entry.gaps[0].startswith("2 statements left out: the words quoted stand in none of the passages")
    assert "2 statements left out" in ran.result.statement
