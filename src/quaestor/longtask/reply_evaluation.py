"""What a worker's reply leads to: pure rules over the reply and the state it came in."""

from collections.abc import Iterator

from quaestor.longtask import task_plan, tool_calls
from quaestor.longtask.contracts import Judged, Round, TaskToolCall, Writeback
from quaestor.longtask.state import TaskState

MAX_APPEND_LINES = 30
"""Of one append."""
MAX_LINE_CHARACTERS = 1_000
MISSING_WRITEBACK = "protocol error: the reply has no writeback"
REPAIRED_REPLY = "the reply was no valid JSON until it was repaired; such a reply runs no tool"
TASK_DONE = "the reply says that the task is done, so nothing more is run"


def evaluate_reply(rounds: TaskState, reply: Round) -> Judged:
    """Say what is written down, what is wrong, and whether the call may run."""
    writeback = reply.writeback or Writeback()
    unknown: tuple[str, ...] = ()
    plan = rounds.plan
    if plan is not None:
        plan, unknown = task_plan.apply_updates(plan, writeback.task_plan_updates)
    refusal = refusal_reason(rounds, reply)
    runs = reply.tool_call if refusal is None else None
    return Judged(
        round=rounds.round,
        plan=plan if plan != rounds.plan else None,
        findings=tuple(map(truncate_lines, filter(str.strip, writeback.findings_append))),
        progress=tuple(map(truncate_lines, filter(str.strip, writeback.progress_append))),
        faults=(*_protocol_errors(reply), *unknown),
        call=runs,
        approval=approval_reason(rounds, runs) if runs else None,
        refusal=refusal,
        answer=reply.assistant_answer,
        done=(reply.done_reason or reply.assistant_answer or "The task is done.") if reply.done else None,
    )


def refusal_reason(rounds: TaskState, reply: Round) -> str | None:
    """Say why the call of a reply does not run, or None."""
    call = reply.tool_call
    if call is None:
        return None
    told = tool_calls.describe_call(call)
    if reply.done:
        return f"{told}: {TASK_DONE}"
    if rounds.repaired:
        return f"{told}: {REPAIRED_REPLY}"
    if tool_calls.known_tool(call) not in rounds.options.available_tools:
        return f"{told}: this run has no such tool; it has {', '.join(rounds.options.available_tools) or 'none'}"
    given = tool_calls.build_tool_input(call, rounds.options.seconds)
    if isinstance(given, str):
        return f"{told}: {given}"
    failed = rounds.standing.get(tool_calls.call_signature(call))
    if failed is not None:
        return f"{told}: the same call failed in round {failed}, and nothing was changed since; change something first"
    if (why := approval_reason(rounds, call)) and not rounds.options.questions:
        return f"{told}: {why}, and in this run nobody can be asked"
    return None


def approval_reason(rounds: TaskState, call: TaskToolCall) -> str | None:
    """Say why a person has to approve a call, or None; what only reads never needs it."""
    tool = tool_calls.known_tool(call)
    if tool not in tool_calls.SIDE_EFFECT_TOOLS:
        return None
    if tool in rounds.options.approve:
        return f"{tool} runs only with a person's yes"
    if rounds.untrusted and rounds.options.approve_after_untrusted:
        return f"words of others were read before ({rounds.untrusted}), so {tool} runs only with a person's yes"
    return None


def truncate_lines(text: str) -> str:
    """Give an append with at most 30 lines, none of them endless."""
    lines = text.strip().splitlines()
    kept = lines if len(lines) <= MAX_APPEND_LINES else lines[: MAX_APPEND_LINES - 1]
    cut = [line if len(line) <= MAX_LINE_CHARACTERS else f"{line[:MAX_LINE_CHARACTERS]}[...]" for line in kept]
    left_out = [f"[... {len(lines) - len(kept):,} more lines]"] if len(kept) < len(lines) else []
    return "\n".join([*cut, *left_out])


def _protocol_errors(reply: Round) -> Iterator[str]:
    if reply.writeback is None:
        yield MISSING_WRITEBACK
    if reply.more_calls:
        yield f"protocol error: a reply has one tool call; not run: {', '.join(reply.more_calls)}"
