from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from fakes.chat import output_request
from fakes.offline import offline_model
from fakes.prompts import PlainPrompts
from fakes.sandboxes import ObedientSandbox, said
from fakes.tasks import TASK, Desk
from quaestor.contracts.errors import UsageError
from quaestor.contracts.event import ModelRequested
from quaestor.contracts.model import OutputRequest
from quaestor.contracts.settings import Settings
from quaestor.contracts.workspace import FINDINGS_FILE, PROGRESS_FILE
from quaestor.longtask.playbook import PlaybookModel, load
from quaestor.research.contracts.roles import ClarifyInput
from quaestor.runtime.resources import open_catalogue

BOOK = """
- goal: The words are counted.
  plan:
    Look: [List the files]
    Count: Count the words
- say: I look what is there.
  shell: ls
  progress: Listed the files.
  tick: {Phase 1: [List the files]}
  phases: {Phase 1: complete}
- say: I write a program.
  write_file: {path: count.py, content: "print(42)"}
- python: print(42)
  findings: ["Technical decisions: words are split at blanks", "There are 42 words."]
- {read_file: count.py, progress: Checked the program.}
- say: There are 42 words.
  done: The words are counted.
"""


@pytest.fixture
async def desk(tmp_path: Path) -> AsyncIterator[Desk]:
    opened = await Desk.open(tmp_path / "workspace")
    yield opened
    await opened.store.close()


def model(folder: Path, text: str = BOOK) -> PlaybookModel:
    path = folder / "book.yaml"
    path.write_text(text, encoding="utf-8")
    return PlaybookModel("playbook:book.yaml", load(path), offline_model())


async def test_a_whole_task_runs_from_a_playbook(desk: Desk, tmp_path: Path) -> None:
    sandbox = ObedientSandbox(lambda *_: said("42\n"))
    run = await desk.carry(model(tmp_path), sandbox)
    assert (run.outcome, run.statement) == ("done", "There are 42 words.")
    assert sandbox.ran == ["ls", "print(42)"]
    assert "There are 42 words." in desk.text(FINDINGS_FILE)
    assert "Checked the program." in desk.text(PROGRESS_FILE)
    life = await desk.task()
    assert [(phase.title, phase.status) for phase in life.plan.phases] == [("Look", "complete"), ("Count", "todo")]
    assert life.plan.phases[0].checklist[0].done
    assert "print(42)" in life.last_result
    assert {event.payload.model for event in await desk.events() if isinstance(event.payload, ModelRequested)} == {
        "playbook:book.yaml"
    }


async def test_after_the_last_step_the_task_is_done_and_without_a_plan_there_is_one_phase(
    desk: Desk, tmp_path: Path
) -> None:
    run = await desk.carry(model(tmp_path, "- {say: I look., shell: ls}"))
    assert (run.outcome, run.statement) == ("done", "The playbook has no further step.")
    life = await desk.task()
    assert (life.plan.goal, len(life.plan.phases)) == (TASK, 1)


async def test_a_step_with_two_calls_runs_the_first(desk: Desk, tmp_path: Path) -> None:
    await desk.carry(model(tmp_path, "- {shell: ls, python: '1'}"), sandbox := ObedientSandbox())
    assert sandbox.ran == ["ls"]
    assert "not run: python" in desk.text(PROGRESS_FILE)


async def test_other_roles_are_answered_by_the_offline_model(tmp_path: Path) -> None:
    book = model(tmp_path)
    request = OutputRequest(
        key="k", todo_id=None, role="clarifier", ordinal=1, attempt=1, given=ClarifyInput(question="Who built it?")
    )
    offline = offline_model()
    expected = await offline.answer(request, offline.prepare(request))
    assert await book.answer(request, book.prepare(request)) == expected


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("- {sayy: a}", "0.sayy: Extra inputs"),
        ("- {goal: g, plan: {}}", "plan: Dictionary should have at least 1 item"),
        ("- {say: a, phases: {Phase 1: finished}}", "0.phases.Phase 1: Input should be"),
        ("say: a", "is no list of steps"),
        ("- [", "is not YAML"),
    ],
)
def test_a_fault_of_a_playbook_is_told_with_its_place(tmp_path: Path, text: str, fault: str) -> None:
    with pytest.raises(UsageError) as raised:
        model(tmp_path, text)
    assert fault in str(raised.value)
    assert "book.yaml" in str(raised.value)


def test_a_playbook_that_is_not_there_is_told(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="cannot be read"):
        load(tmp_path / "none.yaml")


def test_it_is_a_model_of_the_program_that_costs_nothing(tmp_path: Path) -> None:
    file = tmp_path / "trial.yaml"
    file.write_text("- {say: Done., done: Done.}", encoding="utf-8")
    catalogue = open_catalogue(Settings(), {})
    assert catalogue.is_local("playbook:a.yaml")
    assert catalogue.resolve_name(f"playbook:{file}") == f"playbook:{file}"
    played = catalogue.model(f"playbook:{file}", PlainPrompts(), None, None, tuple)
    assert isinstance(played, PlaybookModel)
    assert played.name == "playbook:trial.yaml"
    assert played.prepare(output_request()).ceiling.dollars == 0


def test_a_file_that_is_no_playbook_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "trial.yaml"
    file.write_text("reader: []", encoding="utf-8")
    with pytest.raises(UsageError, match=f"the playbook {file}"):
        open_catalogue(Settings(), {}).resolve_name(f"playbook:{file}")
