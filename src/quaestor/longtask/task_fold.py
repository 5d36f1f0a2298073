"""How the life of a task goes on with every event of its own."""

import re
from typing import Literal

from quaestor.contracts.event import (
    Answered,
    BudgetReached,
    Cancelled,
    ContractAccepted,
    ContractRejected,
    Event,
    FactRecorded,
    FinishRequested,
    QuestionAsked,
    Resumed,
    ToolInterrupted,
    ToolResponded,
)
from quaestor.contracts.workspace import DumpResult
from quaestor.longtask import task_plan, workspace_sync
from quaestor.longtask.contracts import Acted, EditRefused, Judged, PlanAdopted, Round, TaskOptions, TaskPlanDraft
from quaestor.longtask.outcome_summary import MAX_EQUAL_ERRORS
from quaestor.longtask.reply_evaluation import truncate_lines
from quaestor.longtask.state import CallFailure, SyncStatus, TaskEnding, TaskState, append_findings, append_progress
from quaestor.longtask.tool_calls import SIDE_EFFECT_TOOLS
from quaestor.longtask.workspace_files import DEFAULT_HEADING, HEADINGS

_YES_WORDS = frozenset({"yes", "y", "ok", "approve", "/approve"})
_NO_WORDS = frozenset({"no", "n", "deny", "decline", "/deny"})
UNCLEAR_APPROVAL = "a call waits for approval; answer yes or no, and why if you like"


def start(task: str, task_key: str, options: TaskOptions, prefix: str = "", todo_id: str | None = None) -> TaskState:
    """Give the life of a task before its first event; all its keys will begin with `prefix`."""
    return TaskState(task=task, task_key=task_key, options=options, prefix=prefix, todo_id=todo_id)


def parse_approval(text: str) -> bool | None:
    """Say what a person's answer to a question for approval means; None when that is not clear."""
    words = re.findall(r"[\w/]+", text.casefold())
    if not words or words[0] not in _YES_WORDS | _NO_WORDS:
        return None
    return words[0] in _YES_WORDS


def fold(rounds: TaskState, event: Event) -> TaskState:  # noqa: C901 -- one arm an event
    """Give the life after one more event; those of others leave it as it is."""
    match event.payload:
        case Resumed():
            return _resume(rounds)
        case FinishRequested():
            return stop_early(rounds, "partial", "a person asked to finish")
        case Cancelled():
            return stop_early(rounds, "cancelled", "a person cancelled it")
        case BudgetReached(limit=limit):
            return stop_early(rounds, "partial", f"the budget is reached ({limit})")
        case ContractAccepted(key=key) as accepted if key == f"{rounds.prefix}plan" and rounds.step == "planning":
            return _apply_plan_draft(rounds, TaskPlanDraft.model_validate(accepted.output), event)
        case ContractAccepted(key=key) as accepted if key == rounds.key and rounds.step == "working":
            reply = Round.model_validate(accepted.output)
            return _with(rounds, step="judging", reply=reply, repaired=accepted.repaired)
        case ContractRejected(key=key, objections=objections, final=True) if key in {
            f"{rounds.prefix}plan",
            rounds.key,
        }:
            return _with(rounds, broken=objections)
        case FactRecorded(key=key) as fact if key.startswith(rounds.prefix):
            return _apply_fact(rounds, fact, event)
        case QuestionAsked(ref=ref) as asked if ref.startswith(f"{rounds.key}/"):
            return _with(rounds, asked=asked)
        case Answered(ref=ref, text=text) if rounds.asked and ref == rounds.asked.ref:
            return _apply_answer(rounds, text, event)
        case ToolResponded(key=key) | ToolInterrupted(key=key) as outcome if key == f"{rounds.key}/tool":
            acting = rounds.step == "acting"
            return (
                _with(workspace_sync.record_call(rounds, outcome), step="weighing", outcome=outcome)
                if acting
                else rounds
            )
        case ToolResponded(key=key) as outcome if key == f"{rounds.prefix}dump/{rounds.dumps + 1}":
            return _apply_dump(_with(rounds, dumps=rounds.dumps + 1), outcome, event)
        case _:
            return rounds


def stop_early(rounds: TaskState, outcome: Literal["partial", "cancelled"], why: str) -> TaskState:
    """End the life from outside, once its files are written; what it was about to do is not done."""
    if rounds.ending:
        return rounds
    told = f"Ended early, because {why}."
    ending = TaskEnding(outcome=outcome, statement=f"{rounds.answer}\n\n{told}".strip())
    busy = rounds.step in {"dumping", "comparing"}
    step = rounds.step if busy else "dumping" if rounds.plan else "ended"
    return _with(rounds, ending=ending, step=step, asked=None, broken=(), reply=None, outcome=None, repeated_error=None)


