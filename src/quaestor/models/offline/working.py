"""The worker without a model: it looks up what a task says in what can be searched, and says that it did no more."""

from quaestor.contracts.task import (
    Call,
    DraftPhase,
    Round,
    RoundGiven,
    SetItem,
    SetPhase,
    TaskPlanDraft,
    TaskPlanGiven,
    TaskPlanUpdates,
    Writeback,
)
from quaestor.models.offline.summarising import shortened

_SEARCHES = ("search_database", "search_web")
_LONGEST_GOAL = 2_000
_LONGEST_QUERY = 300
_LOOK = "Look up what the task says"
_WRITE = "Write down what was found"
_NO_WORK = (
    "The offline model can look things up for a task, but it cannot carry one out; name a model, or a script of steps."
)


def plan_task(given: TaskPlanGiven) -> TaskPlanDraft:
    """Plan one phase: to look up what the task says, where anything can be searched."""
    searches = any(tool in given.tools for tool in _SEARCHES)
    items = (_LOOK, _WRITE) if searches else (_WRITE,)
    return TaskPlanDraft(
        goal=shortened(given.task, _LONGEST_GOAL), phases=(DraftPhase(title="Look up", checklist=items),)
    )


def work(given: RoundGiven) -> Round:
    """Search once, then write down what came of it and end."""
    searches = [tool for tool in _SEARCHES if tool in given.tools]
    if searches and not given.last_result and not given.hints:
        query = shortened(given.task, _LONGEST_QUERY)
        said = f"I look up in {searches[0]} what the task says."
        return Round(assistant_answer=said, tool_call=Call(tool=searches[0], query=query), writeback=Writeback())
    answer = f"{_NO_WORK}\n\n{given.last_result}".strip()
    phase = given.current_phase
    ticked = tuple(SetItem(phase_id=phase, item_text=text, done=True) for text in _open(given))
    updates = TaskPlanUpdates(phase_status=(SetPhase(phase_id=phase, status="complete"),), checklist_set=ticked)
    found = (given.last_result,) if given.last_result else ()
    return Round(
        assistant_answer=answer,
        done=True,
        done_reason=_NO_WORK,
        writeback=Writeback(findings_append=found, task_plan_updates=updates),
    )


def _open(given: RoundGiven) -> tuple[str, ...]:
    return tuple(line.removeprefix("open: ") for line in given.checklist if line.startswith("open: "))
