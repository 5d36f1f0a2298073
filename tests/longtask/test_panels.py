"""What a task shows on its page: its plan, its files and its rounds."""

from pathlib import Path

from fakes.sandboxes import ObedientSandbox
from fakes.workshops import opened, playbook
from quaestor.app.watching.panels import SessionPanels

STEPS = (
    {"goal": "They are counted.", "plan": {"Count": ["Write", "Count"], "Report": ["Tell"]}},
    {"say": "I write.", "write_file": {"path": "a.txt", "content": "one two"}},
    {"say": "I read \u202ewhat is not there.", "read_file": "b.txt"},
    {"say": "Two words.", "phases": {"Phase 1": "complete"}, "done": "They are counted."},
)


async def test_a_task_shows_its_plan_its_files_and_what_came_of_each_round(tmp_path: Path) -> None:
    async with opened(tmp_path / "home", ObedientSandbox(), model=playbook(tmp_path, *STEPS)) as q:
        session_id = await q.start_task("Count the words.")
        pages = SessionPanels()
        [before] = (await pages.read(q, session_id)).panels
        assert (before.heading, bool(before.note)) == ("Plan", True)
        await q.run(session_id)
        shown = {panel.heading: panel for panel in (await pages.read(q, session_id)).panels}
        assert await pages.read(q, session_id) == await SessionPanels().read(q, session_id)
    assert list(shown) == ["Last answer", "Plan", "Files", "Rounds"]
    assert shown["Last answer"].text == "Two words."
    assert [(item.status, item.tone) for item in shown["Plan"].items] == [("complete", "good"), ("todo", "plain")]
    files, rounds = shown["Files"].table, shown["Rounds"].table
    assert files
    assert rounds
    assert [row.cells[:3] for row in files.rows] == [("a.txt", "1", "7")]
    assert [row.cells[0] for row in rounds.rows] == ["3", "2", "1"]
    assert [row.tone for row in rounds.rows] == ["plain", "bad", "good"]
    assert rounds.rows[1].cells[1] == "I read \ufffdwhat is not there."
