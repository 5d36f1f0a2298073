"""The evaluation of a worker's reply: whether it is refused, needs approval, or runs a tool, and with which input."""

import json
import re
from collections.abc import Iterator
from itertools import takewhile

from quaestor.contracts.approvals import is_covered, is_standing
from quaestor.contracts.base import Contract
from quaestor.longtask import task_plan
from quaestor.longtask.contracts import Judged, Round, TaskToolCall, Writeback
from quaestor.longtask.state import PlannedTask
from quaestor.longtask.steps import Evaluating
from quaestor.longtask.tools.registry import available_tools, find_tool, has_side_effects

MAX_APPEND_LINES = 30
"""Lines of one append."""
MAX_LINE_CHARACTERS = 1_000
MISSING_WRITEBACK = "protocol error: the reply has no writeback"
REPAIRED_REPLY = "the reply was no valid JSON until it was repaired; such a reply runs no tool"
TASK_DONE = "the reply says that the task is done, so nothing more is run"
_MAX_CALL_CHARACTERS = 200
_YES_WORDS = frozenset({"yes", "y", "ok", "approve", "/approve"})
_NO_WORDS = frozenset({"no", "n", "deny", "decline", "/deny"})
UNCLEAR_APPROVAL = (
    "a call waits for approval; answer yes or no, and why if you like, or `always command`, `always tool` or "
    "`always session`"
)


def evaluate_reply(task: PlannedTask, step: Evaluating) -> Judged:
    """Return what is written down, what is wrong with the reply, and whether its call may run."""
    reply = step.reply
    writeback = reply.writeback or Writeback()
    refusal = refusal_reason(task, reply, repaired=step.repaired)
    updates = writeback.task_plan_updates
    withheld: tuple[str, ...] = ()
    if refusal is not None and not reply.done:
        updates, withheld = task_plan.without_completions(updates)
    plan, unknown = task_plan.apply_updates(task.plan, updates)
    runs = reply.tool_call if refusal is None else None
    return Judged(
        round=task.round,
        plan=plan if plan != task.plan else None,
        findings=tuple(map(truncate_lines, filter(str.strip, writeback.findings_append))),
        progress=tuple(map(truncate_lines, filter(str.strip, writeback.progress_append))),
        faults=(*_protocol_errors(reply), *unknown, *withheld),
        call=runs,
        approval=approval_reason(task, runs) if runs else None,
        refusal=refusal,
        answer=reply.assistant_answer,
        done=(reply.done_reason or reply.assistant_answer or "The task is done.") if reply.done else None,
    )


def refusal_reason(task: PlannedTask, reply: Round, *, repaired: bool) -> str | None:
    """Return why the call of a reply does not run, or None."""
    options, call = task.setup.options, reply.tool_call
    if call is None:
        return None
    line = describe_call(call)
    if reply.done:
        return f"{line}: {TASK_DONE}"
    if repaired:
        return f"{line}: {REPAIRED_REPLY}"
    if call.tool not in available_tools(options):
        return f"{line}: this run has no such tool; it has {', '.join(available_tools(options)) or 'none'}"
    given = build_tool_input(call, options.seconds)
    if isinstance(given, str):
        return f"{line}: {given}"
    failed = task.failures.unresolved_calls.get(call_signature(call))
    if failed is not None:
        return f"{line}: the same call failed in round {failed}, and nothing was changed since; change something first"
    if (why := approval_reason(task, call)) and not options.questions:
        return f"{line}: {why}, and in this run nobody can be asked"
    return None


def approval_reason(task: PlannedTask, call: TaskToolCall) -> str | None:
    """Return why a person has to approve a call, or None; a tool that only reads never needs it."""
    options, tool = task.setup.options, call.tool
    if not has_side_effects(tool) or is_covered(options.approved, tool, call_signature(call)):
        return None
    if tool in options.approve:
        return f"{tool} runs only with a person's yes"
    if task.untrusted_source and options.approve_after_untrusted:
        return f"words of others were read before ({task.untrusted_source}), so {tool} runs only with a person's yes"
    return None


def truncate_lines(text: str) -> str:
    """Return a text with at most 30 lines of at most 1,000 characters."""
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


def build_tool_input(call: TaskToolCall, seconds: float, folder: str = "") -> Contract | str:
    """Return the input of the tool of a call, or what is missing; `seconds` is the time limit unless it names one."""
    tool = find_tool(call.tool)
    if tool is None:
        return f"there is no tool {call.tool[:_MAX_CALL_CHARACTERS]!r}"
    given: Contract | None = tool.build_input(call, folder, call.seconds or seconds)
    return given or f"{tool.name} takes {tool.required_arguments}"


def call_signature(call: TaskToolCall) -> str:
    """Return a call as JSON; equal calls have an equal one."""
    return json.dumps(call.model_dump(mode="json", exclude_none=True), ensure_ascii=False, sort_keys=True)


def describe_call(call: TaskToolCall) -> str:
    """Return a call on one line."""
    argument = call.command or call.query or call.path or call.code or ""
    line = f"{call.tool}: {' '.join(argument.split())}" if argument else call.tool
    return line if len(line) <= _MAX_CALL_CHARACTERS else f"{line[:_MAX_CALL_CHARACTERS]}[...]"


def parse_approval(text: str) -> bool | None:
    """Return whether a person's answer approves a call; None where that is not clear, or says both."""
    if is_standing(text):
        return True
    parts = [re.findall(r"[\w/]+", part) for part in re.split(r"[\n.;!?]", text.casefold())]
    begun = [list(takewhile(lambda word: word in _YES_WORDS | _NO_WORDS, words)) for words in parts if words]
    if not begun or not begun[0]:
        return None
    said = {word in _YES_WORDS for words in begun for word in words}
    return said.pop() if len(said) == 1 else None
