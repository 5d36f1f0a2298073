from datetime import UTC, datetime
from io import StringIO
from pathlib import Path

import pytest
from rich.console import Console

from quaestor.app import open_home
from quaestor.app.watching.progress import track_progress
from quaestor.contracts.event import ErrorRecorded, Event
from quaestor.contracts.session import Session
from quaestor.faces.cli.display import event_display, live_dashboard
from quaestor.research.contracts.plan import Plan, Todo
from quaestor.research.events import PlanCreated
from quaestor.runtime.registry import workflow_names

AFRESH = "\x1b[2J\x1b[H"
PLANNED = Event(
    session_id="s",
    seq=1,
    cycle=1,
    at=datetime(2026, 1, 1, tzinfo=UTC),
    state="PLANNING",
    payload=PlanCreated(plan=Plan(todos=(Todo(id="t1", task="Look here"),))),
)
FAILED = ErrorRecorded(message="Look here")
OTHERS = tuple(name for name in workflow_names() if track_progress(name) is None)
"""Workflows without a live view."""


def shown(*, narrower: bool) -> str:
    screen = StringIO()
    console = Console(file=screen, force_terminal=True, width=80, height=20)
    tracker = track_progress("research")
    assert tracker
    with live_dashboard(console, tracker) as show:
        show(PLANNED)
        if narrower:
            console.size = (40, 20)
    return screen.getvalue()


def test_a_run_is_drawn_in_its_place() -> None:
    assert "Look here" in shown(narrower=False)
    assert AFRESH not in shown(narrower=False)


def test_a_terminal_of_another_size_is_drawn_afresh() -> None:
    assert shown(narrower=True).count(AFRESH) == 1


@pytest.mark.parametrize(
    ("workflow", "event", "drawn"),
    [("research", PLANNED, True), *((name, PLANNED.revised(payload=FAILED), False) for name in OTHERS)],
)
async def test_only_a_workflow_with_a_live_view_is_drawn_as_a_tree(
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    *,
    workflow: str,
    event: Event,
    drawn: bool,
) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("TERM", "xterm")
    async with open_home(tmp_path) as quaestor:
        session = Session(id="s", task_key="k", workflow=workflow, question="Who?", created_at=event.at)
        await quaestor.store.create_session(session, ())
        async with event_display(quaestor, "s", 0, json=False) as show:
            show(event)
    err = capsys.readouterr().err
    assert ("\x1b[" in err) == drawn
    assert "Look here" in err
