"""The live view of a task shows its phases, what it does now, and what it did last."""

from pathlib import Path

from fakes.sandboxes import ObedientSandbox
from fakes.workshops import Work, opened, playbook
from quaestor.contracts.progress import SessionProgress
from quaestor.runtime.progress import ProgressTracker, build_narrator
from quaestor.runtime.registry import get_plugin
from quaestor.runtime.system import SystemClock

STEPS = (
    {"goal": "They are counted.", "plan": {"Count": ["Write", "Count"], "Report": ["Tell"]}},
    {"say": "I write.", "write_file": {"path": "a.txt", "content": "one two"}},
    {"say": "I count.", "shell": "wc a.txt"},
    {"say": "Two words.", "phases": {"Phase 1": "complete"}, "done": "They are counted."},
)


async def shown(work: Work) -> SessionProgress:
    live_view = get_plugin("longtask").live_view
    assert live_view
    tracker = ProgressTracker(live_view(), build_narrator("longtask"), SystemClock())
    for event in await work.events():
        tracker.follow(event)
    return tracker.progress()


async def test_a_task_is_shown_by_its_phases(tmp_path: Path) -> None:
    async with opened(tmp_path / "home", model=playbook(tmp_path, *STEPS), approve=["shell"]) as q:
        work = Work(tmp_path / "home", await q.start_task("Count the words."), ObedientSandbox())
    assert (await shown(work)).workflow.items == ()
    await work.run()
    waiting = (await shown(work)).workflow
    assert [figure.text for figure in waiting.figures] == ["0/2 phases", "round 2", "1 file"]
    rows = [(item.id, item.parent, item.status, item.activity, item.text) for item in waiting.items]
    assert rows == [
        ("Phase 1", None, "in_progress", "asking", "Count"),
        ("1", "Phase 1", "pending", "pending", "Write"),
        ("2", "Phase 1", "pending", "pending", "Count"),
        ("Phase 2", None, "pending", "pending", "Report"),
    ]
    assert waiting.news[0].text == "I write."
    assert [news.item for news in waiting.news] == ["round 1", "round 1", "round 2"]
