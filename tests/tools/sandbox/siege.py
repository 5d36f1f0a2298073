"""Lets probes attack one way to run commands, and prints what came of each of them, as JSON.

`python siege.py WAY USER PYTHON PROBE ...`: the name of a sandbox, or `nothing` for no sandbox; the number of the
user to be; an interpreter that user can run; the names of the probes.
"""

import ast
import asyncio
import fcntl
import json
import os
import secrets
import shutil
import signal
import socket
import sys
import tempfile
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from subprocess import DEVNULL

from pydantic import Field
from typing_extensions import override

from quaestor.contracts.base import Contract
from quaestor.contracts.errors import ToolFailed
from quaestor.contracts.sandbox import ResourceLimits, Sandbox
from quaestor.tools.sandbox.launcher import scratch
from quaestor.tools.sandbox.tiers import BubblewrapSandbox, LauncherSandbox

PROBES = Path(__file__).parent / "probes"
NOTHING = "nothing"
_AT_ONCE = 4
_ALLOWED = ResourceLimits(seconds=8, memory_bytes=2**27, processes=32, disk_bytes=2**22, output_bytes=2**16)
_SHORT = _ALLOWED.model_copy(update={"seconds": 0.5})
_TOGETHER = _ALLOWED.model_copy(update={"seconds": 60})
_ALONE = {"excess", "processes"}
"""The files whose probes are each run in a sandbox of their own."""
_ABOUT_TIME = ("excess.time", "processes.a_daemon_left_when_the_time_is_over")
_PF_EXITING = 0x4
"""A flag in /proc/PID/stat: the process is on its way out (include/linux/sched.h)."""
_EVERYBODYS = (Path("/dev/shm"), Path("/var/tmp"))  # noqa: S108 -- what a probe may have left there


def probes() -> list[str]:
    """Name every probe: its file and its function."""
    return [
        f"{file.stem}.{part.name}"
        for file in sorted(PROBES.glob("*.py"))
        if file.stem != "prelude"
        for part in ast.parse(file.read_text(encoding="utf-8")).body
        if isinstance(part, ast.FunctionDef) and not part.name.startswith("_")
    ]


def way(name: str, python: str) -> Sandbox | None:
    """Return the sandbox of this name."""
    match name:
        case "bubblewrap":
            return BubblewrapSandbox(python)
        case "launcher":
            return LauncherSandbox(python)
        case "launcher with an older kernel":
            return LauncherSandbox(python, landlock=3)
        case _:
            return None


class Outcome(Contract):
    """What came of one probe."""

    began: bool
    reached: tuple[str, ...]
    ended: str


class Siege(Contract):
    """What came of all of them; or why there was none."""

    outcomes: dict[str, Outcome] = Field(default_factory=dict)
    refused: str = ""


