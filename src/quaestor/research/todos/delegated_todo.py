"""The steps of a todo that is delegated to an agent.

    SCOUTING -> SEARCHING (-> FETCHING) -> SCOUTING ... -> DELEGATING -> QUOTING -> RECORDING

Scouting is a tool pass with the agent's tools and no contract, delegating an output pass with its contract and no
tools. Before the first pass of an agent that may use servers these are asked for their tools, once a session. An agent
without tools begins by delegating, with the findings of the todos it builds on.
"""

import json
from collections.abc import Iterable, Iterator, Sequence

from quaestor.contracts.action import OutputPass, ToolPass
from quaestor.contracts.errors import WorkflowError
from quaestor.contracts.event import ContractAccepted, ToolCall, ToolsChosen
from quaestor.contracts.immutable import replace
from quaestor.contracts.mcp import ConsultInput, McpToolOffer, McpToolSurvey
from quaestor.contracts.roles import AgentCard, RoleInput
from quaestor.contracts.tools import SearchInput
from quaestor.contracts.web import FetchInput
from quaestor.evidence.ranking import take_within
from quaestor.research.contracts.delegate_verdicts import CitationInput, CitationVerdicts, FactInput, FactVerdict
from quaestor.research.contracts.optional_roles import DelegateSummaryInput, DelegateToolInput
from quaestor.research.contracts.plan import Todo
from quaestor.research.contracts.roles import Reading, ReadInput
from quaestor.research.contracts.writing import Section, SectionInput, Summary
from quaestor.research.options import ResearchOptions
from quaestor.research.todos import steps
from quaestor.research.todos.state import TodoState, resolve_labels, shown_passages
from quaestor.research.todos.tool_outcomes import search_key

MAX_TOOL_PASSES = 3
"""Tool passes a todo."""
OUTSIDE_ACCESS_CLOSED = "nothing is asked outside any more, because private text was shown; search the documents"
_SERVER_TOOLS = frozenset({"consult", "operate"})


def first_step(card: AgentCard, options: ResearchOptions) -> steps.Surveying | steps.Scouting:
    """Return the first step of an agent that has tools."""
    delegate = steps.Delegate(card)
    uses_servers = options.servers and not _SERVER_TOOLS.isdisjoint(card.tools)
    return steps.Surveying(delegate) if uses_servers else steps.Scouting(delegate)


def apply_survey(
    state: TodoState, delegate: steps.Delegate, survey: McpToolSurvey, options: ResearchOptions
) -> TodoState:
    """Go on with what the servers offer to this agent; a server that could not be used is a gap."""
    tools = delegate.card.tools
    offers = tuple(_describe_offer(offer) for offer in survey.offers if _offer_tool(offer) in tools)
    failures = (f"A server could not be used: {failure}" for failure in survey.failures)
    delegate = replace(delegate, offers=take_within(offers, options.prompt_characters, len))
    return replace(state, step=steps.Scouting(delegate), gaps=(*state.gaps, *failures))


def choose_tools(state: TodoState, step: steps.Scouting, todo: Todo, question: str, pages: tuple[str, ...]) -> ToolPass:
    """Return the tool pass in which the agent chooses its calls; `pages` are those that it may choose to fetch."""
    card, passes = step.delegate.card, step.delegate.passes
    given = DelegateToolInput(
        question=question,
        task=todo.task,
        executed=state.executed,
        hits=state.unread,
        findings=state.recalled,
        pages=pages,
        offers=step.delegate.offers,
        refused=step.refused,
        passes_left=MAX_TOOL_PASSES - passes - 1,
    )
    key = f"todo/{todo.id}/scout/{passes + 1}"
    return ToolPass(key=key, state="SCOUTING", todo_id=todo.id, role=card.name, given=given, tools=card.tools)


def request_contract(state: TodoState, card: AgentCard, todo: Todo, question: str) -> OutputPass:
    """Return the output pass in which the agent fulfils its contract."""
    given = _contract_input(state, card, todo, question)
    return OutputPass(key=f"todo/{todo.id}/delegate", state="DELEGATING", todo_id=todo.id, role=card.name, given=given)


