from collections.abc import Mapping
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import JsonValue

from fakes.findings import entry, finding, hit, source
from quaestor.contracts.action import Record, ToolPass, ToolRun
from quaestor.contracts.base import Contract
from quaestor.contracts.event import (
    ContractAccepted,
    ContractRejected,
    Event,
    KnownPayload,
    ToolCall,
    ToolResponded,
    ToolsChosen,
)
from quaestor.contracts.immutable import replace
from quaestor.contracts.ledger import Finding
from quaestor.contracts.mcp import McpToolOffer, McpToolSurvey, SurveyInput
from quaestor.contracts.roles import AgentCard, RoleInput
from quaestor.contracts.source import Hit
from quaestor.contracts.web import Link, PickInput
from quaestor.research.contracts.optional_roles import DelegateSummaryInput, DelegateToolInput
from quaestor.research.contracts.plan import Todo, TodoKind
from quaestor.research.contracts.roles import DraftFinding, DraftQuote, Reading, ReadInput
from quaestor.research.contracts.tools import Proof
from quaestor.research.contracts.writing import Section, SectionInput, Summary, WrittenSentence
from quaestor.research.events import TodoFailed, TodoRecorded
from quaestor.research.options import ResearchOptions
from quaestor.research.todos import lifecycle, steps, todo_fold
from quaestor.research.todos.delegated_todo import (
    MAX_TOOL_PASSES,
    apply_output,
    apply_tool_choice,
    choose_tools,
    request_contract,
)
from quaestor.research.todos.outcome import NO_DEPENDENCY_FINDINGS, NO_PASSAGES_FOUND
from quaestor.research.todos.state import TodoState
from quaestor.research.todos.steps import Delegate, SearchRequests
from quaestor.research.todos.tool_outcomes import (
    FetchOutcome,
    PassageSearchOutcome,
    ToolOutcomes,
    fetch_key,
    search_key,
)

QUESTION, TASK = "Who kept the lights?", "Find the keeper of the lighthouse"
SCOUT = AgentCard(name="scout", description="Searches.", tools=("search",))
THINKER = AgentCard(name="thinker", description="Thinks.")
OPTIONS = ResearchOptions(corpus="corpus_1", agents=(SCOUT, THINKER))
KNOWN = finding("t1/1", "Anna Brandt kept the lighthouse.")
SEEN = hit("The mole is long.")


def todo(agent: str | None, kind: TodoKind = TodoKind.RESEARCH) -> Todo:
    return Todo(id="t2", task=TASK, agent=agent, kind=kind)


EMPTY = TodoState(todo_id="t2", step=steps.Scouting(Delegate(SCOUT)))


def delegating(*, unread: tuple[Hit, ...] = (), recalled: tuple[Finding, ...] = ()) -> TodoState:
    return replace(EMPTY, step=steps.Delegating(SCOUT), unread=unread, recalled=recalled)


def choose(state: TodoState, chosen: ToolsChosen) -> TodoState:
    assert isinstance(state.step, steps.Scouting)
    return apply_tool_choice(state, state.step, chosen)


def ask(state: TodoState) -> ToolPass:
    assert isinstance(state.step, steps.Scouting)
    return choose_tools(state, state.step, todo("scout"), QUESTION, ())


def requests_of(state: TodoState) -> SearchRequests:
    assert isinstance(state.step, steps.Searching | steps.Fetching | steps.Picking)
    return state.step.requests


def refused_by(state: TodoState) -> tuple[str, ...]:
    assert isinstance(state.step, steps.Scouting)
    return state.step.refused


def choice(*queries: str, refused: tuple[str, ...] = (), tool: str = "search") -> ToolsChosen:
    calls = tuple(ToolCall(ref=f"c{place}", tool=tool, given={"query": query}) for place, query in enumerate(queries))
    return ToolsChosen(key="k", role="scout", calls=calls, refused=refused)


def outcomes(found: Mapping[str, PassageSearchOutcome]) -> ToolOutcomes:
    return ToolOutcomes(searches={search_key(query): outcome for query, outcome in found.items()})


def accepted(output: Contract) -> ContractAccepted:
    name = type(output).__name__
    return ContractAccepted(key="k", role="scout", contract=name, output=output)