class Camp:
    """What surrounds one probe: a workspace, and all that it should not reach."""

    def __init__(self, base: Path) -> None:
        self.token, self.words = f"probe-{secrets.token_hex(8)}", f"words-{secrets.token_hex(8)}"
        self.base = base
        self.workspace, self.outside = base / "workspace", base / "outside"
        self.secret = self.outside / "secret"
        self.heard: list[str] = []
        self.left: list[int] = []

    @asynccontextmanager
    async def pitched(self, run: str) -> AsyncIterator[str]:
        """Set all up, and return what the probe is told."""
        self.outside.mkdir()
        scripts = self.workspace / ".probes/tools/sandbox/probes"
        scripts.mkdir(parents=True)
        for script in ("prelude.py", f"{run.partition('.')[0]}.py"):
            shutil.copyfile(PROBES / script, scripts / script)
        self.secret.write_text(self.words, encoding="utf-8")
        self.left_open = os.open(self.secret, os.O_RDONLY)
        os.set_inheritable(self.left_open, True)
        self._master, self._terminal = os.openpty()
        os.set_blocking(self._terminal, False)
        loop = asyncio.get_running_loop()
        tcp = await asyncio.start_server(lambda *_: self.heard.append("tcp"), "127.0.0.1", 0)
        udp = (await loop.create_datagram_endpoint(lambda: _Ear(self.heard), ("127.0.0.1", 0)))[0]
        local = await asyncio.start_unix_server(lambda *_: self.heard.append("local"), self.outside / "local")
        abstract = await asyncio.start_unix_server(lambda *_: self.heard.append("abstract"), f"\0{self.token}")
        datagrams = (
            await loop.create_datagram_endpoint(
                lambda: _Ear(self.heard), str(self.outside / "local datagrams"), family=socket.AF_UNIX
            )
        )[0]
        victim = await asyncio.create_subprocess_exec(
            *(self.words, "60"),
            executable="/bin/sleep",
            cwd=self.outside,
            env={"KEY": self.words},
        )
        self._victim = victim.pid
        self._before = self._seen_outside()
        try:
            yield json.dumps(
                {
                    "run": run,
                    "outside": str(self.outside),
                    "secret": str(self.secret),
                    "words": self.words,
                    "victim": str(victim.pid),
                    "tcp": str(tcp.sockets[0].getsockname()[1]),
                    "udp": str(udp.get_extra_info("sockname")[1]),
                    "local": str(self.outside / "local"),
                    "abstract": self.token,
                    "datagrams": str(self.outside / "local datagrams"),
                    "terminal": os.ttyname(self._terminal),
                    "token": self.token,
                }
            )
        finally:
            with suppress(ProcessLookupError):
                victim.kill()
            await victim.wait()
            udp.close()
            datagrams.close()
            for server in (tcp, local, abstract):
                server.close()
            for descriptor in (self.left_open, self._master, self._terminal):
                os.close(descriptor)

    def achieved(self, said: str) -> list[str]:
        """Return what a probe achieved that has written `said` and is over."""
        reached = list(self.heard)
        if (told := self.workspace / "through").exists():
            reached.append(f"said {told.read_text(encoding='utf-8')!r}")
        if self._seen_outside() != self._before:
            reached.append("changed what is outside")
        if self.words in said:
            reached.append("told the secret")
        if self._typed():
            reached.append("typed into a terminal")
        for folder in _EVERYBODYS:
            if (left := folder / self.token).exists():
                left.unlink()
                reached.append(f"wrote to {folder}")
        self.left = self._alive()
        if self.left or self._held():
            reached.append("lives")
        if not _lives(self._victim):
            reached.append("killed another process")
        return reached

    def _alive(self) -> list[int]:
        """Find the processes of the probe, and of what started it."""
        found = []
        for process in Path("/proc").glob("[0-9]*"):
            with suppress(OSError):
                if self.token.encode() in (process / "cmdline").read_bytes():
                    found.append(int(process.name))
        return found

    def _held(self) -> bool:
        try:
            with (self.workspace / "held").open("rb") as lock:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except FileNotFoundError:
            return False
        except BlockingIOError:
            return True
        return False

    def _typed(self) -> bool:
        try:
            return bool(os.read(self._terminal, 100))
        except BlockingIOError:
            return False

    def _seen_outside(self) -> list[tuple[object, ...]]:
        paths = (self.outside, *sorted(self.outside.iterdir()))
        return [(path, *_state(path)) for path in paths if not path.name.startswith("local")]


class _Ear(asyncio.DatagramProtocol):
    def __init__(self, heard: list[str]) -> None:
        self._heard = heard

    @override
    def datagram_received(self, data: bytes, addr: object) -> None:
        self._heard.append(f"udp {data!r} {addr}")


