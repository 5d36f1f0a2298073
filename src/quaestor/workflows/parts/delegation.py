"""The life of a todo that is delegated to an agent.

    SCOUTING -> SEARCHING -> SCOUTING ... -> DELEGATING -> QUOTING -> RECORDING

Scouting is a tool pass with the agent's tools and no contract, delegating an output pass with its contract and no
tools. An agent without tools begins by delegating, with the findings of the todos it builds on.
"""

from quaestor.contracts.action import OutputPass, ToolPass
from quaestor.contracts.agent import AgentCard
from quaestor.contracts.delegation import DigestGiven, ScoutGiven
from quaestor.contracts.event import ContractAccepted, ToolsChosen
from quaestor.contracts.plan import Todo
from quaestor.contracts.roles import Given, ReadGiven, Reading, Section, SectionGiven, Summary
from quaestor.contracts.tools import SearchGiven
from quaestor.workflows.parts.life import Life, drafted

MOST_PASSES = 3
"""Tool passes a todo."""


def wanted(life: Life, card: AgentCard, todo: Todo, question: str) -> OutputPass | ToolPass:
    """Ask the agent for the tools it wants to use, or for its contract."""
    if life.step == "scouting":
        shown = ScoutGiven(
            question=question,
            task=todo.task,
            executed=life.executed,
            hits=life.unread,
            findings=life.recalled,
            refused=life.refused,
            passes_left=MOST_PASSES - life.passes - 1,
        )
        key = f"todo/{todo.id}/scout/{life.passes + 1}"
        return ToolPass(key=key, state="SCOUTING", todo_id=todo.id, role=card.name, given=shown, tools=card.tools)
    given = _given(life, card, todo, question)
    return OutputPass(key=f"todo/{todo.id}/delegate", state="DELEGATING", todo_id=todo.id, role=card.name, given=given)


def chosen(life: Life, choice: ToolsChosen) -> Life:
    """Go on with the searches that the agent chose; when it chose none, it has seen enough."""
    asked = (SearchGiven.model_validate(call.given).query for call in choice.calls if call.tool == "search")
    queries = tuple(dict.fromkeys(query for query in asked if query not in life.executed))
    life = life.after(passes=life.passes + 1, queries=queries, refused=choice.refused)
    if queries:
        return life.after(step="searching")
    again = bool(choice.refused) and life.passes < MOST_PASSES
    return life.after(step="scouting") if again else enough(life)


def enough(life: Life) -> Life:
    """Give the life of a delegate that uses no more tools; without anything to think about it has nothing to say."""
    return life.after(step="delegating" if life.unread or life.recalled else "recording")


def answered(life: Life, accepted: ContractAccepted) -> Life:
    """Go on with what the agent gave: findings to be proven, or words that rest on what was proven before."""
    match accepted.contract:
        case "Reading":
            drafts = drafted(life, Reading.model_validate(accepted.output))
            return life.after(step="quoting" if drafts else "recording", drafts=drafts, unread=())
        case "Summary":
            return life.after(step="recording", summary=Summary.model_validate(accepted.output).text)
        case "Section":
            sentences = Section.model_validate(accepted.output).sentences
            return life.after(step="recording", summary=" ".join(sentence.text for sentence in sentences))
        case _:
            return life


def _given(life: Life, card: AgentCard, todo: Todo, question: str) -> Given:
    match card.contract:
        case "Reading":
            return ReadGiven(question=question, task=todo.task, hits=life.unread, findings=life.recalled)
        case "Summary":
            return DigestGiven(question=question, task=todo.task, findings=life.recalled)
        case "Section":
            return SectionGiven(question=question, todo_id=todo.id, task=todo.task, summary="", findings=life.recalled)