def after(before: TodoState, payload: KnownPayload) -> TodoState:
    at = datetime(2026, 1, 1, tzinfo=UTC)
    event = Event(session_id="s", seq=1, cycle=1, at=at, state="DELEGATING", todo_id="t2", payload=payload)
    return todo_fold.fold(before, event, OPTIONS)


def end(of: TodoState, agent: str = "scout") -> TodoRecorded | TodoFailed:
    [record] = lifecycle.next_actions(of, todo(agent), question=QUESTION, outcomes=ToolOutcomes(), options=OPTIONS)
    assert isinstance(record, Record)
    [fact] = record.facts
    assert isinstance(fact, TodoRecorded | TodoFailed)
    return fact


@pytest.mark.parametrize(
    ("agent", "known", "step"),
    [
        ("scout", (), steps.Scouting(Delegate(SCOUT))),
        ("scout", (KNOWN,), steps.Scouting(Delegate(SCOUT))),
        ("thinker", (KNOWN,), steps.Delegating(THINKER)),
        ("thinker", (), steps.Recording()),
        (None, (KNOWN,), steps.Querying()),
    ],
)
@pytest.mark.parametrize("kind", [TodoKind.RESEARCH, TodoKind.TOOL])
def test_an_agent_with_tools_begins_by_scouting_and_one_without_by_its_contract(
    agent: str | None, known: tuple[Finding, ...], step: steps.TodoStep, kind: TodoKind
) -> None:
    started = lifecycle.start(todo(agent, kind), known, OPTIONS)
    assert (started.step, started.recalled) == (step, known)


def test_an_agent_without_tools_has_nothing_to_think_about_when_nothing_was_found_before() -> None:
    fact = end(lifecycle.start(todo("thinker"), (), OPTIONS), "thinker")
    assert isinstance(fact, TodoRecorded)
    assert (fact.entry.findings, fact.entry.gaps) == ((), (NO_DEPENDENCY_FINDINGS,))


def test_scouting_is_a_tool_pass_that_shows_what_was_seen() -> None:
    step = steps.Scouting(Delegate(SCOUT, passes=1), refused=("fetch: no such tool",))
    scouting = replace(EMPTY, step=step, executed=("keeper",), unread=(SEEN,), recalled=(KNOWN,))
    assert ask(scouting) == ToolPass(
        key="todo/t2/scout/2",
        state="SCOUTING",
        todo_id="t2",
        role="scout",
        tools=("search",),
        given=DelegateToolInput(
            question=QUESTION,
            task=TASK,
            executed=("keeper",),
            hits=(SEEN,),
            findings=(KNOWN,),
            refused=("fetch: no such tool",),
            passes_left=1,
        ),
    )


GIVENS: dict[str, RoleInput] = {
    "Reading": ReadInput(question=QUESTION, task=TASK, hits=(SEEN,), findings=(KNOWN,)),
    "Summary": DelegateSummaryInput(question=QUESTION, task=TASK, findings=(KNOWN,)),
    "Section": SectionInput(question=QUESTION, todo_id="t2", task=TASK, summary="", findings=(KNOWN,)),
}


@pytest.mark.parametrize("contract", GIVENS)
def test_delegating_is_an_output_pass_for_the_contract_of_the_agent(contract: str) -> None:
    card = SCOUT.model_copy(update={"contract": contract})
    asked = request_contract(delegating(unread=(SEEN,), recalled=(KNOWN,)), card, todo("scout"), QUESTION)
    assert (asked.key, asked.state, asked.role) == ("todo/t2/delegate", "DELEGATING", "scout")
    assert asked.given == GIVENS[contract]
    assert asked.given.gives.__name__ == contract


def test_each_new_query_is_searched_once_and_only_the_search_tool_searches() -> None:
    searching = choose(replace(EMPTY, executed=("mole",)), choice("keeper", "mole", "keeper", "tower"))
    requests = SearchRequests(queries=("keeper", "tower"), delegate=Delegate(SCOUT, passes=1))
    assert searching.step == steps.Searching(requests)
    other = choose(replace(EMPTY, unread=(SEEN,)), choice("keeper", tool="pick"))
    assert other.step == steps.Delegating(SCOUT)


