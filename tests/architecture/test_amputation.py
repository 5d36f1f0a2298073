"""The program without its trading wing: what is left type-checks and passes its tests."""

import ast
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
WING = "quaestor.trading"
REGISTRY = "src/quaestor/runtime/registry.py"
REGISTRY_LINE = '        "decision": "quaestor.trading",\n'
OF_THE_WING = re.compile(
    r"trading|trader|decision|decid|market|broker|venue|desk|mandate|risk|backtest|cycles|indicators|performance"
    r"|packaging|docs/test_commands"  # these two use everything there is
)
"""Tests and benches that may go with the wing; any other one that needs it is a fault."""
FAST = (
    "tests/faces/cli/test_program.py",
    "tests/faces/cli/test_agents.py",
    "tests/agents/test_prompts.py",
    "tests/test_app.py::test_a_question_becomes_a_report_of_proven_quotes",
    "tests/test_tasks.py::test_a_task_is_carried_out_in_a_folder_of_its_own_in_the_home",
)
"""Help of all commands, every prompt, one research session, one task."""
IMPORT_ALL = """
import importlib, pkgutil, quaestor
for module in pkgutil.walk_packages(quaestor.__path__, "quaestor."):
    if not module.name.startswith("quaestor.tools.sandbox.launcher"):
        importlib.import_module(module.name)
from quaestor.runtime.registry import built_in_commands, workflow_names
print(quaestor.__file__, *workflow_names(), *built_in_commands())
"""


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


def of_the_wing(root: Path) -> set[Path]:
    """Return the tests and benches that import the wing, and those that import one of these."""
    files = {file: set(imported(file)) for folder in ("tests", "bench") for file in (root / folder).rglob("*.py")}
    found: set[Path] = set()
    while True:
        names = {
            ".".join(file.relative_to(root / "tests").with_suffix("").parts) for file in found if "tests" in file.parts
        }
        more = {
            file
            for file, imports in files.items()
            if file not in found and any(each in names or f"{each}.".startswith(f"{WING}.") for each in imports)
        }
        if not more:
            return found
        found |= more


@pytest.fixture(scope="module")
def rest(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a copy of the tree without the wing, its line in the registry, its tests, benches and pages."""
    copy = tmp_path_factory.mktemp("rest")
    for folder in ("src", "tests", "bench", "docs"):
        shutil.copytree(ROOT / folder, copy / folder, ignore=shutil.ignore_patterns("__pycache__"))
    for file in ("pyproject.toml", "README.md"):
        shutil.copy2(ROOT / file, copy / file)
    shutil.rmtree(copy / "src/quaestor/trading")
    registry = copy / REGISTRY
    text = registry.read_text(encoding="utf-8")
    assert text.count(REGISTRY_LINE) == 1
    registry.write_text(text.replace(REGISTRY_LINE, ""), encoding="utf-8")
    gone = of_the_wing(copy)
    unexpected = {str(file.relative_to(copy)) for file in gone if not OF_THE_WING.search(str(file.relative_to(copy)))}
    assert unexpected == set(), "these need the wing although they are about something else"
    for needs_the_wing in gone:
        needs_the_wing.unlink()
    for page in ("trading", "market", "backtest"):
        (copy / f"docs/{page}.md").unlink(missing_ok=True)
    return copy


def run(rest: Path, *words: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PYTHONPATH": str(rest / "src")}
    return subprocess.run(
        [sys.executable, *words], cwd=rest, env=environment, capture_output=True, text=True, check=False
    )


def test_every_module_is_imported_and_the_registry_has_the_rest(rest: Path) -> None:
    ran = run(rest, "-c", IMPORT_ALL)
    assert ran.returncode == 0, ran.stderr
    place, *names = ran.stdout.split()
    assert Path(place).is_relative_to(rest)
    assert names[:2] == ["research", "longtask"]
    assert {"research", "task"} <= set(names[2:])
    assert {"decision", "decide", "backtest", "cycles"}.isdisjoint(names)


def test_it_passes_its_tests(rest: Path) -> None:
    ran = run(rest, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-n0", *FAST)
    assert ran.returncode == 0, ran.stdout[-4000:]


def test_it_type_checks(rest: Path, request: pytest.FixtureRequest) -> None:
    cache = request.config.cache
    assert cache is not None
    folder = cache.mkdir("mypy-without-trading")
    ran = run(rest, "-m", "mypy", "--cache-dir", str(folder), "src", "tests")
    assert ran.returncode == 0, ran.stdout[-4000:]


@pytest.mark.soak
def test_it_passes_all_its_tests(rest: Path) -> None:
    ran = run(rest, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--ignore=tests/architecture", "tests")
    assert ran.returncode == 0, ran.stdout[-8000:]
