"""The worker without a model: it searches for the words of a task, and its answer states that it did no more."""

from quaestor.contracts.plugin import AnswerRule, OfflineRules
from quaestor.evidence.tokenization import shorten
from quaestor.longtask.contracts import (
    ChecklistItemUpdate,
    DraftPhase,
    PhaseStatusUpdate,
    Round,
    RoundInput,
    TaskPlanDraft,
    TaskPlanInput,
    TaskPlanUpdates,
    TaskToolCall,
    Writeback,
)

_SEARCH_TOOLS = ("search_database", "search_web")
_MAX_GOAL_LENGTH = 2_000
_MAX_QUERY_LENGTH = 300
_LOOK_UP_ITEM = "Look up what the task says"
_WRITE_DOWN_ITEM = "Write down what was found"
_CANNOT_WORK_MESSAGE = (
    "The offline model can look things up for a task, but it cannot carry one out; name a model, or a script of steps."
)


def plan_task(given: TaskPlanInput) -> TaskPlanDraft:
    """Plan one phase: to search for the words of the task, where anything can be searched."""
    searches = any(tool in given.tools for tool in _SEARCH_TOOLS)
    items = (_LOOK_UP_ITEM, _WRITE_DOWN_ITEM) if searches else (_WRITE_DOWN_ITEM,)
    return TaskPlanDraft(
        goal=shorten(given.task, _MAX_GOAL_LENGTH), phases=(DraftPhase(title="Look up", checklist=items),)
    )


def next_round(given: RoundInput) -> Round:
    """Search once, then record the result and finish."""
    searches = [tool for tool in _SEARCH_TOOLS if tool in given.tools]
    if searches and not given.last_result and not given.hints:
        query = shorten(given.task, _MAX_QUERY_LENGTH)
        statement = f"I look up in {searches[0]} what the task says."
        return Round(
            assistant_answer=statement, tool_call=TaskToolCall(tool=searches[0], query=query), writeback=Writeback()
        )
    answer = f"{_CANNOT_WORK_MESSAGE}\n\n{given.last_result}".strip()
    phase = given.current_phase
    ticked = tuple(ChecklistItemUpdate(phase_id=phase, item_text=text, done=True) for text in _open_items(given))
    updates = TaskPlanUpdates(
        phase_status=(PhaseStatusUpdate(phase_id=phase, status="complete"),), checklist_set=ticked
    )
    found = (given.last_result,) if given.last_result else ()
    return Round(
        assistant_answer=answer,
        done=True,
        done_reason=_CANNOT_WORK_MESSAGE,
        writeback=Writeback(findings_append=found, task_plan_updates=updates),
    )


def _open_items(given: RoundInput) -> tuple[str, ...]:
    return tuple(line.removeprefix("open: ") for line in given.checklist if line.startswith("open: "))


def offline_rules() -> OfflineRules:
    """Return the rules of the task planner and the worker."""
    return (AnswerRule(TaskPlanInput, plan_task), AnswerRule(RoundInput, next_round))
