"""The package that docs/workflows.md builds, taken from the page, installed and run."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from faces.cli.conftest import Ended, Quaestor
from quaestor.faces.cli.main import run

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


@pytest.fixture
def quaestor(
    installed: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> Quaestor:
    """Run command lines in this process, which finds the package as a process of its own would."""
    monkeypatch.syspath_prepend(installed)

    def call(*argv: str | Path) -> Ended:
        capsys.readouterr()
        code = run([*map(str, argv), "--home", str(tmp_path / "home")])
        said = capsys.readouterr()
        return Ended(code, said.out, said.err)

    return call


PRINTED = re.findall(r"```text\n(The board met.*?)```", PAGE, re.DOTALL)


def test_the_workflow_of_the_page_prints_what_the_page_says(environment: dict[str, str]) -> None:
    program = [sys.executable, "-m", "quaestor.faces.cli.main", "run", "minutes", NOTES]
    ran = subprocess.run(program, env=environment, capture_output=True, text=True, check=False)
    assert (ran.returncode, ran.stdout) == (0, PRINTED[0]), ran.stderr


def test_its_own_command_searches_documents_and_is_in_the_help(quaestor: Quaestor, tmp_path: Path) -> None:
    earlier = tmp_path / "earlier"
    earlier.mkdir()
    (earlier / "spring.md").write_text("# Spring meeting\n\nThe board decided to look for an office.\n")
    ran = quaestor("minutes", NOTES, "--docs", str(earlier))
    assert (ran.code, ran.out) == (0, PRINTED[1]), ran.err
    assert "Take the minutes of a meeting" in quaestor("--help").out
    listed = quaestor("ps").out.splitlines()[-1]
    again = quaestor("run", "minutes", NOTES, "--model", f"replay:{listed.split()[0]}")
    assert (again.code, again.out) == (0, PRINTED[1]), again.err


def test_it_is_listed_verified_replayed_and_seen_like_any_other(quaestor: Quaestor) -> None:
    assert quaestor("run", "minutes", NOTES).code == 0
    listed = quaestor("ps").out.splitlines()[-1]
    session = listed.split()[0]
    assert "finished: done" in listed
    assert quaestor("verify", session).code == 0
    events = quaestor("events", session).out
    assert events.index("COUNTING") < events.index("SUMMING_UP") < events.index("DONE")
    again = quaestor("run", "minutes", NOTES, "--model", f"replay:{session}")
    assert (again.code, again.out) == (0, quaestor("run", "minutes", NOTES).out), again.err


def test_it_carries_out_a_todo_of_research_that_a_person_adds(quaestor: Quaestor, tmp_path: Path) -> None:
    earlier = tmp_path / "earlier"
    earlier.mkdir()
    (earlier / "spring.md").write_text("# Spring meeting\n\nThe board decided to look for an office in spring.\n")
    question, todos = "When did the board look for an office?", ("--todos", '{"minutes": {}}')
    asked = quaestor("research", question, "--docs", str(earlier), *todos, "--review-plan", "--no-questions")
    assert asked.code == 5, asked.err
    session = quaestor("ps").out.splitlines()[-1].split()[0]
    for words in (("add", "The board met. It decided to move the office.", "--kind", "minutes"), ("confirm",)):
        assert quaestor("plan", session, *words).code == 0
    report = quaestor("resume", session)
    assert report.code == 0, report.err
    assert "It decided to move the office" in report.out
    assert "quaestor:todo/t2/minutes" in report.out
    events = quaestor("events", session).out
    assert events.index("TAKING_MINUTES") < events.index("DEPOSITING")
    assert quaestor("verify", session).code == 0
    again = quaestor("research", question, "--model", f"replay:{session}")
    assert "It decided to move the office" in again.out, again.err


def test_its_own_options_are_read_and_refused(quaestor: Quaestor) -> None:
    none = quaestor("run", "minutes", f"{NOTES} We decided to go.", "--option", "most_decisions=1")
    assert none.out.count("- ") == 1
    wrong = quaestor("run", "minutes", NOTES, "--option", "most_decisions=none")
    assert (wrong.code, "most_decisions" in wrong.err) == (2, True)
    assert quaestor("run", "minutes", NOTES, "--option", "most_decisions").code == 2
    unknown = quaestor("run", "hours", NOTES)
    assert (unknown.code, "there are research" in unknown.err) == (2, True), unknown.err


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
