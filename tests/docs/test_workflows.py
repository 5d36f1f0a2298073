"""The package that docs/workflows.md builds, taken from the page, installed and run."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

PAGE = (Path(__file__).parents[2] / "docs/workflows.md").read_text(encoding="utf-8")
_FILE = re.compile(r"```\w+\n# (pyproject\.toml|quaestor_minutes/\S+)\n(.*?)```", re.DOTALL)
NOTES = "The board met. It decided to move the office. Lunch was late."


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the package of the page and install it into a folder of its own; return the folder."""
    source, target = tmp_path_factory.mktemp("minutes"), tmp_path_factory.mktemp("installed")
    files = dict(_FILE.findall(PAGE))
    assert len(files) == 8
    for name, text in files.items():
        path = source / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-index"]
    done = subprocess.run(
        [*pip, "--no-deps", "--no-build-isolation", "--target", str(target), str(source)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return target


@pytest.fixture
def environment(installed: Path, tmp_path: Path) -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": str(installed), "QUAESTOR_HOME": str(tmp_path / "home")}


def quaestor(environment: dict[str, str], *words: str) -> subprocess.CompletedProcess[str]:
    program = [sys.executable, "-m", "quaestor.faces.cli.main", *words]
    return subprocess.run(program, env=environment, capture_output=True, text=True, check=False)


PRINTED = re.findall(r"```text\n(The board met.*?)```", PAGE, re.DOTALL)


def test_the_workflow_of_the_page_prints_what_the_page_says(environment: dict[str, str]) -> None:
    ran = quaestor(environment, "run", "minutes", NOTES)
    assert (ran.returncode, ran.stdout) == (0, PRINTED[0]), ran.stderr


def test_its_own_command_searches_documents_and_is_in_the_help(environment: dict[str, str], tmp_path: Path) -> None:
    earlier = tmp_path / "earlier"
    earlier.mkdir()
    (earlier / "spring.md").write_text("# Spring meeting\n\nThe board decided to look for an office.\n")
    ran = quaestor(environment, "minutes", NOTES, "--docs", str(earlier))
    assert (ran.returncode, ran.stdout) == (0, PRINTED[1]), ran.stderr
    assert "Take the minutes of a meeting" in quaestor(environment, "--help").stdout
    listed = quaestor(environment, "ps").stdout.splitlines()[-1]
    again = quaestor(environment, "run", "minutes", NOTES, "--model", f"replay:{listed.split()[0]}")
    assert (again.returncode, again.stdout) == (0, PRINTED[1]), again.stderr


def test_it_is_listed_verified_replayed_and_seen_like_any_other(environment: dict[str, str]) -> None:
    assert quaestor(environment, "run", "minutes", NOTES).returncode == 0
    listed = quaestor(environment, "ps").stdout.splitlines()[-1]
    session = listed.split()[0]
    assert "finished: done" in listed
    assert quaestor(environment, "verify", session).returncode == 0
    events = quaestor(environment, "events", session).stdout
    assert events.index("COUNTING") < events.index("SUMMING_UP") < events.index("DONE")
    again = quaestor(environment, "run", "minutes", NOTES, "--model", f"replay:{session}")
    assert (again.returncode, again.stdout) == (0, quaestor(environment, "run", "minutes", NOTES).stdout), again.stderr


def test_it_carries_out_a_todo_of_research_that_a_person_adds(environment: dict[str, str], tmp_path: Path) -> None:
    earlier = tmp_path / "earlier"
    earlier.mkdir()
    (earlier / "spring.md").write_text("# Spring meeting\n\nThe board decided to look for an office in spring.\n")
    question, todos = "When did the board look for an office?", ("--todos", '{"minutes": {}}')
    asked = quaestor(
        environment, "research", question, "--docs", str(earlier), *todos, "--review-plan", "--no-questions"
    )
    assert asked.returncode == 5, asked.stderr
    session = quaestor(environment, "ps").stdout.splitlines()[-1].split()[0]
    for words in (("add", "The board met. It decided to move the office.", "--kind", "minutes"), ("confirm",)):
        assert quaestor(environment, "plan", session, *words).returncode == 0
    report = quaestor(environment, "resume", session)
    assert report.returncode == 0, report.stderr
    assert "It decided to move the office" in report.stdout
    assert "quaestor:todo/t2/minutes" in report.stdout
    events = quaestor(environment, "events", session).stdout
    assert events.index("TAKING_MINUTES") < events.index("DEPOSITING")
    assert quaestor(environment, "verify", session).returncode == 0
    again = quaestor(environment, "research", question, "--model", f"replay:{session}")
    assert "It decided to move the office" in again.stdout, again.stderr


def test_its_own_options_are_read_and_refused(environment: dict[str, str]) -> None:
    none = quaestor(environment, "run", "minutes", f"{NOTES} We decided to go.", "--option", "most_decisions=1")
    assert none.stdout.count("- ") == 1
    wrong = quaestor(environment, "run", "minutes", NOTES, "--option", "most_decisions=none")
    assert (wrong.returncode, "most_decisions" in wrong.stderr) == (2, True)
    assert quaestor(environment, "run", "minutes", NOTES, "--option", "most_decisions").returncode == 2
    unknown = quaestor(environment, "run", "hours", NOTES)
    assert (unknown.returncode, "there are research" in unknown.stderr) == (2, True), unknown.stderr


def test_its_prompt_is_what_a_model_is_told(environment: dict[str, str]) -> None:
    code = """
from quaestor.contracts.model import OutputRequest
from quaestor.runtime.registry import get_plugin
from quaestor.runtime.session_setup import load_roster
from quaestor_minutes.contracts import MinutesInput
given = MinutesInput(notes="We met.", words=2, most=3)
request = OutputRequest(key="sum", todo_id=None, role="minute_taker", ordinal=1, attempt=1, given=given)
print(load_roster(get_plugin("minutes")).prompt(request).messages[-1].text)
"""
    told = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=False)
    assert "Notes of 2 words, of which you keep 3 decisions at most" in told.stdout, told.stderr
    assert "We met." in told.stdout
