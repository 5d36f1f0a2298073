"""The files of a task's workspace, to the byte. A log grows only at its end."""

import json
import re
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime

from quaestor.longtask.contracts import LogEntry, TaskPlan

HEADINGS = ("Requirements", "Research findings", "Technical decisions", "Issues", "Resources")
"""Of findings.md; what is under none of them is a research finding."""
DEFAULT_HEADING = HEADINGS[1]
TAIL_LINES = 25
TAIL_WIDTH = 200
"""How much of a log a prompt shows: its last lines, each cut."""

_ENTRY_PREFIX = re.compile(r"^- \d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ, ")
"""How an entry begins; its other lines are indented."""

_FINDINGS_HEADER = f"""# Findings

{", ".join(HEADINGS)}: the newest entry is the last one, below its heading.
"""
_PROGRESS_HEADER = """# Progress

Actions, test results and errors: the newest entry is the last one.
"""


def render_plan(plan: TaskPlan) -> str:
    """Return the text of task_plan.md: the plan as one JSON object."""
    return json.dumps(plan.model_dump(mode="json"), ensure_ascii=False, indent=2) + "\n"


def render_findings(entries: Sequence[LogEntry]) -> str:
    """Return the text of findings.md; that of some first entries is how that of all begins."""
    before = ("", *(entry.heading for entry in entries))
    parts = [
        (f"\n## {entry.heading}\n" if entry.heading != heading else "") + _render_entry(entry, "")
        for heading, entry in zip(before, entries, strict=False)
    ]
    return _FINDINGS_HEADER + "".join(parts)


def render_progress(entries: Sequence[LogEntry]) -> str:
    """Return the text of progress.md; that of some first entries is how that of all begins."""
    return _PROGRESS_HEADER + "".join(_render_entry(entry, f", {entry.heading}") for entry in entries)


def render_state(
    *, last_result: str, actions: int, message: str, plan_created: bool, task_key: str, round_number: int
) -> str:
    """Return the text of .pwf_state.json."""
    state = {
        "last_tool_result": last_result,
        "actions_since_last_findings": actions,
        "root_user_message": message,
        "plan_created": plan_created,
        "task_key": task_key,
        "round": round_number,
    }
    return json.dumps(state, ensure_ascii=False, indent=2) + "\n"


def log_tail(text: str) -> str:
    """Return what a prompt shows of a log: without the times, so that equal work leads to equal prompts."""
    return "\n".join(_truncate(_ENTRY_PREFIX.sub("- ", line)) for line in text.splitlines()[-TAIL_LINES:])


def _truncate(line: str) -> str:
    return line if len(line) <= TAIL_WIDTH else f"{line[: TAIL_WIDTH - 5]}[...]"


def _render_entry(entry: LogEntry, kind: str) -> str:
    """Return an entry whose lines are indented, so that none of them can be taken for a heading or another entry."""
    lines = "".join(f"  {line}\n" for line in _lines(entry.text))
    return f"\n- {_format_timestamp(entry.at)}, round {entry.round}{kind}\n{lines}"


def _lines(text: str) -> Iterable[str]:
    return (line.rstrip() for line in text.splitlines())


def _format_timestamp(at: datetime) -> str:
    return f"{at.astimezone(UTC):%Y-%m-%dT%H:%M:%SZ}"
