"""The life of a todo that is delegated to an agent.

    SCOUTING -> SEARCHING (-> FETCHING) -> SCOUTING ... -> DELEGATING -> QUOTING -> RECORDING

Scouting is a tool pass with the agent's tools and no contract, delegating an output pass with its contract and no
tools. Before the first pass of an agent that may use servers these are asked for their tools, once a session. An agent
without tools begins by delegating, with the findings of the todos it builds on.
"""

import json
from collections.abc import Iterable, Iterator

from quaestor.contracts.action import OutputPass, ToolPass
from quaestor.contracts.agent import AgentCard
from quaestor.contracts.event import ContractAccepted, ToolCall, ToolsChosen
from quaestor.contracts.mcp import ConsultInput, McpToolOffer, McpToolSurvey
from quaestor.contracts.roles import RoleInput
from quaestor.contracts.tools import SearchInput
from quaestor.contracts.web import FetchInput
from quaestor.evidence.ranking import take_within
from quaestor.research.contracts.optional_roles import DelegateSummaryInput, DelegateToolInput
from quaestor.research.contracts.plan import Todo
from quaestor.research.contracts.roles import Reading, ReadInput, Section, SectionInput, Summary
from quaestor.research.options import ResearchOptions
from quaestor.research.todo_state import TodoState, TodoStep, resolve_labels
from quaestor.research.tool_outcomes import search_key

MAX_TOOL_PASSES = 3
"""Tool passes a todo."""
OUTSIDE_ACCESS_CLOSED = "nothing is asked outside any more, because private text was shown; search the documents"
_SERVER_TOOLS = frozenset({"consult", "operate"})


def first_step(card: AgentCard, options: ResearchOptions) -> TodoStep:
    """Give the first step of an agent that has tools."""
    return "surveying" if options.servers and not _SERVER_TOOLS.isdisjoint(card.tools) else "scouting"


def apply_survey(life: TodoState, survey: McpToolSurvey, options: ResearchOptions) -> TodoState:
    """Go on with what the servers offer to this agent; what cannot be used is a gap."""
    offers = tuple(
        _describe_offer(offer) for offer in survey.offers if life.card and _offer_tool(offer) in life.card.tools
    )
    return life.after(
        step="scouting",
        offers=take_within(offers, options.prompt_characters, len),
        gaps=(*life.gaps, *(f"A server could not be used: {failure}" for failure in survey.failures)),
    )


def next_action(
    life: TodoState, card: AgentCard, todo: Todo, question: str, pages: tuple[str, ...] = ()
) -> OutputPass | ToolPass:
    """Ask the agent for the tools it wants to use, or for its contract; `pages` are those it may choose to fetch."""
    if life.step == "scouting":
        shown = DelegateToolInput(
            question=question,
            task=todo.task,
            executed=life.executed,
            hits=life.unread,
            findings=life.recalled,
            pages=pages,
            offers=life.offers,
            refused=life.refused,
            passes_left=MAX_TOOL_PASSES - life.passes - 1,
        )
        key = f"todo/{todo.id}/scout/{life.passes + 1}"
        return ToolPass(key=key, state="SCOUTING", todo_id=todo.id, role=card.name, given=shown, tools=card.tools)
    given = _build_input(life, card, todo, question)
    return OutputPass(key=f"todo/{todo.id}/delegate", state="DELEGATING", todo_id=todo.id, role=card.name, given=given)


def apply_tool_choice(life: TodoState, choice: ToolsChosen) -> TodoState:
    """Go on with the calls that the agent chose; when it chose none, it has seen enough."""
    asked = (SearchInput.model_validate(call.given).query for call in choice.calls if call.tool == "search")
    done = {search_key(query) for query in life.executed}
    queries = tuple({search_key(query): query for query in asked if search_key(query) not in done}.values())
    held = (
        ()
        if life.outward
        else tuple(f"{call.tool}: {OUTSIDE_ACCESS_CLOSED}" for call in choice.calls if call.tool != "search")
    )
    going = choice.calls if life.outward else ()
    pages = (FetchInput.model_validate(call.given).url for call in going if call.tool == "fetch")
    life = life.after(
        passes=life.passes + 1,
        queries=queries,
        chosen=tuple(dict.fromkeys(url for url in pages if url not in life.visited_pages)),
        read_calls=tuple(_new_server_calls(life, going, "consult")),
        write_calls=tuple(_new_server_calls(life, going, "operate")),
        refused=(*choice.refused, *dict.fromkeys(held)),
    )
    if queries or life.chosen or life.read_calls or life.write_calls:
        return life.after(step="searching")
    again = bool(life.refused) and life.passes < MAX_TOOL_PASSES
    return life.after(step="scouting") if again else finish_tool_passes(life)


def finish_tool_passes(life: TodoState) -> TodoState:
    """Give the life of a delegate that uses no more tools; without anything to think about it has nothing to say.

    It failed when that is so because its calls could not be made.
    """
    if life.unread or life.recalled:
        return life.after(step="delegating")
    failure = f"no tool could be called: {life.refused[0]}" if life.refused and not life.executed else None
    return life.after(step="recording", failure=failure)


def apply_output(life: TodoState, accepted: ContractAccepted) -> TodoState:
    """Go on with what the agent gave: findings to be proven, or words that rest on what was proven before."""
    match accepted.output:
        case Reading() as reading:
            drafts = resolve_labels(life, reading)
            return life.after(step="quoting" if drafts else "recording", drafts=drafts, unread=())
        case Summary(text=text):
            return life.after(step="recording", summary=text)
        case Section(sentences=sentences):
            return life.after(step="recording", summary=" ".join(sentence.text for sentence in sentences))
        case _:
            return life


def _new_server_calls(life: TodoState, calls: Iterable[ToolCall], tool: str) -> Iterator[ConsultInput]:
    """Give the calls of servers that this agent has not made before, each once."""
    made = set(life.executed)
    for given in (ConsultInput.model_validate(call.given) for call in calls if call.tool == tool):
        if given.call not in made:
            made.add(given.call)
            yield given


def _offer_tool(offer: McpToolOffer) -> str:
    return "consult" if offer.reads else "operate"


def _describe_offer(offer: McpToolOffer) -> str:
    takes = json.dumps(offer.takes, ensure_ascii=False)
    return f"{_offer_tool(offer)} {offer.tool}: {offer.description} It takes {takes}"


def _build_input(life: TodoState, card: AgentCard, todo: Todo, question: str) -> RoleInput:
    match card.contract:
        case "Reading":
            return ReadInput(question=question, task=todo.task, hits=life.unread, findings=life.recalled)
        case "Summary":
            return DelegateSummaryInput(question=question, task=todo.task, findings=life.recalled)
        case "Section":
            return SectionInput(question=question, todo_id=todo.id, task=todo.task, summary="", findings=life.recalled)
