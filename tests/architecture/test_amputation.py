"""The program without one of its wings: what is left type-checks and passes its tests."""

import ast
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
REGISTRY = "src/quaestor/runtime/registry.py"
RESEARCH = "tests/app/test_app.py::test_a_question_becomes_a_report_of_proven_quotes"
TASK = "tests/app/test_tasks.py::test_a_task_is_carried_out_in_a_folder_of_its_own_in_the_home"
DECISION = "tests/trading/test_todo.py::test_a_cycle_that_fails_is_a_todo_that_failed_and_harms_no_other"


@dataclass(frozen=True)
class Wing:
    """A wing that is taken away: what goes with it, and what is left."""

    name: str
    registry: tuple[str, ...]
    """Its lines in the registry."""
    own: re.Pattern[str]
    """Tests and benches that may go with it; any other one that needs it is a fault."""
    pages: tuple[str, ...]
    commands: frozenset[str]
    workflows: tuple[str, ...]
    """Those that are left."""
    shown_by: tuple[str, ...]
    """Tests of others that show something with a session of the wing."""
    fast: tuple[str, ...]
    """Tests of the gate: registry, settings, help of all commands, every prompt, a session of each other workflow."""


TRADING = Wing(
    "trading",
    ('        "decision": "quaestor.trading",\n',),
    re.compile(
        r"trading|trader|decision|decid|market|broker|venue|desk|mandate|risk|backtest|cycles|indicators|performance"
        r"|packaging|docs/test_commands"  # these two use everything there is
    ),
    ("trading", "market", "backtest"),
    frozenset({"decide", "backtest", "cycles"}),
    ("research", "longtask"),
    (),
    (
        "tests/runtime/test_registry.py",
        "tests/runtime/test_folder_settings.py",
        "tests/runtime/test_resources.py",
        "tests/faces/cli/test_program.py::test_every_command_has_help_with_the_home",
        "tests/faces/cli/test_agents.py",
        "tests/agents/test_prompts.py",
        RESEARCH,
        TASK,
    ),
)
LONGTASK = Wing(
    "longtask",
    (
        '        "longtask": "quaestor.longtask",\n',
        '        "tool": "longtask",\n',
        '        "playbook": "quaestor.longtask.playbook:open_playbook",\n',
    ),
    re.compile(
        r"longtask|task|app/test_approvals|app/test_shared_folder"  # approvals and workspaces are those of tasks
        r"|packaging|docs/test_commands"
    ),
    ("longtask",),
    frozenset({"task"}),
    ("research", "decision"),
    (
        "app/copies/test_backup.py",
        "app/test_erasure.py",
        "app/watching/test_log_pages.py",
        "faces/cli/test_documentation.py",
        "faces/cli/test_suggestions.py",
        "faces/server/openai/test_responses.py",
        "faces/server/test_access.py",
        "faces/server/web/test_live.py",
        "faces/server/web/test_reading.py",
        "runtime/test_decision_and_task_snapshots.py",
        "runtime/test_session_status.py",
    ),
    (RESEARCH, DECISION),
)
PARALLEL = ("-n", "4", "--dist", "loadgroup", "--no-loadscope-reorder")
OF_THE_WHOLE = (
    "architecture",
    "agents/test_documentation.py",
    "docs",
    "faces/server/test_operations.py",
    "packaging/test_release.py",
    "tools/sandbox/test_probes.py",
)
"""Tests of the whole program: of its structure, its table of operations and the pages that name all that it has. And
those of what another user can do, to whom the copy is closed."""
IMPORT_ABOVE = """
import importlib, pkgutil, quaestor
for module in pkgutil.walk_packages(quaestor.__path__, "quaestor."):
    if module.name.split(".")[1] in {"app", "faces", "longtask", "research", "runtime", "trading"}:
        importlib.import_module(module.name)
from quaestor.runtime.registry import built_in_commands, workflow_names
print(quaestor.__file__, *workflow_names(), *built_in_commands())
"""
"""Imports the wings and what is above them: by the contracts of the layers nothing below can name a wing."""


