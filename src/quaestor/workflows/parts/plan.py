from quaestor.contracts.event import (
    Event,
    PlanCreated,
    PlanEdited,
    PlanUpdated,
    TodoBlocked,
    TodoFailed,
    TodoRecorded,
    TodoRetried,
    TodoStarted,
)
from quaestor.contracts.plan import Plan, TodoStatus
from quaestor.plan.dag import replaced
from quaestor.plan.growth import insert, retry


def apply(plan: Plan, event: Event) -> Plan:
    """Give the plan after one more event."""
    match event.payload:
        case PlanCreated(plan=created):
            return created
        case TodoStarted(todo_id=todo_id):
            return replaced(plan, todo_id, status=TodoStatus.IN_PROGRESS)
        case TodoRecorded(entry=entry) as recorded:
            return replaced(
                plan,
                entry.todo_id,
                status=TodoStatus.DONE,
                result=entry.findings_summary,
                gaps=entry.gaps,
                loop_count=recorded.loop_count,
                tools_used=recorded.tools_used,
            )
        case TodoFailed() as failed:
            return replaced(
                plan, failed.todo_id, status=TodoStatus.FAILED, result=failed.reason, loop_count=failed.loop_count
            )
        case TodoBlocked() as stuck:
            reason = f"waits for {', '.join(stuck.waits_for)}, which failed"
            return replaced(plan, stuck.todo_id, status=TodoStatus.BLOCKED, result=reason)
        case PlanUpdated(update=update, added=added):
            grown = insert(plan, update.completed_todo_id, added)
            if update.status == "failed":
                return replaced(grown, update.completed_todo_id, status=TodoStatus.FAILED)
            return grown
        case PlanEdited(plan=edited):
            return edited
        case TodoRetried(todo=todo):
            return retry(plan, todo)
        case _:
            return plan
