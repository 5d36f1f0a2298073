"""docs/longtask.md says what the code does."""

import json
import re
from pathlib import Path

from fakes.offline import offline_model
from fakes.sandboxes import ObedientSandbox, said
from fakes.tasks import Desk
from quaestor.contracts.settings import MAX_ROUNDS
from quaestor.contracts.workspace import MANAGED_FILES, MAX_SHOWN_CHARACTERS, OUTPUT_FOLDER
from quaestor.longtask.contracts import Round, TaskToolCall
from quaestor.longtask.playbook import PlaybookModel, Step, load
from quaestor.longtask.todo import MAX_OUTPUT_CHARACTERS, MAX_OUTPUTS
from quaestor.longtask.tools.names import TOOLS
from quaestor.longtask.tools.registry import has_side_effects
from quaestor.longtask.workspace_files import TAIL_LINES
from quaestor.tools.workspace.folder import ARCHIVE

PAGE = (Path(__file__).parents[2] / "docs" / "longtask.md").read_text(encoding="utf-8")
SECTIONS = dict(re.findall(r"^## (.+?)\n(.*?)(?=^## |\Z)", PAGE, re.MULTILINE | re.DOTALL))


def first_cells(section: str) -> list[str]:
    rows = re.findall(r"^\| (`.*?) \|", SECTIONS[section], re.MULTILINE)
    return [name for row in rows for name in re.findall(r"`([^`]+)`", row)]


def block(kind: str) -> str:
    return str(re.findall(rf"```{kind}\n(.*?)```", PAGE, re.DOTALL)[0])


async def test_the_playbook_on_the_page_carries_a_task_out(tmp_path: Path) -> None:
    (tmp_path / "book.yaml").write_text(block("yaml"), encoding="utf-8")
    desk = await Desk.open(tmp_path / "workspace")
    model = PlaybookModel("playbook:book.yaml", load(tmp_path / "book.yaml"), offline_model())
    run = await desk.carry(model, ObedientSandbox(lambda *_: said("42\n")))
    life = await desk.task()
    await desk.store.close()
    assert (run.outcome, run.statement) == ("done", "The chronicle has 42 words.")
    assert all(phase.status == "complete" and all(item.done for item in phase.checklist) for phase in life.plan.phases)
    assert not any(entry.heading == "error" for entry in life.logs.progress)


def test_the_reply_on_the_page_is_a_round() -> None:
    read = Round.model_validate_json(block("json"))
    assert read.tool_call == TaskToolCall(tool="shell", command="pytest -q", seconds=120)
    assert set(json.loads(block("json"))) == set(Round.model_json_schema()["properties"])


def test_every_file_tool_and_field_is_documented_and_no_other() -> None:
    assert first_cells("The files") == [*MANAGED_FILES, f"{OUTPUT_FOLDER}/", f"{ARCHIVE}/"]
    assert sorted(first_cells("Tools")) == sorted(TOOLS)
    assert set(first_cells("Playbooks")) == set(Step.model_fields)


def test_the_figures_on_the_page_are_those_of_the_code() -> None:
    assert f"at most {MAX_ROUNDS} rounds" in PAGE
    assert f"{MAX_SHOWN_CHARACTERS:,} characters" in PAGE
    words = " ".join(PAGE.split())
    assert f"the last {MAX_OUTPUTS} of them, up to {MAX_OUTPUT_CHARACTERS:,} characters of each" in words
    assert f"the last {TAIL_LINES} lines of both logs" in words


def test_what_changes_something_and_needs_a_yes_is_named() -> None:
    said = SECTIONS["Approval"].split(" can need a person's yes")[0]
    assert set(re.findall(r"`(\w+)`", said)) == set(filter(has_side_effects, TOOLS))
