"""Builds the wheel and installs it as a user does, into a new environment and by its own pip, and uses it there."""

import os
import re
import shutil
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
EXTRAS = [name for name in PROJECT["optional-dependencies"] if name != "all"]
OLDEST = Path(__file__).with_name("oldest.txt")
OLD_PIP, NEW_PIP = "pip==23.2.1", "pip"
CACHE = ROOT / ".venv" / "wheels"
LAMP = "The lamp of Aldmouth burned colza oil until 1871.\n\nThree keepers tended the lamp of Aldmouth by turns.\n"

WAYS = [
    *(pytest.param((extra,), NEW_PIP, False, id=extra) for extra in EXTRAS),
    pytest.param(("web",), OLD_PIP, False, id="web, by an old pip"),
    pytest.param(tuple(EXTRAS), NEW_PIP, False, id="all"),
    pytest.param(tuple(EXTRAS), OLD_PIP, True, id="all, the oldest, by an old pip"),
]


def ran(*words: str | Path, **more: str) -> str:
    """Run a program far from the sources; return what it printed."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "QUAESTOR_"))}
    environment = {**kept, "PIP_CACHE_DIR": str(CACHE), "PIP_DISABLE_PIP_VERSION_CHECK": "1", **more}
    done = subprocess.run(
        [*map(str, words)], capture_output=True, text=True, check=False, cwd="/", env=environment, timeout=1800
    )
    assert done.returncode == 0, f"{words}\n{done.stdout}\n{done.stderr}"
    return done.stdout


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the source distribution and, out of that, the wheel; return the wheel."""
    folder = tmp_path_factory.mktemp("dist")
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "--target", "sdist", "--directory", folder], cwd=ROOT, check=True
    )
    [source] = folder.glob("*.tar.gz")
    ran(sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir", folder, source)
    [wheel] = folder.glob("*.whl")
    return wheel


@pytest.fixture
def place(tmp_path: Path) -> Iterator[Path]:
    """Return the folder of a new environment, which is large and does not stay."""
    yield tmp_path / "environment"
    shutil.rmtree(tmp_path / "environment", ignore_errors=True)


@pytest.mark.packaging
@pytest.mark.parametrize(("extras", "pip", "oldest"), WAYS)
def test_what_is_installed_works(
    built: Path, place: Path, tmp_path: Path, extras: tuple[str, ...], pip: str, *, oldest: bool
) -> None:
    ran(sys.executable, "-m", "venv", place)
    python, program = place / "bin" / "python", place / "bin" / "quaestor"
    ran(python, "-m", "pip", "install", "--quiet", "--upgrade", pip)
    constraints = ("--constraint", OLDEST) if oldest else ()
    ran(python, "-m", "pip", "install", "--quiet", *constraints, f"{built}[{','.join(extras)}]")
    ran(python, "-m", "pip", "check")
    assert PROJECT["name"] in ran(program, "--version") or re.search(r"\d+\.\d+", ran(program, "--version"))
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "lamp.txt").write_text(LAMP, encoding="utf-8")
    home = ("--home", tmp_path / "home")
    report = ran(program, "research", "What did the lamp of Aldmouth burn?", "--docs", tmp_path / "docs", *home)
    assert "colza oil" in report
    used = ran(python, Path(__file__).with_name("use.py"), *extras, PYTHONPATH=str(ROOT / "tests"))
    assert used.splitlines() == [f"{extra} works" for extra in extras]


def test_the_oldest_versions_are_those_that_the_project_names() -> None:
    lines = OLDEST.read_text(encoding="utf-8").splitlines()
    locked = {line.partition("==")[0]: line.partition("==")[2].split(" ")[0] for line in reversed(lines)}
    wanted = [*PROJECT["dependencies"], *(each for extra in EXTRAS for each in PROJECT["optional-dependencies"][extra])]
    for requirement in wanted:
        name, least = re.match(r"([\w.-]+)(?:\[.*\])?>=([\d.]+(?:post\d+)?)", requirement).groups()  # type: ignore[union-attr]
        assert f"{locked[name.replace('_', '-')]}.".startswith(f"{least}."), requirement


@pytest.mark.packaging
def test_the_wheel_and_the_source_hold_what_they_should(built: Path) -> None:
    with zipfile.ZipFile(built) as wheel:
        names = set(wheel.namelist())
        metadata = wheel.read(next(name for name in names if name.endswith("/METADATA"))).decode()
    pages = {f"quaestor/docs/{page.name}" for page in (ROOT / "docs").glob("*.md")}
    assert pages | {"quaestor/py.typed", "quaestor/docs/session.svg"} <= names
    assert {name.split("/")[0] for name in names} == {"quaestor", f"{built.name.split('-py3')[0]}.dist-info"}
    assert not [name for name in names if name.startswith("quaestor/docs/") and not name.endswith((".md", ".svg"))]
    assert not re.search(r"\]\((?!https?:|#)", metadata)
    with tarfile.open(next(built.parent.glob("*.tar.gz"))) as source:
        top = {name.split("/")[1] for name in source.getnames()}
    assert {"src", "tests", "docs", "examples", "release", "install.sh", "LICENSE", "Makefile"} <= top
    assert not top & {".venv", ".cache", "dist", "site"}


@pytest.mark.packaging
def test_the_installer_installs_for_a_user_with_a_fresh_home(built: Path, tmp_path: Path) -> None:
    fresh = {"HOME": str(tmp_path), "PATH": f"{Path(sys.executable).parent}:/usr/bin:/bin", "UV_SYSTEM_CERTS": "1"}
    fresh |= {"SSL_CERT_FILE": os.environ["PIP_CERT"]} if "PIP_CERT" in os.environ else {}
    said = ran("sh", ROOT / "install.sh", "--extras", "", built, **fresh)
    program = tmp_path / ".local" / "bin" / "quaestor"
    assert f"installed: {program}" in said
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "lamp.txt").write_text(LAMP, encoding="utf-8")
    question = "What did the lamp of Aldmouth burn?"
    assert "colza oil" in ran(program, "research", question, "--docs", tmp_path / "docs", **fresh)
    ran("sh", ROOT / "install.sh", "--uninstall", **fresh)
    assert not program.exists()


@pytest.mark.packaging
def test_the_plugins_of_the_examples_are_found_once_pip_installed_them(built: Path, place: Path) -> None:
    ran(sys.executable, "-m", "venv", place)
    ran(place / "bin" / "python", "-m", "pip", "install", "--quiet", built, "hatchling")
    pip = (place / "bin" / "python", "-m", "pip", "install", "--quiet", "--no-deps", "--no-build-isolation")
    ran(*pip, ROOT / "examples" / "plugins")
    found = ran(
        place / "bin" / "python", "-c", "from quaestor.longtask.tools.registry import find_tool as f; f('days_between')"
    )
    assert found == ""
