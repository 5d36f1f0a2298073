"""docs/deploy.md: its units, its container file and its commands are tried as they stand there."""

import asyncio
import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import psycopg
import pytest

from fakes.needed import lacking
from fakes.papers import write_papers
from fakes.postgres import Postgres, _free_port, _programs, postgres
from fakes.sittings import LIGHTHOUSE
from quaestor.app import open_home
from quaestor.contracts.settings import Settings
from quaestor.faces.cli.main import run
from quaestor.faces.cli.program import build_app
from quaestor.storage.errors import newer_release

__all__ = ["postgres"]

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "deploy.md").read_text(encoding="utf-8")
UNITS = dict(re.findall(r"/etc/systemd/system/([\w-]+\.service)`.*?```ini\n(.*?)```", PAGE, re.DOTALL))
CONTAINER = (ROOT / "Containerfile").read_text(encoding="utf-8")
INSTRUCTIONS = [
    line.split(maxsplit=1)
    for line in re.sub(r"\\\n\s*", "", CONTAINER).splitlines()
    if line and not line.startswith("#")
]
OWNER_URL = "postgresql://quaestor_owner@db.example/quaestor"


def blocks(kind: str, heading: str) -> list[str]:
    section = PAGE.split(f"## {heading}\n")[1].split("\n## ")[0]
    return re.findall(rf"```{kind}\n(.*?)```", section, re.DOTALL)


def check_command(words: list[str]) -> None:
    """Check that a command exists with these options."""
    arguments = build_app()[words[0]].assemble_argument_collection()
    known = {name for argument in arguments for name in argument.names}
    assert {word for word in words if word.startswith("--")} <= known


@pytest.mark.parametrize("name", UNITS)
def test_a_unit_is_valid_and_leaves_time_for_what_runs(name: str, tmp_path: Path) -> None:
    assert sorted(UNITS) == ["quaestor-server.service", "quaestor-worker.service"]
    [program, *words] = re.findall(r"^ExecStart=(.*)$", UNITS[name], re.MULTILINE)[0].split()
    check_command(words)
    [seconds] = re.findall(r"^TimeoutStopSec=(\d+)$", UNITS[name], re.MULTILINE)
    assert int(seconds) > 2 * Settings().grace_seconds
    assert "RestrictNamespaces" not in UNITS[name], "the sandbox of tasks is made of namespaces"
    if shutil.which("systemd-analyze") is None:
        pytest.skip("there is no systemd here")
    unit = tmp_path / name
    unit.write_text(UNITS[name].replace(program, sys.executable), encoding="utf-8")
    checked = subprocess.run(
        ["systemd-analyze", "verify", "--man=no", unit], capture_output=True, text=True, check=False
    )
    assert (checked.returncode, checked.stderr) == (0, "")


def test_the_container_needs_no_root_and_names_what_it_writes_to() -> None:
    names = [name for name, _ in INSTRUCTIONS]
    known = {"FROM", "WORKDIR", "COPY", "RUN", "ENV", "VOLUME", "EXPOSE", "USER", "HEALTHCHECK", "ENTRYPOINT", "CMD"}
    assert set(names) <= known
    last = names[len(names) - names[::-1].index("FROM") :]
    assert last.index("RUN") < last.index("USER"), "nothing is installed as the user of the program"
    values = dict(INSTRUCTIONS)
    [build] = [line for block in blocks("sh", "A container") for line in block.splitlines() if "podman build" in line]
    assert build == "podman build --format docker --tag quaestor .", "else there is no HEALTHCHECK"
    assert build in CONTAINER
    assert re.fullmatch(r"[1-9]\d*:[1-9]\d*", values["USER"])
    assert values["VOLUME"] == '["/var/lib/quaestor"]'
    assert "QUAESTOR_HOME=/var/lib/quaestor" in values["ENV"]
    check_command([word.strip('"') for word in values["CMD"].strip("[]").split(", ")])
    copied = [words.split()[:-1] for name, words in INSTRUCTIONS if name == "COPY" and not words.startswith("--from")]
    assert all((ROOT / source).exists() for sources in copied for source in sources)
    [extras] = re.findall(r"\[([\w,]+)\]\"", CONTAINER)
    declared = re.findall(r"^(\w+) = \[", (ROOT / "pyproject.toml").read_text(encoding="utf-8"), re.MULTILINE)
    assert set(extras.split(",")) <= set(declared)


