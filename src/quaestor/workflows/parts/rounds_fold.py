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
from quaestor.contracts.task import (
    Acted,
    EditRefused,
    Judged,
    PlanAdopted,
    Round,
    TaskOptions,
    TaskPlanDraft,
)
from quaestor.contracts.workspace import Dumped
from quaestor.views.workspace import DEFAULT_HEADING, HEADINGS
from quaestor.workflows.parts import presence, taskplan
from quaestor.workflows.parts.calls import WITH_EFFECTS
from quaestor.workflows.parts.judging import short
from quaestor.workflows.parts.logs import logged, noted
from quaestor.workflows.parts.rounds_state import Ending, Failure, Rounds, Written
from quaestor.workflows.parts.weighing import STRIKES

_YES = frozenset({"yes", "y", "ok", "approve", "/approve"})
_NO = frozenset({"no", "n", "deny", "decline", "/deny"})
UNCLEAR = "a call waits for approval; answer yes or no, and why if you like"


def born(task: str, task_key: str, options: TaskOptions, prefix: str = "", todo_id: str | None = None) -> Rounds:
    """Give the life of a task before its first event; all its keys will begin with `prefix`."""
    return Rounds(task=task, task_key=task_key, options=options, prefix=prefix, todo_id=todo_id)


def approved(text: str) -> bool | None:
    """Say what a person's answer to a question for approval means; None when that is not clear."""
    words = re.findall(r"[\w/]+", text.casefold())
    if not words or words[0] not in _YES | _NO:
        return None
    return words[0] in _YES


def apply(rounds: Rounds, event: Event) -> Rounds:  # noqa: C901 -- one arm an event
    """Give the life after one more event; those of others leave it as it is."""
    match event.payload:
        case Resumed():
            return _resumed(rounds)
        case FinishRequested():
            return ended(rounds, "partial", "a person asked to finish")
        case Cancelled():
            return ended(rounds, "cancelled", "a person cancelled it")
        case BudgetReached(limit=limit):
            return ended(rounds, "partial", f"the budget is reached ({limit})")
        case ContractAccepted(key=key) as accepted if key == f"{rounds.prefix}plan" and rounds.step == "planning":
            return _planned(rounds, TaskPlanDraft.model_validate(accepted.output), event)
        case ContractAccepted(key=key) as accepted if key == rounds.key and rounds.step == "working":
            reply = Round.model_validate(accepted.output)
            return _with(rounds, step="judging", reply=reply, repaired=accepted.repaired)
        case ContractRejected(key=key, objections=objections, final=True) if key in {
            f"{rounds.prefix}plan",
            rounds.key,
        }:
            return _with(rounds, broken=objections)
        case FactRecorded(key=key) as fact if key.startswith(rounds.prefix):
            return _concluded(rounds, fact, event)
        case QuestionAsked(ref=ref) as asked if ref.startswith(f"{rounds.key}/"):
            return _with(rounds, asked=asked)
        case Answered(ref=ref, text=text) if rounds.asked and ref == rounds.asked.ref:
            return _answered(rounds, text, event)
        case ToolResponded(key=key) | ToolInterrupted(key=key) as outcome if key == f"{rounds.key}/tool":
            acting = rounds.step == "acting"
            return _with(presence.after_call(rounds, outcome), step="weighing", outcome=outcome) if acting else rounds
        case ToolResponded(key=key) as outcome if key == f"{rounds.prefix}dump/{rounds.dumps + 1}":
            return _dumped(_with(rounds, dumps=rounds.dumps + 1), outcome, event)
        case _:
            return rounds


def ended(rounds: Rounds, outcome: Literal["partial", "cancelled"], why: str) -> Rounds:
    """End the life from outside, once its files are written; what it was about to do is not done."""
    if rounds.ending:
        return rounds
    told = f"Ended early, because {why}."
    ending = Ending(outcome=outcome, statement=f"{rounds.answer}\n\n{told}".strip())
    busy = rounds.step in {"dumping", "comparing"}
    step = rounds.step if busy else "dumping" if rounds.plan else "ended"
    return _with(rounds, ending=ending, step=step, asked=None, broken=(), reply=None, outcome=None, struck=None)


