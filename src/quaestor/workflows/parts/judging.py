"""What a worker's reply leads to: pure rules over the reply and the state it came in."""

from collections.abc import Iterator

from quaestor.contracts.task import Call, Judged, Round, Writeback
from quaestor.workflows.parts import calls, taskplan
from quaestor.workflows.parts.rounds_state import Rounds

MOST_LINES = 30
"""Of one append."""
LONGEST_LINE = 1_000
NO_WRITEBACK = "protocol error: the reply has no writeback"
REPAIRED = "the reply was no valid JSON until it was repaired; such a reply runs no tool"
DONE = "the reply says that the task is done, so nothing more is run"


def judged(rounds: Rounds, reply: Round) -> Judged:
    """Say what is written down, what is wrong, and whether the call may run."""
    writeback = reply.writeback or Writeback()
    unknown: tuple[str, ...] = ()
    plan = rounds.plan
    if plan is not None:
        plan, unknown = taskplan.updated(plan, writeback.task_plan_updates)
    refusal = refused(rounds, reply)
    runs = reply.tool_call if refusal is None else None
    return Judged(
        round=rounds.round,
        plan=plan if plan != rounds.plan else None,
        findings=tuple(map(short, filter(str.strip, writeback.findings_append))),
        progress=tuple(map(short, filter(str.strip, writeback.progress_append))),
        faults=(*_protocol(reply), *unknown),
        call=runs,
        approval=needs_approval(rounds, runs) if runs else None,
        refusal=refusal,
        answer=reply.assistant_answer,
        done=(reply.done_reason or reply.assistant_answer or "The task is done.") if reply.done else None,
    )


def refused(rounds: Rounds, reply: Round) -> str | None:
    """Say why the call of a reply does not run, or None."""
    call = reply.tool_call
    if call is None:
        return None
    told = calls.told(call)
    if reply.done:
        return f"{told}: {DONE}"
    if rounds.repaired:
        return f"{told}: {REPAIRED}"
    if calls.named(call) not in rounds.options.available:
        return f"{told}: this run has no such tool; it has {', '.join(rounds.options.available) or 'none'}"
    given = calls.given(call, rounds.options.seconds)
    if isinstance(given, str):
        return f"{told}: {given}"
    failed = rounds.standing.get(calls.exactly(call))
    if failed is not None:
        return f"{told}: the same call failed in round {failed}, and nothing was changed since; change something first"
    if (why := needs_approval(rounds, call)) and not rounds.options.questions:
        return f"{told}: {why}, and in this run nobody can be asked"
    return None


def needs_approval(rounds: Rounds, call: Call) -> str | None:
    """Say why a person has to approve a call, or None; what only reads never needs it."""
    tool = calls.named(call)
    if tool not in calls.WITH_EFFECTS:
        return None
    if tool in rounds.options.approve:
        return f"{tool} runs only with a person's yes"
    if rounds.untrusted and rounds.options.approve_after_untrusted:
        return f"words of others were read before ({rounds.untrusted}), so {tool} runs only with a person's yes"
    return None


def short(text: str) -> str:
    """Give an append with at most 30 lines, none of them endless."""
    lines = text.strip().splitlines()
    kept = lines if len(lines) <= MOST_LINES else lines[: MOST_LINES - 1]
    cut = [line if len(line) <= LONGEST_LINE else f"{line[:LONGEST_LINE]}[...]" for line in kept]
    left_out = [f"[... {len(lines) - len(kept):,} more lines]"] if len(kept) < len(lines) else []
    return "\n".join([*cut, *left_out])


def _protocol(reply: Round) -> Iterator[str]:
    if reply.writeback is None:
        yield NO_WRITEBACK
    if reply.more_calls:
        yield f"protocol error: a reply has one tool call; not run: {', '.join(reply.more_calls)}"