def _lives(process: int) -> bool:
    """Return whether a process was not killed: on a busy machine a signal takes some time to have its effect."""
    try:
        state, *fields = Path(f"/proc/{process}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
        status = Path(f"/proc/{process}/status").read_text(encoding="utf-8", errors="replace")
    except (FileNotFoundError, ProcessLookupError):
        return False
    pending = [int(line.split()[1], 16) for line in status.splitlines() if line.startswith(("SigPnd:", "ShdPnd:"))]
    killed = any(signals & 1 << signal.SIGKILL - 1 for signals in pending)
    return state != "Z" and not killed and not int(fields[5]) & _PF_EXITING


def _state(path: Path) -> tuple[object, ...]:
    found = path.lstat()
    content = path.read_bytes() if path.is_file() else b""
    return (
        found.st_mode,
        found.st_uid,
        found.st_mtime_ns,
        found.st_nlink,
        content,
        os.listxattr(path, follow_symlinks=False),
    )


def _place() -> Path:
    base = Path(tempfile.mkdtemp(prefix="siege-"))
    base.chmod(0o755)
    return base


async def attack(name: str, sandbox: Sandbox | None, python: str) -> Outcome:
    """Run one probe."""
    file, _, function = name.partition(".")
    async with _camped(file) as (camp, told):
        argv = _command(python, file, f"start({file}.{function})", told)
        allowed = _SHORT if name.startswith(_ABOUT_TIME) else _ALLOWED
        said = await (_confined(argv, camp, sandbox, allowed) if sandbox else _free(argv, camp))
        began = (camp.workspace / "began").exists()
        return Outcome(began=began, reached=tuple(camp.achieved(said)), ended=said[-300:])


async def attack_together(names: Sequence[str], sandbox: Sandbox, python: str) -> dict[str, Outcome]:
    """Run probes of one file in one sandbox; if any of them reaches anything or does not begin, each in its own."""
    file = names[0].partition(".")[0]
    async with _camped(file) as (camp, told):
        functions = {name: name.partition(".")[2] for name in names}
        code = f"start_each({', '.join(f'{file}.{function}' for function in functions.values())})"
        said = await _confined(_command(python, file, code, told), camp, sandbox, _TOGETHER)
        left = {path.name for path in camp.workspace.iterdir()}
        all_began = all(f".began {function}" in left for function in functions.values())
        is_clean = not camp.achieved(said) and not any(name.startswith(".through") for name in left)
    if all_began and is_clean:
        return {name: Outcome(began=True, reached=(), ended=said[-300:]) for name in names}
    return {name: await attack(name, sandbox, python) for name in names}


def _command(python: str, file: str, code: str, told: str) -> tuple[str, ...]:
    imports = f"from tools.sandbox.probes import {file}; from tools.sandbox.probes.prelude import start, start_each"
    return python, "-B", "-I", "-S", "-c", f"import sys; sys.path.append('.probes'); {imports}; {code}", told


@asynccontextmanager
async def _camped(file: str) -> AsyncIterator[tuple[Camp, str]]:
    """Return a camp with the probes of a file, and what they are told; at the end nothing of it is left."""
    camp = Camp(_place())
    try:
        async with camp.pitched(file) as told:
            yield camp, told
    finally:
        for process in camp.left:
            with suppress(ProcessLookupError):
                os.kill(process, signal.SIGKILL)
        scratch.remove(str(camp.base))


async def _confined(argv: Sequence[str], camp: Camp, sandbox: Sandbox, allowed: ResourceLimits) -> str:
    ran = await sandbox.run(argv, camp.workspace, b"", allowed)
    return f"{ran.stdout} {ran.stderr} {ran.exit_code} {ran.limit}"


async def _free(argv: Sequence[str], camp: Camp) -> str:
    """Run a probe with nothing in its way, until its first process ends; return the end of what it says."""
    source, sink = os.pipe()
    heard = bytearray()
    process = await asyncio.create_subprocess_exec(
        *argv,
        stdin=DEVNULL,
        stdout=sink,
        stderr=sink,
        cwd=camp.workspace,
        pass_fds=(camp.left_open,),
        env={"KEY": camp.words, "PROBE_CONTROL": "yes", "TMPDIR": str(camp.workspace)},
        start_new_session=True,
    )
    os.close(sink)
    loop = asyncio.get_running_loop()

    def hear() -> None:
        if chunk := os.read(source, 2**16):
            heard[:] = chunk[-1000:]
        else:
            loop.remove_reader(source)

    loop.add_reader(source, hear)
    await process.wait()
    loop.remove_reader(source)
    os.close(source)
    return heard.decode(errors="replace")


async def _main(name: str, python: str, chosen: Sequence[str]) -> None:
    sandbox = way(name, python)
    places = asyncio.Semaphore(_AT_ONCE)

    async def attacked(probes: Sequence[str]) -> dict[str, Outcome]:
        async with places:
            if sandbox and len(probes) > 1:
                return await attack_together(probes, sandbox, python)
            return {probe: await attack(probe, sandbox, python) for probe in probes}

    try:
        found = await asyncio.gather(*map(attacked, _groups(chosen) if sandbox else [[probe] for probe in chosen]))
        siege = Siege(outcomes={probe: outcome for outcomes in found for probe, outcome in outcomes.items()})
    except ToolFailed as error:
        siege = Siege(refused=str(error))
    sys.stdout.write(siege.model_dump_json())


def _groups(chosen: Sequence[str]) -> list[list[str]]:
    """Return the probes that are run together: those of a file, but for those that use up what a sandbox allows."""
    groups: dict[str, list[str]] = {}
    for probe in chosen:
        file = probe.partition(".")[0]
        groups.setdefault(probe if file in _ALONE else file, []).append(probe)
    return list(groups.values())


def _become(user: int) -> None:
    os.setgroups([])
    os.setgid(user)
    os.setuid(user)


if __name__ == "__main__":
    if os.geteuid() != int(sys.argv[2]):
        socket.getaddrinfo("127.0.0.1", 1)  # what is imported where it is needed must be imported before
        asyncio.run(asyncio.to_thread(int))
        _become(int(sys.argv[2]))
    asyncio.run(_main(sys.argv[1], sys.argv[3], sys.argv[4:]))