def _apply_plan_draft(rounds: TaskState, draft: TaskPlanDraft, event: Event) -> TaskState:
    plan = task_plan.plan_from_draft(draft, event.at, rounds.task_key)
    found = (f"{DEFAULT_HEADING}: {truncate_lines(claim)}" for claim in rounds.known)
    rounds = append_findings(rounds, event, findings=(f"{HEADINGS[0]}: {rounds.task}", *found))
    rounds = append_progress(rounds, event, "action", f"planned: {len(plan.phases)} phases")
    return _with(rounds, step="dumping", plan=plan)


def _apply_fact(rounds: TaskState, fact: FactRecorded, event: Event) -> TaskState:
    match fact.contract, rounds.step:
        case "Judged", "judging":
            return _apply_evaluation(rounds, Judged.model_validate(fact.value), event)
        case "Acted", "weighing":
            return _apply_outcome(rounds, Acted.model_validate(fact.value), event)
        case "PlanAdopted", "comparing":
            return _adopt_plan_edit(rounds, PlanAdopted.model_validate(fact.value), event)
        case "EditRefused", "comparing":
            return _reject_plan_edit(rounds, EditRefused.model_validate(fact.value), event)
        case _:
            return rounds


def _apply_evaluation(rounds: TaskState, judged: Judged, event: Event) -> TaskState:
    """Apply what a reply leads to: plan first, then what it writes down, then its call."""
    if judged.plan and rounds.plan:
        done = task_plan.newly_completed(rounds.plan, judged.plan)
        resolution = f"round {judged.round}: its phase was completed"
        failures = (_resolve(one, resolution) if one.phase_id in done else one for one in rounds.failures)
        rounds = _with(rounds, plan=judged.plan, failures=tuple(failures))
    rounds = append_findings(rounds, event, findings=judged.findings)
    for text in judged.progress:
        rounds = append_progress(rounds, event, "note", text)
    faults = (*judged.faults, *((f"not run: {judged.refusal}",) if judged.refusal else ()))
    for fault in faults:
        rounds = append_progress(rounds, event, "error", fault)
    rounds = _with(
        rounds,
        reply=None,
        answer=judged.answer,
        hints=faults,
        actions=0 if judged.findings else rounds.actions,
        call=judged.call,
        approval=judged.approval,
    )
    if judged.done:
        ending = TaskEnding(outcome="done", statement=judged.answer or judged.done)
        return _close_round(_with(append_progress(rounds, event, "action", f"done: {judged.done}"), ending=ending))
    if judged.call:
        return _with(rounds, step="asking" if judged.approval else "acting")
    return _close_round(rounds)


def _apply_outcome(rounds: TaskState, acted: Acted, event: Event) -> TaskState:
    """Apply what came of a call: its summary, the errors it makes or resolves, and the 2-action rule."""
    rounds = append_progress(rounds, event, "error" if acted.error or not acted.ran else "action", acted.did)
    rounds = _with(
        rounds,
        outcome=None,
        decline_reason=None,
        call=None,
        approval=None,
        last_result=acted.summary,
        failed=acted.error is not None or not acted.ran,
        untrusted=rounds.untrusted or acted.untrusted,
        artifacts={**rounds.artifacts, **{artifact.path: artifact for artifact in acted.artifacts}},
    )
    if not acted.ran:
        return _close_round(rounds)
    rounds = _with(rounds, actions=0 if acted.finding else rounds.actions + 1)
    rounds = append_findings(rounds, event, findings=(acted.finding,) if acted.finding else ())
    rounds = _record_failure(rounds, acted) if acted.error else _resolve_failures(rounds, acted)
    struck = acted.strike is not None and rounds.error_counts.get(acted.strike, 0) >= MAX_EQUAL_ERRORS
    return _escalate_repeated_error(_close_round(rounds), acted, event) if struck else _close_round(rounds)


def _record_failure(rounds: TaskState, acted: Acted) -> TaskState:
    phase = rounds.plan.current_phase if rounds.plan else ""
    failure = CallFailure(error=acted.error or "", signature=acted.signature, phase_id=phase)
    strike = acted.strike or ""
    return _with(
        rounds,
        failures=(*rounds.failures, failure),
        standing={**rounds.standing, acted.signature: acted.round},
        error_counts={**rounds.error_counts, strike: rounds.error_counts.get(strike, 0) + 1},
    )


