from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fakes.findings import entry, finding, hit, source
from quaestor.contracts.action import OutputPass, Record, ToolPass
from quaestor.contracts.agent import AgentCard, DelegateContract
from quaestor.contracts.delegation import DigestGiven, ScoutGiven
from quaestor.contracts.event import (
    ContractAccepted,
    ContractRejected,
    Event,
    Recognised,
    TodoFailed,
    TodoRecorded,
    ToolCall,
    ToolResponded,
    ToolsChosen,
)
from quaestor.contracts.noun import Noun
from quaestor.contracts.options import ResearchOptions
from quaestor.contracts.plan import Todo, TodoKind
from quaestor.contracts.roles import (
    DraftFinding,
    DraftQuote,
    Given,
    ReadGiven,
    Reading,
    Section,
    SectionGiven,
    Summary,
    WrittenSentence,
)
from quaestor.contracts.tools import Proof
from quaestor.workflows.parts import gathering
from quaestor.workflows.parts.delegation import MOST_PASSES, answered, chosen, wanted
from quaestor.workflows.parts.life import Life, Searched, Step, search_key

QUESTION = "Who kept the lights?"
SCOUT = AgentCard(name="scout", description="Searches.", tools=("search",))
THINKER = AgentCard(name="thinker", description="Thinks.")
OPTIONS = ResearchOptions(agents=(SCOUT, THINKER))
KNOWN = finding("t1/1", "Anna Brandt kept the lighthouse.")
SEEN = hit("The mole is long.")


def todo(agent: str | None, kind: TodoKind = TodoKind.RESEARCH) -> Todo:
    return Todo(id="t2", task="Find the keeper of the lighthouse", agent=agent, kind=kind)


def life(step: Step, card: AgentCard = SCOUT, **more: object) -> Life:
    return Life(todo_id="t2", step=step, card=card).after(**more)


def choice(*queries: str, refused: tuple[str, ...] = (), tool: str = "search") -> ToolsChosen:
    calls = tuple(ToolCall(ref=f"c{place}", tool=tool, given={"query": query}) for place, query in enumerate(queries))
    return ToolsChosen(key="k", todo_id="t2", role="scout", calls=calls, refused=refused)


def accepted(output: Noun) -> ContractAccepted:
    name = type(output).__name__
    return ContractAccepted(key="k", todo_id="t2", role="scout", contract=name, output=output.model_dump(mode="json"))


def after(before: Life, payload: Recognised) -> Life:
    at = datetime(2026, 1, 1, tzinfo=UTC)
    event = Event(session_id="s", seq=1, cycle=1, at=at, state="DELEGATING", payload=payload)
    return gathering.apply(before, event, OPTIONS)


def end(of: Life, agent: str = "scout") -> TodoRecorded | TodoFailed:
    [record] = gathering.wanted(of, todo(agent), question=QUESTION, searches={}, options=OPTIONS)
    assert isinstance(record, Record)
    [fact] = record.facts
    assert isinstance(fact, TodoRecorded | TodoFailed)
    return fact


@pytest.mark.parametrize(
    ("agent", "known", "step"),
    [
        ("scout", (), "scouting"),
        ("scout", (KNOWN,), "scouting"),
        ("thinker", (KNOWN,), "delegating"),
        ("thinker", (), "recording"),
        (None, (KNOWN,), "querying"),
    ],
)
@pytest.mark.parametrize("kind", [TodoKind.RESEARCH, TodoKind.TOOL])
def test_an_agent_with_tools_begins_by_scouting_and_one_without_by_its_contract(
    agent: str | None, known: tuple[()], step: Step, kind: TodoKind
) -> None:
    born = gathering.born(todo(agent, kind), known, OPTIONS)
    assert (born.step, born.card and born.card.name) == (step, agent)
    assert born.recalled == known


def test_an_agent_without_tools_has_nothing_to_think_about_when_nothing_was_found_before() -> None:
    fact = end(gathering.born(todo("thinker"), (), OPTIONS), "thinker")
    assert isinstance(fact, TodoRecorded)
    assert (fact.entry.findings, fact.entry.gaps) == ((), (gathering.NOTHING_TO_BUILD_ON,))