@pytest.mark.parametrize(
    ("scouting", "step"),
    [
        (replace(EMPTY, unread=(SEEN,)), steps.Delegating(SCOUT)),
        (replace(EMPTY, recalled=(KNOWN,)), steps.Delegating(SCOUT)),
        (EMPTY, steps.Recording()),
    ],
)
def test_an_agent_that_chooses_nothing_new_has_seen_enough(scouting: TodoState, step: steps.TodoStep) -> None:
    assert choose(scouting, choice()).step == step
    assert choose(replace(scouting, executed=("mole",)), choice("mole")).step == step


def test_an_agent_whose_calls_were_refused_may_choose_again_as_long_as_there_are_passes() -> None:
    scouting = replace(EMPTY, unread=(SEEN,))
    for passes in range(1, MAX_TOOL_PASSES):
        scouting = choose(scouting, choice(refused=(f"fetch: no {passes}",)))
        assert scouting.step == steps.Scouting(Delegate(SCOUT, passes=passes), refused=(f"fetch: no {passes}",))
    assert choose(scouting, choice(refused=("fetch: no",))).step == steps.Delegating(SCOUT)


def test_what_was_refused_is_told_once() -> None:
    refused = requests_of(choose(EMPTY, choice("mole", refused=("fetch: no",))))
    assert refused.refused == ("fetch: no",)
    again = replace(EMPTY, step=steps.Scouting(Delegate(SCOUT, passes=1), refused.refused))
    assert requests_of(choose(again, choice("keeper"))).refused == ()


QUERIES = st.sampled_from(["mole", "keeper", "Anna Brandt", "tower"])
CHOICES = st.tuples(st.lists(QUERIES, max_size=3), st.booleans())
OUTCOMES = st.sampled_from(
    [
        PassageSearchOutcome(),
        PassageSearchOutcome(error="down"),
        PassageSearchOutcome(hits=(SEEN,)),
        PassageSearchOutcome(hits=(hit("Dues."),)),
    ]
)


@given(st.lists(CHOICES, min_size=9, max_size=9), st.dictionaries(QUERIES, OUTCOMES), st.booleans())
def test_whatever_an_agent_chooses_it_makes_few_tool_passes_and_then_one_output_pass(
    choices: list[tuple[list[str], bool]], found: dict[str, PassageSearchOutcome], known: bool
) -> None:
    now = lifecycle.start(todo("scout"), (KNOWN,) if known else (), OPTIONS)
    passes = 0
    while isinstance(now.step, steps.Scouting):
        asked = ask(now)
        assert isinstance(asked.given, DelegateToolInput)
        queries, refused = choices[passes]
        passes += 1
        assert (asked.key, asked.given.passes_left) == (f"todo/t2/scout/{passes}", MAX_TOOL_PASSES - passes)
        now = after(now, choice(*queries, refused=("fetch: no",) if refused else ()))
        if isinstance(now.step, steps.Searching):
            searched = {query: found.get(query, PassageSearchOutcome()) for query in now.step.requests.queries}
            now = lifecycle.advance(now, outcomes(searched), OPTIONS)
    assert passes <= MAX_TOOL_PASSES
    assert len(set(now.executed)) == len(now.executed)
    assert isinstance(now.step, steps.Delegating if now.unread or now.recalled else steps.Recording)


LAST_SEARCH = steps.Searching(SearchRequests(queries=("mole",), delegate=Delegate(SCOUT, passes=MAX_TOOL_PASSES)))


def test_a_delegate_whose_searches_all_failed_fails_and_one_that_found_nothing_does_not() -> None:
    last = replace(EMPTY, step=LAST_SEARCH)
    failed = end(lifecycle.advance(last, outcomes({"mole": PassageSearchOutcome(error="down")}), OPTIONS))
    assert isinstance(failed, TodoFailed)
    assert failed.reason == "every search failed: down"
    nothing = end(lifecycle.advance(last, outcomes({"mole": PassageSearchOutcome()}), OPTIONS))
    assert isinstance(nothing, TodoRecorded)
    assert nothing.entry.findings_summary == NO_PASSAGES_FOUND


@pytest.mark.parametrize("outcome", [PassageSearchOutcome(), PassageSearchOutcome(error="down")])
def test_a_delegate_that_found_nothing_itself_still_has_what_was_found_before(outcome: PassageSearchOutcome) -> None:
    last = replace(EMPTY, step=LAST_SEARCH, recalled=(KNOWN,))
    assert lifecycle.advance(last, outcomes({"mole": outcome}), OPTIONS).step == steps.Delegating(SCOUT)


