"""A real server that speaks MongoDB's protocol: FerretDB on SQLite, as `make test-mongo` builds it."""

import os
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

from fakes.needed import lacking

BUILT = Path(__file__).parents[2] / ".venv" / "ferretdb-v1.24.0"
_SECONDS = 200


class FerretDB:
    """A server at a port of this machine, over one folder; it can be killed, and started again as it was."""

    def __init__(self, program: Path, folder: Path, *, login: tuple[str, str] | None = None) -> None:
        self.port = _free_port()
        self._folder = folder
        self._process: subprocess.Popen[bytes] | None = None
        user, password = login or ("", "")
        secured = ("--test-enable-new-auth", "--setup-database=admin", f"--setup-username={user}") if login else ()
        self._line = (
            *(str(program), "--handler=sqlite", f"--sqlite-url=file:{folder}/", f"--state-dir={folder}"),
            *(f"--listen-addr=127.0.0.1:{self.port}", "--telemetry=disable", "--debug-addr=-", "--log-level=error"),
            *(*secured, *((f"--setup-password={password}",) if login else ())),
        )

    def url(self, database: str = "quaestor", login: str = "") -> str:
        return f"mongodb://{login}127.0.0.1:{self.port}/{database}"

    def start(self) -> None:
        self._folder.mkdir(parents=True, exist_ok=True)
        with (self._folder / "log").open("ab") as log:
            self._process = subprocess.Popen(self._line, stdout=log, stderr=log, process_group=0)
        deadline = time.monotonic() + _SECONDS
        while time.monotonic() < deadline and self._process.poll() is None:
            with suppress(OSError), socket.create_connection(("127.0.0.1", self.port), timeout=1):
                return
            time.sleep(0.02)
        raise OSError((self._folder / "log").read_text(errors="replace")[-300:])

    def kill(self) -> None:
        """End it by SIGKILL."""
        if self._process:
            self._process.kill()
            self._process.wait()
            self._process = None


@contextmanager
def serving(folder: Path, *, login: tuple[str, str] | None = None, started: bool = True) -> Iterator[FerretDB]:
    """Return a server of its own; a test that needs one ends where none was built."""
    server = FerretDB(_program(), folder, login=login)
    try:
        if started:
            server.start()
        yield server
    finally:
        server.kill()


@pytest.fixture(scope="session")
def ferretdb(tmp_path_factory: pytest.TempPathFactory) -> Iterator[FerretDB]:
    """Return the server that tests share, each with a database of its own."""
    with serving(tmp_path_factory.mktemp("ferretdb")) as server:
        yield server


def _program() -> Path:
    if named := os.environ.get("FERRETDB"):
        return Path(named).resolve()
    if not BUILT.exists():
        lacking("Go", "there is no server that speaks MongoDB's protocol here; `make test-mongo` builds one, with Go")
    return BUILT


def _free_port() -> int:
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        return int(listening.getsockname()[1])