def imported(file: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        match node:
            case ast.ImportFrom(module=str(module), names=names):
                yield module
                yield from (f"{module}.{name.name}" for name in names)
            case ast.Import(names=names):
                yield from (name.name for name in names)
            case _:
                pass


def of_the_wing(root: Path, wing: str) -> set[Path]:
    """Return the tests of a wing, the tests and benches that import it, and those that import one of these."""
    own = root / "tests" / wing
    files = {file: set(imported(file)) for folder in ("tests", "bench") for file in (root / folder).rglob("*.py")}
    package, found = f"quaestor.{wing}.", set[Path]()
    while True:
        names = {
            ".".join(file.relative_to(root / "tests").with_suffix("").parts) for file in found if "tests" in file.parts
        }
        more = {
            file
            for file, imports in files.items()
            if file not in found
            and (own in file.parents or any(each in names or f"{each}.".startswith(package) for each in imports))
        }
        if not more:
            return found
        found |= more


@dataclass(frozen=True)
class Rest:
    """A copy of the tree without a wing, its lines in the registry, its tests, benches and pages."""

    folder: Path
    wing: Wing

    def run(self, *words: str) -> subprocess.CompletedProcess[str]:
        environment = {**os.environ, "PYTHONPATH": str(self.folder / "src")}
        return subprocess.run(
            [sys.executable, *words], cwd=self.folder, env=environment, capture_output=True, text=True, check=False
        )


WINGS = (
    pytest.param(TRADING, id="without trading"),
    pytest.param(LONGTASK, id="without longtask", marks=pytest.mark.soak),
)


@pytest.fixture(scope="module", params=WINGS)
def rest(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Rest:
    wing: Wing = request.param
    copy = tmp_path_factory.mktemp("rest")
    for folder in ("src", "tests", "bench", "docs", "examples", "release"):
        shutil.copytree(ROOT / folder, copy / folder)  # with what is compiled, so that it need not be again
    if (checked := ROOT / ".mypy_cache").is_dir():
        shutil.copytree(checked, copy / checked.name)
    for file in filter(Path.is_file, ROOT.iterdir()):
        shutil.copy2(file, copy / file.name)
    shutil.rmtree(copy / "src/quaestor" / wing.name)
    registry = copy / REGISTRY
    text = registry.read_text(encoding="utf-8")
    for line in wing.registry:
        assert text.count(line) == 1
        text = text.replace(line, "")
    registry.write_text(text, encoding="utf-8")
    gone = of_the_wing(copy, wing.name)
    unexpected = {name for file in gone if not wing.own.search(name := str(file.relative_to(copy)))}
    assert unexpected == set(), "these need the wing although they are about something else"
    for needs_the_wing in gone:
        needs_the_wing.unlink()
    for page in wing.pages:
        (copy / f"docs/{page}.md").unlink(missing_ok=True)
    return Rest(copy, wing)


def test_every_module_above_is_imported_and_the_registry_has_the_rest(rest: Rest) -> None:
    ran = rest.run("-c", IMPORT_ABOVE)
    assert ran.returncode == 0, ran.stderr
    place, *names = ran.stdout.split()
    assert Path(place).is_relative_to(rest.folder)
    assert tuple(names[:2]) == rest.wing.workflows
    assert "research" in names[2:]
    assert rest.wing.commands.isdisjoint(names)


def test_no_module_that_is_left_names_it(rest: Rest) -> None:
    """Also not for its types: mypy finds what is missing here where the program is installed for its developers."""
    package, modules = f"quaestor.{rest.wing.name}.", (rest.folder / "src").rglob("*.py")
    assert [file for file in modules if any(f"{each}.".startswith(package) for each in imported(file))] == []


def test_it_passes_its_tests(rest: Rest) -> None:
    ran = rest.run("-m", "pytest", "-q", "-p", "no:cacheprovider", "-n0", *rest.wing.fast)
    assert ran.returncode == 0, ran.stdout[-4000:]


def test_it_type_checks(rest: Rest) -> None:
    ran = rest.run("-m", "mypy", "src")
    assert ran.returncode == 0, ran.stdout[-4000:]


@pytest.mark.soak
def test_its_tests_type_check(rest: Rest) -> None:
    ran = rest.run("-m", "mypy", "src", "tests")
    assert ran.returncode == 0, ran.stdout[-4000:]


@pytest.mark.soak
def test_it_passes_all_its_tests(rest: Rest) -> None:
    ignored = [f"--ignore=tests/{path}" for path in (*OF_THE_WHOLE, *rest.wing.shown_by)]
    ran = rest.run("-m", "pytest", "-q", "-p", "no:cacheprovider", *PARALLEL, *ignored, "tests")
    assert ran.returncode == 0, ran.stdout[-8000:]