def test_scouting_is_a_tool_pass_that_shows_what_was_seen() -> None:
    scouting = life(
        "scouting", executed=("keeper",), unread=(SEEN,), recalled=(KNOWN,), refused=("fetch: no such tool",), passes=1
    )
    assert wanted(scouting, SCOUT, todo("scout"), QUESTION) == ToolPass(
        key="todo/t2/scout/2",
        state="SCOUTING",
        todo_id="t2",
        role="scout",
        tools=("search",),
        given=ScoutGiven(
            question=QUESTION,
            task="Find the keeper of the lighthouse",
            executed=("keeper",),
            hits=(SEEN,),
            findings=(KNOWN,),
            refused=("fetch: no such tool",),
            passes_left=1,
        ),
    )


TASK = "Find the keeper of the lighthouse"
GIVENS: dict[DelegateContract, Given] = {
    "Reading": ReadGiven(question=QUESTION, task=TASK, hits=(SEEN,), findings=(KNOWN,)),
    "Summary": DigestGiven(question=QUESTION, task=TASK, findings=(KNOWN,)),
    "Section": SectionGiven(question=QUESTION, todo_id="t2", task=TASK, summary="", findings=(KNOWN,)),
}


@pytest.mark.parametrize("contract", GIVENS)
def test_delegating_is_an_output_pass_for_the_contract_of_the_agent(contract: DelegateContract) -> None:
    card = SCOUT.model_copy(update={"contract": contract})
    asked = wanted(life("delegating", card, unread=(SEEN,), recalled=(KNOWN,)), card, todo("scout"), QUESTION)
    assert isinstance(asked, OutputPass)
    assert (asked.key, asked.state, asked.role) == ("todo/t2/delegate", "DELEGATING", "scout")
    assert asked.given == GIVENS[contract]
    assert asked.given.gives.__name__ == contract


def test_each_new_query_is_searched_once_and_only_the_search_tool_searches() -> None:
    after_choice = chosen(life("scouting", executed=("mole",)), choice("keeper", "mole", "keeper", "tower"))
    assert (after_choice.step, after_choice.queries, after_choice.passes) == ("searching", ("keeper", "tower"), 1)
    other = chosen(life("scouting", unread=(SEEN,)), choice("keeper", tool="fetch"))
    assert (other.step, other.queries) == ("delegating", ())


@pytest.mark.parametrize(
    ("seen", "step"), [({"unread": (SEEN,)}, "delegating"), ({"recalled": (KNOWN,)}, "delegating"), ({}, "recording")]
)
def test_an_agent_that_chooses_nothing_new_has_seen_enough(seen: dict[str, object], step: Step) -> None:
    assert chosen(life("scouting", **seen), choice()).step == step
    assert chosen(life("scouting", executed=("mole",), **seen), choice("mole")).step == step


def test_an_agent_whose_calls_were_refused_may_choose_again_as_long_as_there_are_passes() -> None:
    scouting = life("scouting", unread=(SEEN,))
    for passes in range(1, MOST_PASSES):
        scouting = chosen(scouting, choice(refused=(f"fetch: no {passes}",)))
        assert (scouting.step, scouting.passes, scouting.refused) == ("scouting", passes, (f"fetch: no {passes}",))
    assert chosen(scouting, choice(refused=("fetch: no",))).step == "delegating"


def test_what_was_refused_once_is_not_told_again() -> None:
    refused = chosen(life("scouting"), choice("mole", refused=("fetch: no",)))
    assert (refused.step, refused.refused) == ("searching", ("fetch: no",))
    assert chosen(refused.after(step="scouting"), choice("keeper")).refused == ()


QUERIES = st.sampled_from(["mole", "keeper", "Anna Brandt", "tower"])
CHOICES = st.tuples(st.lists(QUERIES, max_size=3), st.booleans())
OUTCOMES = st.sampled_from([Searched(), Searched(error="down"), Searched(hits=(SEEN,)), Searched(hits=(hit("Dues."),))])