@pytest.mark.skipif(sys.platform != "linux", reason="namespaces are of Linux")
def test_the_server_runs_on_a_read_only_root_and_its_health_is_checked(tmp_path: Path) -> None:
    if shutil.which("bwrap") is None:
        lacking("bubblewrap", "it makes a root file system that is read-only")
    home, port = tmp_path / "home", _free_port()
    home.mkdir()
    user = ("--unshare-user", "--uid", "10001", "--gid", "10001", "--die-with-parent", "--tmpfs", "/tmp")  # noqa: S108
    program = ("--ro-bind", str(ROOT), str(ROOT))  # which may itself be below /tmp
    inside = ("bwrap", "--ro-bind", "/", "/", *user, *program, "--bind", str(home), str(home))
    serve = (sys.executable, "-m", "quaestor.faces.cli.main", "serve", "--no-worker", "--port", str(port))
    with subprocess.Popen(
        (*inside, *serve, "--home", str(home)), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as server:
        try:
            assert server.stdout
            line = server.stdout.readline()
            if not line and server.stderr and "bwrap" in (reason := server.stderr.read()):
                lacking("a namespace", reason)
            [check] = re.findall(r'"-c", "(.*)"\]', dict(INSTRUCTIONS)["HEALTHCHECK"])
            exec(check.replace("8765", str(port)), {})  # noqa: S102 -- that it answers is the test
        finally:
            server.terminate()


def test_what_an_older_program_says_is_quoted() -> None:
    quoted = " ".join(re.findall(r"^    error: (.*?)\n\n", PAGE, re.MULTILINE | re.DOTALL)[0].split())
    said = str(newer_release("postgresql://db.example:5432/quaestor", "0009_example", "0.3.0"))
    assert re.sub(r"newer than this [\d.]+;", "newer than this 0.2.0;", said) == quoted


def call(line: str, places: Mapping[str, str]) -> int:
    """Run a command of the page, with the places of this machine in it."""
    words = shlex.split(line)
    return run([places.get(word, word) for word in words])


@pytest.mark.skipif(sys.platform == "win32", reason="Postgres is tested on systems with sockets of their own")
def test_the_way_from_a_home_to_postgres_its_backup_and_back(
    postgres: Postgres, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    home = tmp_path / "home"
    monkeypatch.setenv("QUAESTOR_HOME", str(home))
    session = asyncio.run(finished(home, tmp_path))
    places = {
        "/var/lib/quaestor": str(home),
        "/var/lib/restored": str(tmp_path / "restored"),
        "/backup/quaestor.tar": str(tmp_path / "quaestor.tar"),
        OWNER_URL: postgres.url("quaestor", "quaestor_owner"),
    }
    commands = [line for block in blocks("console", "A server with systemd") for line in block.splitlines()]
    assert [call(line.removeprefix("$ quaestor "), places) for line in commands] == [0, 0]
    [roles] = blocks("sql", "Postgres")
    postgres.run(*roles.strip().split("\n"))
    [[copy]] = [block.splitlines() for block in blocks("console", "Postgres")]
    assert call(copy.removeprefix("$ quaestor "), places) == 0
    machines = (ROOT / "docs" / "machines.md").read_text(encoding="utf-8")
    [grants] = re.findall(r"```sql\n(.*?)```", machines, re.DOTALL)
    with psycopg.connect(places[OWNER_URL], autocommit=True) as owner:
        owner.execute(grants.replace("$schema", "public").replace("$role", "quaestor").encode())
    monkeypatch.setenv("QUAESTOR_STORE", postgres.url("quaestor", "quaestor"))
    assert run(["verify", session]) == 0
    [[back_up, restore]] = [block.splitlines() for block in blocks("console", "Backups")]
    assert call(back_up.removeprefix("$ quaestor "), places) == 0
    dump_and_restore(postgres, tmp_path)
    monkeypatch.setenv("QUAESTOR_STORE", postgres.url("restored", "quaestor"))
    assert run(["verify", session]) == 0
    monkeypatch.delenv("QUAESTOR_STORE")
    assert call(restore.removeprefix("$ quaestor "), places) == 0
    capsys.readouterr()
    assert run(["report", session]) == 0
    report = capsys.readouterr().out
    assert run(["report", session, "--home", places["/var/lib/restored"]]) == 0
    assert capsys.readouterr().out == report


async def finished(home: Path, folder: Path) -> str:
    async with open_home(home, effort="low") as q:
        session = await q.start(LIGHTHOUSE, await q.index([write_papers(folder)]))
        await q.run(session)
        return session


def dump_and_restore(postgres: Postgres, folder: Path) -> None:
    programs = next(_programs())
    environment = {**os.environ, "PATH": f"{programs}:{os.environ['PATH']}"}
    environment |= {"PGHOST": str(postgres.folder), "PGPORT": str(postgres.port), "PGUSER": "postgres"}
    [block] = blocks("sh", "Backups")
    for line in block.splitlines():
        words = shlex.split(line.replace(OWNER_URL, postgres.url("quaestor", "quaestor_owner")))
        subprocess.run(words, env=environment, cwd=folder, check=True, timeout=200)