def _resolve_failures(rounds: TaskState, acted: Acted) -> TaskState:
    """Resolve the errors of the same call; after a call that may have changed something, others may be tried again."""
    resolution = f"round {acted.round}: the same call succeeded"
    failures = (_resolve(one, resolution) if one.signature == acted.signature else one for one in rounds.failures)
    standing = {} if acted.tool in SIDE_EFFECT_TOOLS else rounds.standing
    return _with(rounds, failures=tuple(failures), standing=standing)


def _escalate_repeated_error(rounds: TaskState, acted: Acted, event: Event) -> TaskState:
    """Ask a person about an error that came three times; where nobody can be asked, tell the model."""
    strikes = {error: count for error, count in rounds.error_counts.items() if error != acted.strike}
    told = f"the same error came {MAX_EQUAL_ERRORS} times: {acted.error}"
    rounds = _with(append_progress(rounds, event, "error", told), error_counts=strikes)
    if rounds.ending:
        return rounds
    if rounds.options.questions:
        return _with(rounds, step="escalating", repeated_error=told)
    return _with(rounds, hints=(*rounds.hints, f"{told}; nobody can be asked, so go another way"))


def _apply_answer(rounds: TaskState, text: str, event: Event) -> TaskState:
    rounds = _with(append_progress(rounds, event, "note", f"a person said: {text}"), asked=None)
    match rounds.step:
        case "asking" if parse_approval(text):
            return _with(rounds, step="acting")
        case "asking":
            return _with(rounds, step="weighing", decline_reason=text)
        case "escalating":
            return _with(rounds, step="dumping", repeated_error=None, hints=(*rounds.hints, f"a person said: {text}"))
        case _:
            return rounds


def _apply_dump(rounds: TaskState, outcome: ToolResponded, event: Event) -> TaskState:
    """Go on once the files are written; what cannot be written is told once, for the log has it all."""
    if outcome.error is not None:
        told = f"the files of the workspace could not be written: {outcome.error}"
        known = rounds.written.fault is not None
        rounds = rounds if known else append_progress(rounds, event, "error", told)
        return _start_next_round(_with(rounds, written=rounds.written.model_copy(update={"fault": outcome.error})))
    dumped = DumpResult.model_validate(outcome.result)
    written = SyncStatus(
        plan_sha256=dumped.plan_sha256,
        findings=len(rounds.findings),
        progress=len(rounds.progress),
        damaged=frozenset(dumped.damaged),
    )
    rounds = _with(workspace_sync.record_dump(rounds, dumped), written=written, edited=dumped.edited)
    if dumped.edited is not None:
        return _with(rounds, step="comparing")
    if dumped.damaged:
        return rounds
    return _start_next_round(rounds)


def _adopt_plan_edit(rounds: TaskState, adopted: PlanAdopted, event: Event) -> TaskState:
    said = {error.error: error.resolution for error in adopted.plan.errors if error.resolution}
    failures = tuple(_resolve(one, said[one.error]) if one.error in said else one for one in rounds.failures)
    rounds = append_progress(rounds, event, "note", "a person edited the plan in task_plan.md")
    hints = (*rounds.hints, "a person edited the plan; work by it as it is now")
    plan = adopted.plan.model_copy(update={"errors": ()})
    return _with(rounds, step="dumping", plan=plan, failures=failures, edited=None, hints=hints)


def _reject_plan_edit(rounds: TaskState, refused: EditRefused, event: Event) -> TaskState:
    told = f"a person's edit of task_plan.md cannot be used, so the file is restored: {refused.reason}"
    return _with(
        append_progress(rounds, event, "error", told), step="dumping", edited=None, hints=(*rounds.hints, told)
    )


def _resume(rounds: TaskState) -> TaskState:
    """Try again what was given up; before a round is begun, its files are put in order."""
    again = rounds.step == "working"
    return _with(
        rounds,
        broken=(),
        step="dumping" if again else rounds.step,
        next_round=rounds.round if again else rounds.next_round,
    )


def _close_round(rounds: TaskState) -> TaskState:
    """Close this round; after the last one that is allowed the task ends with what it has."""
    rounds = _with(rounds, step="dumping", next_round=rounds.round + 1)
    if rounds.round < rounds.options.rounds:
        return rounds
    return stop_early(rounds, "partial", f"its {rounds.options.rounds} rounds are used up")


def _start_next_round(rounds: TaskState) -> TaskState:
    if rounds.ending:
        return _with(rounds, step="ended")
    return _with(rounds, step="working", round=rounds.next_round)


def _resolve(failure: CallFailure, resolution: str) -> CallFailure:
    return failure if failure.resolution else failure.model_copy(update={"resolution": resolution})


def _with(rounds: TaskState, **changes: object) -> TaskState:
    return rounds.model_copy(update=changes)