@given(st.lists(CHOICES, min_size=9, max_size=9), st.dictionaries(QUERIES, OUTCOMES), st.booleans())
def test_whatever_an_agent_chooses_it_makes_few_tool_passes_and_then_one_output_pass(
    choices: list[tuple[list[str], bool]], found: dict[str, Searched], known: bool
) -> None:
    now = gathering.born(todo("scout"), (KNOWN,) if known else (), OPTIONS)
    passes = 0
    while now.step == "scouting":
        asked = wanted(now, SCOUT, todo("scout"), QUESTION)
        assert isinstance(asked, ToolPass)
        assert isinstance(asked.given, ScoutGiven)
        queries, refused = choices[passes]
        passes += 1
        assert (asked.key, asked.given.passes_left) == (f"todo/t2/scout/{passes}", MOST_PASSES - passes)
        now = after(now, choice(*queries, refused=("fetch: no",) if refused else ()))
        outcomes = {search_key(query): found.get(query, Searched()) for query in now.queries}
        now = gathering.searched(now, outcomes, OPTIONS)
    assert passes <= MOST_PASSES
    assert len(set(now.executed)) == len(now.executed)
    assert now.step == ("delegating" if now.unread or now.recalled else "recording")


def test_a_delegate_whose_searches_all_failed_fails_and_one_that_found_nothing_does_not() -> None:
    last = life("searching", queries=("mole",), passes=MOST_PASSES)
    failed = end(gathering.searched(last, {search_key("mole"): Searched(error="down")}, OPTIONS))
    assert isinstance(failed, TodoFailed)
    assert failed.reason == "every search failed: down"
    nothing = end(gathering.searched(last, {search_key("mole"): Searched()}, OPTIONS))
    assert isinstance(nothing, TodoRecorded)
    assert nothing.entry.findings_summary == gathering.NOTHING_FOUND


def test_the_findings_of_an_agent_are_proven_and_then_recorded_without_reflection() -> None:
    quote = DraftQuote(source="p2", text="Anna Brandt")
    reading = Reading(findings=(DraftFinding(claim="Anna Brandt kept it.", quotes=(quote,)),))
    delegating = life("delegating", unread=(SEEN,), recalled=(KNOWN,))
    quoting = after(delegating, accepted(reading))
    assert (quoting.step, quoting.unread) == ("quoting", ())
    assert quoting.drafts[0].quotes[0].source == KNOWN.quotes[0].source
    proof = Proof(findings=entry("t2", "Anna Brandt kept it.").findings, sources=(source("Anna Brandt kept it."),))
    responded = ToolResponded(
        key="k",
        todo_id="t2",
        tool="prove",
        result=proof.model_dump(mode="json"),
        error=None,
        spend=quoting.spend,
        milliseconds=1,
    )
    recording = after(quoting, responded)
    assert recording.step == "recording"
    fact = end(recording)
    assert isinstance(fact, TodoRecorded)
    assert [(one.id, one.claim) for one in fact.entry.findings] == [("t2/1", "Anna Brandt kept it.")]
    assert after(delegating, accepted(Reading())).step == "recording"


@pytest.mark.parametrize(
    ("output", "summary"),
    [
        (Summary(text="Kept by Anna Brandt."), "Kept by Anna Brandt."),
        (
            Section(heading="Keepers", sentences=(WrittenSentence(text="One."), WrittenSentence(text="Two."))),
            "One. Two.",
        ),
    ],
)
def test_the_words_of_an_agent_are_what_its_todo_found(output: Noun, summary: str) -> None:
    recording = answered(life("delegating", recalled=(KNOWN,)), accepted(output))
    fact = end(recording)
    assert isinstance(fact, TodoRecorded)
    assert (fact.entry.findings_summary, fact.entry.findings) == (summary, ())


def test_an_agent_that_breaks_its_contract_for_good_fails_its_todo() -> None:
    rejected = ContractRejected(
        key="k", todo_id="t2", role="scout", contract="Reading", attempt=3, objections=("no JSON",), final=True
    )
    fact = end(after(life("delegating", unread=(SEEN,)), rejected))
    assert isinstance(fact, TodoFailed)
    assert fact.reason == "The scout gave no usable answer: no JSON"