def _planned(rounds: Rounds, draft: TaskPlanDraft, event: Event) -> Rounds:
    plan = taskplan.planned(draft, event.at, rounds.task_key)
    found = (f"{DEFAULT_HEADING}: {short(claim)}" for claim in rounds.known)
    rounds = noted(rounds, event, findings=(f"{HEADINGS[0]}: {rounds.task}", *found))
    rounds = logged(rounds, event, "action", f"planned: {len(plan.phases)} phases")
    return _with(rounds, step="dumping", plan=plan)


def _concluded(rounds: Rounds, fact: FactRecorded, event: Event) -> Rounds:
    match fact.contract, rounds.step:
        case "Judged", "judging":
            return _judged(rounds, Judged.model_validate(fact.value), event)
        case "Acted", "weighing":
            return _acted(rounds, Acted.model_validate(fact.value), event)
        case "PlanAdopted", "comparing":
            return _adopted(rounds, PlanAdopted.model_validate(fact.value), event)
        case "EditRefused", "comparing":
            return _restored(rounds, EditRefused.model_validate(fact.value), event)
        case _:
            return rounds


def _judged(rounds: Rounds, judged: Judged, event: Event) -> Rounds:
    """Apply what a reply leads to: plan first, then what it writes down, then its call."""
    if judged.plan and rounds.plan:
        done = taskplan.completed(rounds.plan, judged.plan)
        resolution = f"round {judged.round}: its phase was completed"
        failures = (_resolved(one, resolution) if one.phase_id in done else one for one in rounds.failures)
        rounds = _with(rounds, plan=judged.plan, failures=tuple(failures))
    rounds = noted(rounds, event, findings=judged.findings)
    for text in judged.progress:
        rounds = logged(rounds, event, "note", text)
    faults = (*judged.faults, *((f"not run: {judged.refusal}",) if judged.refusal else ()))
    for fault in faults:
        rounds = logged(rounds, event, "error", fault)
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
        ending = Ending(outcome="done", statement=judged.answer or judged.done)
        return _closed(_with(logged(rounds, event, "action", f"done: {judged.done}"), ending=ending))
    if judged.call:
        return _with(rounds, step="asking" if judged.approval else "acting")
    return _closed(rounds)


def _acted(rounds: Rounds, acted: Acted, event: Event) -> Rounds:
    """Apply what came of a call: its summary, the errors it makes or resolves, and the 2-action rule."""
    rounds = logged(rounds, event, "error" if acted.error or not acted.ran else "action", acted.did)
    rounds = _with(
        rounds,
        outcome=None,
        declined=None,
        call=None,
        approval=None,
        last_result=acted.summary,
        failed=acted.error is not None or not acted.ran,
        untrusted=rounds.untrusted or acted.untrusted,
        artifacts={**rounds.artifacts, **{artifact.path: artifact for artifact in acted.artifacts}},
    )
    if not acted.ran:
        return _closed(rounds)
    rounds = _with(rounds, actions=0 if acted.finding else rounds.actions + 1)
    rounds = noted(rounds, event, findings=(acted.finding,) if acted.finding else ())
    rounds = _failed(rounds, acted) if acted.error else _succeeded(rounds, acted)
    struck = acted.strike is not None and rounds.strikes.get(acted.strike, 0) >= STRIKES
    return _struck(_closed(rounds), acted, event) if struck else _closed(rounds)


def _failed(rounds: Rounds, acted: Acted) -> Rounds:
    phase = rounds.plan.current_phase if rounds.plan else ""
    failure = Failure(error=acted.error or "", signature=acted.signature, phase_id=phase)
    strike = acted.strike or ""
    return _with(
        rounds,
        failures=(*rounds.failures, failure),
        standing={**rounds.standing, acted.signature: acted.round},
        strikes={**rounds.strikes, strike: rounds.strikes.get(strike, 0) + 1},
    )


def _succeeded(rounds: Rounds, acted: Acted) -> Rounds:
    """Resolve the errors of the same call; after a call that may have changed something, others may be tried again."""
    resolution = f"round {acted.round}: the same call succeeded"
    failures = (_resolved(one, resolution) if one.signature == acted.signature else one for one in rounds.failures)
    standing = {} if acted.tool in WITH_EFFECTS else rounds.standing
    return _with(rounds, failures=tuple(failures), standing=standing)