def served(card: AgentCard, *offers: McpToolOffer, failures: tuple[str, ...] = ()) -> TodoState:
    """Return the state of an agent's todo after the servers were asked."""
    options = OPTIONS.model_copy(update={"servers": ("notes",), "agents": (card,)})
    born = lifecycle.start(todo(card.name), (), options)
    assert born.step == steps.Surveying(Delegate(card))
    [asking] = lifecycle.next_actions(
        born, todo(card.name), question=QUESTION, outcomes=ToolOutcomes(), options=options
    )
    assert isinstance(asking, ToolRun)
    assert (asking.tool, asking.state, asking.given) == ("survey", "SCOUTING", SurveyInput(servers=("notes",)))
    assert lifecycle.advance(born, ToolOutcomes(), options) == born
    answered = ToolOutcomes(surveys={asking.key: McpToolSurvey(offers=offers, failures=failures)})
    return lifecycle.advance(born, answered, options)


LOOKUP = McpToolOffer(tool="notes.lookup", reads=True, description="Looks up.", takes={"type": "object"})
WRITE = McpToolOffer(tool="notes.write", reads=False, description="Writes.", takes={"type": "object"})


@pytest.mark.parametrize(
    ("tools", "told"),
    [
        (("search", "consult"), ('consult notes.lookup: Looks up. It takes {"type": "object"}',)),
        (("operate",), ('operate notes.write: Writes. It takes {"type": "object"}',)),
    ],
)
def test_an_agent_is_offered_what_its_file_declares(tools: tuple[str, ...], told: tuple[str, ...]) -> None:
    card = SCOUT.model_copy(update={"tools": tools})
    now = served(card, LOOKUP, WRITE, failures=("gone: no answer",))
    assert now.step == steps.Scouting(Delegate(card, offers=told))
    given = ask(now).given
    assert isinstance(given, DelegateToolInput)
    assert given.offers == told
    assert now.gaps == ("A server could not be used: gone: no answer",)


def test_servers_are_asked_for_their_tools_only_for_who_may_use_them() -> None:
    options = OPTIONS.model_copy(update={"servers": ("notes",)})
    assert isinstance(lifecycle.start(todo("scout"), (), options).step, steps.Scouting)
    consulting = SCOUT.model_copy(update={"tools": ("consult",)})
    without = OPTIONS.model_copy(update={"agents": (consulting,)})
    assert isinstance(lifecycle.start(todo("scout"), (), without).step, steps.Scouting)


def test_a_call_of_a_server_is_made_once_and_beside_the_searches_of_its_pass() -> None:
    given: dict[str, JsonValue] = {"tool": "notes.lookup", "arguments": {"word": "keeper"}}
    calls = (
        *choice("keeper").calls,
        ToolCall(ref="a", tool="consult", given=given),
        ToolCall(ref="b", tool="consult", given=given),
        ToolCall(ref="c", tool="operate", given=given),
    )
    chose = ToolsChosen(key="k", role="scout", calls=calls)
    now = choose(EMPTY, chose)
    runs = lifecycle.next_actions(now, todo("scout"), question=QUESTION, outcomes=ToolOutcomes(), options=OPTIONS)
    assert [run.tool for run in runs if isinstance(run, ToolRun)] == ["search", "consult", "operate"]
    brought = {run.key: PassageSearchOutcome(error="notes.lookup: dry") for run in runs}
    brought[runs[1].key] = PassageSearchOutcome(hits=(SEEN,))
    then = lifecycle.advance(now, ToolOutcomes(searches=brought), OPTIONS)
    assert (then.unread, refused_by(then)) == ((SEEN,), ("notes.lookup: dry",) * 2)
    assert then.executed == ("keeper", *['notes.lookup {"word":"keeper"}'] * 2)
    assert then.tools == ("search", "consult", "operate")
    assert choose(then, chose).step == steps.Delegating(SCOUT)


HARBOUR, TOWER, SECRET = "https://example.org/harbour", "https://example.org/tower", "https://example.org/secret"