def apply_tool_choice(state: TodoState, step: steps.Scouting, choice: ToolsChosen) -> TodoState:
    """Go on with the calls that the agent chose; without any, it has seen enough."""
    delegate = replace(step.delegate, passes=step.delegate.passes + 1)
    asked = (SearchInput.model_validate(call.given).query for call in choice.calls if call.tool == "search")
    done = {search_key(query) for query in state.executed}
    queries = tuple({search_key(query): query for query in asked if search_key(query) not in done}.values())
    outside = tuple(call for call in choice.calls if call.tool != "search")
    calls = outside if state.has_outside_access else ()
    closed = () if state.has_outside_access else (f"{call.tool}: {OUTSIDE_ACCESS_CLOSED}" for call in outside)
    pages = (FetchInput.model_validate(call.given).url for call in calls if call.tool == "fetch")
    refused = (*choice.refused, *dict.fromkeys(closed))
    requests = steps.SearchRequests(
        queries=queries,
        chosen=tuple(dict.fromkeys(url for url in pages if url not in state.visited_pages)),
        read_calls=tuple(_new_server_calls(state, calls, "consult")),
        write_calls=tuple(_new_server_calls(state, calls, "operate")),
        refused=refused,
        delegate=delegate,
    )
    if requests.queries or requests.chosen or requests.read_calls or requests.write_calls:
        return replace(state, step=steps.Searching(requests))
    if refused and delegate.passes < MAX_TOOL_PASSES:
        return replace(state, step=steps.Scouting(delegate, refused))
    return finish_tool_passes(state, delegate.card, refused)


def finish_tool_passes(state: TodoState, card: AgentCard, refused: Sequence[str]) -> TodoState:
    """Request the agent's contract, or end the todo where it has nothing to read.

    The todo has failed when that is because none of its calls could be made.
    """
    if state.unread or state.recalled:
        return replace(state, step=steps.Delegating(card))
    failure = f"no tool could be called: {refused[0]}" if refused and not state.executed else None
    return replace(state, step=steps.Recording(failure))


def apply_output(state: TodoState, accepted: ContractAccepted) -> TodoState:
    """Go on with what the agent answered: findings to be proven, or text that rests on what was proven before."""
    match accepted.output:
        case Reading() as reading:
            return _prove(state, reading)
        case FactVerdict() as verdict:
            proven = _prove(replace(state, summary=verdict.text), Reading(findings=verdict.evidence), verdict.text)
            return replace(proven, gaps=state.gaps if verdict.is_verified else (*state.gaps, verdict.text))
        case CitationVerdicts() as verdicts:
            statement = verdicts.text
        case Summary(text=text):
            statement = text
        case Section(sentences=sentences):
            statement = " ".join(sentence.text for sentence in sentences)
        case _:
            return state
    return replace(state, step=steps.Recording(statement=statement))


def _prove(state: TodoState, reading: Reading, statement: str = "") -> TodoState:
    """Go on by locating the quotes of findings; without any, record the statement."""
    drafts = resolve_labels(state, reading)
    if not drafts:
        return replace(state, step=steps.Recording(statement=statement), unread=())
    return replace(state, step=steps.Quoting(drafts, shown_passages(state), may_search=False), unread=())


def _new_server_calls(state: TodoState, calls: Iterable[ToolCall], tool: str) -> Iterator[ConsultInput]:
    """Return the calls of servers that this agent has not made before, each once."""
    made = set(state.executed)
    for given in (ConsultInput.model_validate(call.given) for call in calls if call.tool == tool):
        if given.call not in made:
            made.add(given.call)
            yield given


def _offer_tool(offer: McpToolOffer) -> str:
    return "consult" if offer.reads else "operate"


def _describe_offer(offer: McpToolOffer) -> str:
    takes = json.dumps(offer.takes, ensure_ascii=False)
    return f"{_offer_tool(offer)} {offer.tool}: {offer.description} It takes {takes}"


def _contract_input(state: TodoState, card: AgentCard, todo: Todo, question: str) -> RoleInput:
    match card.contract:
        case "Reading":
            return ReadInput(question=question, task=todo.task, hits=state.unread, findings=state.recalled)
        case "FactVerdict":
            return FactInput(question=question, task=todo.task, hits=state.unread, findings=state.recalled)
        case "CitationVerdicts":
            return CitationInput(question=question, task=todo.task, findings=state.recalled)
        case "Summary":
            return DelegateSummaryInput(question=question, task=todo.task, findings=state.recalled)
        case "Section":
            return SectionInput(question=question, todo_id=todo.id, task=todo.task, summary="", findings=state.recalled)
        case other:
            raise WorkflowError(f"the agent {card.name} fulfils {other}, which no delegated todo takes; choose another")
