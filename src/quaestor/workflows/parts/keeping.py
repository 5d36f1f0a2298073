"""How a task is kept in files: what they should hold, and what becomes of a person's edit."""

from hashlib import sha256

from quaestor.contracts.task import EditRefused, PlanAdopted
from quaestor.contracts.workspace import FINDINGS_FILE, PROGRESS_FILE, Appended, DumpGiven
from quaestor.views.workspace import findings_text, plan_text, progress_text, state_text
from quaestor.workflows.parts import taskplan
from quaestor.workflows.parts.rounds_state import Rounds


def dump(rounds: Rounds) -> DumpGiven | None:
    """Give what the files should hold; None before there is a plan.

    Of a log that is as it was left, only what is new is given: the log of events does not repeat it all every round.
    """
    plan = rounds.whole_plan
    if plan is None:
        return None
    written = rounds.written
    findings = 0 if FINDINGS_FILE in written.damaged else written.findings
    progress = 0 if PROGRESS_FILE in written.damaged else written.progress
    return DumpGiven(
        folder=rounds.todo_id or "",
        plan=plan_text(plan),
        plan_before=written.plan_sha256,
        findings=_appended(
            findings_text(rounds.findings), findings_text(rounds.findings[:findings]) if findings else ""
        ),
        progress=_appended(
            progress_text(rounds.progress), progress_text(rounds.progress[:progress]) if progress else ""
        ),
        state=state_text(
            last_result=rounds.last_result,
            actions=rounds.actions,
            message=rounds.task,
            plan_created=True,
            task_key=rounds.task_key,
            round_number=rounds.round,
        ),
    )


def compared(rounds: Rounds) -> PlanAdopted | EditRefused | None:
    """Say what becomes of a person's edit of task_plan.md, if there is one."""
    if rounds.plan is None or rounds.edited is None:
        return None
    plan = taskplan.edited(rounds.plan, rounds.edited)
    return EditRefused(reason=plan) if isinstance(plan, str) else PlanAdopted(plan=plan)


def _appended(whole: str, before: str) -> Appended:
    """Give what a log grows by; `before` is how it begins."""
    known = before.encode()
    return Appended(start=len(known), before=sha256(known).hexdigest(), text=whole[len(before) :])