def test_a_page_that_an_agent_chooses_is_read_when_it_was_named_found_or_linked_and_else_refused() -> None:
    options = OPTIONS.model_copy(update={"urls": (HARBOUR,)})
    harbour = source("Harbour"), source("Tower")
    links = (Link(url=TOWER, text="The keeper of the lighthouse"), Link(url=SECRET + "2", text="Imprint"))
    pages = {fetch_key(HARBOUR): FetchOutcome(source=harbour[0], links=links)}
    card = SCOUT.model_copy(update={"tools": ("fetch",)})
    scouting = replace(EMPTY, step=steps.Scouting(Delegate(card)), visited_pages=(HARBOUR,), task=TASK)
    [asked] = lifecycle.next_actions(
        scouting, todo("scout"), question=QUESTION, outcomes=ToolOutcomes(pages=pages), options=options
    )
    assert isinstance(asked, ToolPass)
    assert isinstance(asked.given, DelegateToolInput)
    assert asked.given.pages == (f"{TOWER} The keeper of the lighthouse",)
    calls = tuple(ToolCall(ref=url, tool="fetch", given={"url": url}) for url in (HARBOUR, TOWER, SECRET))
    now = choose(scouting, ToolsChosen(key="k", role="scout", calls=calls))
    assert requests_of(now).chosen == (TOWER, SECRET)
    now = lifecycle.advance(now, ToolOutcomes(pages=pages), options)
    assert isinstance(now.step, steps.Fetching)
    assert now.step.requests.pages == (TOWER,)
    pages |= {fetch_key(TOWER): FetchOutcome(source=harbour[1])}
    now = lifecycle.advance(now, ToolOutcomes(pages=pages), options)
    picks = lifecycle.next_actions(
        now, todo("scout"), question=QUESTION, outcomes=ToolOutcomes(pages=pages), options=options
    )
    [pick] = picks
    assert isinstance(pick, ToolRun)
    assert pick.given == PickInput(query=TASK, sources=(harbour[1].sha256,))
    now = lifecycle.advance(
        now, ToolOutcomes(pages=pages, searches={pick.key: PassageSearchOutcome(hits=(SEEN,))}), options
    )
    assert (now.unread, now.visited_pages) == ((SEEN,), (HARBOUR, TOWER))
    assert [refusal.split()[:2] for refusal in refused_by(now)] == [["fetch:", SECRET]]


def test_the_findings_of_an_agent_are_proven_and_then_recorded_without_reflection() -> None:
    quote = DraftQuote(source="p2", text="Anna Brandt")
    reading = Reading(findings=(DraftFinding(claim="Anna Brandt kept it.", quotes=(quote,)),))
    before = delegating(unread=(SEEN,), recalled=(KNOWN,))
    quoting = after(before, accepted(reading))
    assert isinstance(quoting.step, steps.Quoting)
    assert quoting.unread == ()
    assert quoting.step.drafts[0].quotes[0].source == KNOWN.quotes[0].source
    proof = Proof(findings=entry("t2", "Anna Brandt kept it.").findings, sources=(source("Anna Brandt kept it."),))
    responded = ToolResponded(
        key="k",
        tool="prove",
        result=proof,
        error=None,
        spend=quoting.spend,
        milliseconds=1,
    )
    recording = after(quoting, responded)
    assert recording.step == steps.Recording()
    fact = end(recording)
    assert isinstance(fact, TodoRecorded)
    assert [(one.id, one.claim) for one in fact.entry.findings] == [("t2/1", "Anna Brandt kept it.")]
    assert after(before, accepted(Reading())).step == steps.Recording()


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
def test_the_words_of_an_agent_are_what_its_todo_found(output: Contract, summary: str) -> None:
    recording = apply_output(delegating(recalled=(KNOWN,)), accepted(output))
    fact = end(recording)
    assert isinstance(fact, TodoRecorded)
    assert (fact.entry.findings_summary, fact.entry.findings) == (summary, ())


def test_an_agent_that_breaks_its_contract_for_good_fails_its_todo() -> None:
    rejected = ContractRejected(
        key="k", role="scout", contract="Reading", attempt=3, objections=("no JSON",), final=True
    )
    fact = end(after(delegating(unread=(SEEN,)), rejected))
    assert isinstance(fact, TodoFailed)
    assert fact.reason == "The scout gave no usable answer: no JSON"