def _struck(rounds: Rounds, acted: Acted, event: Event) -> Rounds:
    """Ask a person about an error that came three times; where nobody can be asked, tell the model."""
    strikes = {error: count for error, count in rounds.strikes.items() if error != acted.strike}
    told = f"the same error came {STRIKES} times: {acted.error}"
    rounds = _with(logged(rounds, event, "error", told), strikes=strikes)
    if rounds.ending:
        return rounds
    if rounds.options.questions:
        return _with(rounds, step="escalating", struck=told)
    return _with(rounds, hints=(*rounds.hints, f"{told}; nobody can be asked, so go another way"))


def _answered(rounds: Rounds, text: str, event: Event) -> Rounds:
    rounds = _with(logged(rounds, event, "note", f"a person said: {text}"), asked=None)
    match rounds.step:
        case "asking" if approved(text):
            return _with(rounds, step="acting")
        case "asking":
            return _with(rounds, step="weighing", declined=text)
        case "escalating":
            return _with(rounds, step="dumping", struck=None, hints=(*rounds.hints, f"a person said: {text}"))
        case _:
            return rounds


def _dumped(rounds: Rounds, outcome: ToolResponded, event: Event) -> Rounds:
    """Go on once the files are written; what cannot be written is told once, for the log has it all."""
    if outcome.error is not None:
        told = f"the files of the workspace could not be written: {outcome.error}"
        known = rounds.written.fault is not None
        rounds = rounds if known else logged(rounds, event, "error", told)
        return _next_round(_with(rounds, written=rounds.written.model_copy(update={"fault": outcome.error})))
    dumped = Dumped.model_validate(outcome.result)
    written = Written(
        plan_sha256=dumped.plan_sha256,
        findings=len(rounds.findings),
        progress=len(rounds.progress),
        damaged=frozenset(dumped.damaged),
    )
    rounds = _with(presence.after_dump(rounds, dumped), written=written, edited=dumped.edited)
    if dumped.edited is not None:
        return _with(rounds, step="comparing")
    if dumped.damaged:
        return rounds
    return _next_round(rounds)


def _adopted(rounds: Rounds, adopted: PlanAdopted, event: Event) -> Rounds:
    said = {error.error: error.resolution for error in adopted.plan.errors if error.resolution}
    failures = tuple(_resolved(one, said[one.error]) if one.error in said else one for one in rounds.failures)
    rounds = logged(rounds, event, "note", "a person edited the plan in task_plan.md")
    hints = (*rounds.hints, "a person edited the plan; work by it as it is now")
    plan = adopted.plan.model_copy(update={"errors": ()})
    return _with(rounds, step="dumping", plan=plan, failures=failures, edited=None, hints=hints)


def _restored(rounds: Rounds, refused: EditRefused, event: Event) -> Rounds:
    told = f"a person's edit of task_plan.md cannot be used, so the file is restored: {refused.reason}"
    return _with(logged(rounds, event, "error", told), step="dumping", edited=None, hints=(*rounds.hints, told))


def _resumed(rounds: Rounds) -> Rounds:
    """Try again what was given up; before a round is begun, its files are put in order."""
    again = rounds.step == "working"
    return _with(
        rounds, broken=(), step="dumping" if again else rounds.step, upcoming=rounds.round if again else rounds.upcoming
    )


def _closed(rounds: Rounds) -> Rounds:
    """Close this round; after the last one that is allowed the task ends with what it has."""
    rounds = _with(rounds, step="dumping", upcoming=rounds.round + 1)
    if rounds.round < rounds.options.rounds:
        return rounds
    return ended(rounds, "partial", f"its {rounds.options.rounds} rounds are used up")


def _next_round(rounds: Rounds) -> Rounds:
    if rounds.ending:
        return _with(rounds, step="ended")
    return _with(rounds, step="working", round=rounds.upcoming)


def _resolved(failure: Failure, resolution: str) -> Failure:
    return failure if failure.resolution else failure.model_copy(update={"resolution": resolution})


def _with(rounds: Rounds, **changes: object) -> Rounds:
    return rounds.model_copy(update=changes)
