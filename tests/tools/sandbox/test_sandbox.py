import asyncio
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from fakes.needed import lacking
from fakes.sample import sample
from quaestor.contracts.errors import ToolFailed
from quaestor.contracts.sandbox import ResourceLimits, Sandbox
from quaestor.tools.sandbox import launcher_process

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="commands are confined on Linux alone")

Alive = Callable[[str], list[int]]

_USUAL = ResourceLimits(seconds=200)


def _wait_until(holds: Callable[[], object]) -> None:
    until = time.monotonic() + 200
    while not holds():
        assert time.monotonic() < until
        time.sleep(0.01)


def _shell(words: str) -> tuple[str, ...]:
    return "sh", "-c", words


async def test_a_command_gives_its_exit_code_and_both_of_its_streams(sandbox: Sandbox, workspace: Path) -> None:
    ran = await sandbox.run(_shell("echo out; echo err >&2; exit 3"), workspace, b"", _USUAL)
    assert (ran.exit_code, ran.stdout, ran.stderr, ran.limit) == (3, "out\n", "err\n", None)


async def test_a_command_reads_what_it_is_given(sandbox: Sandbox, workspace: Path) -> None:
    ran = await sandbox.run(("wc", "-c"), workspace, b"x" * 300_000, _USUAL)
    assert ran.stdout.strip() == "300000"


async def test_a_command_need_not_read_what_it_is_given(sandbox: Sandbox, workspace: Path) -> None:
    ran = await sandbox.run(("true",), workspace, b"x" * 3_000_000, _USUAL)
    assert ran.exit_code == 0


async def test_a_command_finds_an_environment_of_its_own(
    sandbox: Sandbox, workspace: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ANY_API_KEY", "secret")
    ran = await sandbox.run(("env",), workspace, b"", _USUAL)
    found = dict(line.split("=", 1) for line in ran.stdout.splitlines())
    assert found["HOME"] == str(workspace)
    assert set(found) == {
        *("PATH", "HOME", "TMPDIR", "USER", "LOGNAME", "LANG", "TERM", "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS")
    }


async def test_what_a_command_makes_belongs_to_who_ran_it(sandbox: Sandbox, workspace: Path) -> None:
    await sandbox.run(_shell("umask 077; mkdir folder; echo words > folder/file"), workspace, b"", _USUAL)
    made = workspace / "folder/file"
    assert made.read_text() == "words\n"
    assert made.stat().st_uid == os.geteuid()
    made.unlink()


async def test_a_command_can_use_what_an_earlier_one_has_made(sandbox: Sandbox, workspace: Path) -> None:
    await sandbox.run(_shell("echo one > file"), workspace, b"", _USUAL)
    ran = await sandbox.run(_shell("echo two >> file; cat file; rm file"), workspace, b"", _USUAL)
    assert ran.stdout == "one\ntwo\n"
    assert not (workspace / "file").exists()


async def test_real_python_runs_with_the_packages_of_this_program(sandbox: Sandbox, workspace: Path) -> None:
    code = (
        "import pydantic, subprocess; print(subprocess.run(['echo', 'child']).returncode, pydantic.BaseModel.__name__)"
    )
    ran = await sandbox.run(("python", "-c", code), workspace, b"", _USUAL)
    assert ran.stdout == "child\n0 BaseModel\n", ran.stderr


async def test_a_command_can_write_temporary_files(
    sandbox: Sandbox, workspace: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(scratch))
    ran = await sandbox.run(
        _shell('mkdir -p "$TMPDIR/a/b" && echo x > "$TMPDIR/a/b/c" && chmod 0 "$TMPDIR/a" && echo made'),
        workspace,
        b"",
        _USUAL,
    )
    assert ran.stdout == "made\n", ran.stderr
    assert list(scratch.iterdir()) == []


async def test_a_command_that_takes_too_long_ends_with_124_and_nothing_lives(
    sandbox: Sandbox, workspace: Path, mark: str, alive: Alive
) -> None:
    for seconds in (1, 10, 100):  # the first that is enough for the command to have begun
        words = f"echo begun; sleep 1000; : {mark}"
        ran = await sandbox.run(_shell(words), workspace, b"", ResourceLimits(seconds=seconds))
        if ran.stdout:
            break
    assert (ran.exit_code, ran.limit, ran.stdout) == (124, "time", "begun\n")
    assert not alive(mark)


async def test_what_a_command_leaves_behind_ends_with_it(
    sandbox: Sandbox, workspace: Path, mark: str, alive: Alive
) -> None:
    ran = await sandbox.run(_shell(f"(setsid sh -c 'sleep 100; : {mark}' &) ; echo done"), workspace, b"", _USUAL)
    assert (ran.exit_code, ran.stdout) == (0, "done\n")
    assert not alive(mark)


async def test_a_command_that_says_too_much_is_ended_and_the_beginning_is_kept(
    sandbox: Sandbox, workspace: Path
) -> None:
    ran = await sandbox.run(("yes",), workspace, b"", ResourceLimits(output_bytes=1001))
    assert (ran.exit_code, ran.limit, ran.stdout_cut, ran.stderr_cut) == (137, "output", True, False)
    assert ran.stdout == "y\n" * 500 + "y"


async def test_a_command_may_say_exactly_as_much_as_it_is_allowed(sandbox: Sandbox, workspace: Path) -> None:
    ran = await sandbox.run(_shell("printf 1234"), workspace, b"", ResourceLimits(output_bytes=4))
    assert (ran.exit_code, ran.limit, ran.stdout, ran.stdout_cut) == (0, None, "1234", False)


async def test_a_command_that_a_signal_ends_says_which(sandbox: Sandbox, workspace: Path) -> None:
    ran = await sandbox.run(("python3", "-c", "import ctypes; ctypes.string_at(0)"), workspace, b"", _USUAL)
    assert ran.exit_code == 128 + signal.SIGSEGV


@pytest.mark.parametrize(("command", "code"), [("no-such-command", 127), ("./not-a-program", 126)])
async def test_a_command_that_cannot_be_started_says_so_as_a_shell_does(
    sandbox: Sandbox, workspace: Path, command: str, code: int
) -> None:
    (workspace / "not-a-program").write_text("words")
    ran = await sandbox.run((command,), workspace, b"", _USUAL)
    assert ran.exit_code == code
    assert ran.stderr.startswith(f"{command}: ")


async def test_a_full_workspace_can_be_emptied_but_not_filled(sandbox: Sandbox, workspace: Path) -> None:
    (workspace / "full").write_bytes(b"x" * 2**21)
    allowed = _USUAL.revised(disk_bytes=2**20)
    filled = await sandbox.run(_shell("head -c 60000 /dev/zero > more; sleep 100"), workspace, b"", allowed)
    emptied = await sandbox.run(_shell("rm full more; ls"), workspace, b"", allowed)
    assert (filled.exit_code, filled.limit) == (137, "disk")
    assert (emptied.exit_code, emptied.stdout) == (0, "")


async def test_many_short_processes_all_start(sandbox: Sandbox, workspace: Path) -> None:
    words = "for i in 1 2 3 4 5 6 7 8 9 10; do (sleep 0.001) & echo $i | cat | wc -l; done; wait"
    ran = await sandbox.run(_shell(words), workspace, b"", _USUAL)
    assert (ran.exit_code, ran.stdout, ran.stderr) == (0, "1\n" * 10, "")


async def test_a_command_can_pause_resume_and_end_what_it_started(sandbox: Sandbox, workspace: Path) -> None:
    words = """
        kill -0 $$ || exit 77
        (while :; do echo >> ticks; sleep 0.01; done) & ticking=$!
        while [ ! -s ticks ]; do sleep 0.01; done; kill -STOP $ticking; sleep 0.1
        before=$(wc -l < ticks); sleep 0.3; [ $(wc -l < ticks) = $before ] && echo paused
        kill -CONT $ticking; while [ $(wc -l < ticks) = $before ]; do sleep 0.01; done; echo resumed
        kill $ticking; wait $ticking; echo $?
    """
    ran = await sandbox.run(_shell(words), workspace, b"", _USUAL)
    if ran.exit_code == 77:
        pytest.skip("signals are refused where Landlock does not keep them within")
    assert ran.stdout.split() == ["paused", "resumed", "143"]


async def test_two_commands_run_at_once_and_each_is_alone(sandbox: Sandbox, tmp_path: Path) -> None:
    folders = [tmp_path / name for name in ("one", "other")]
    for folder in folders:
        folder.mkdir()
    runs = [sandbox.run(_shell("echo $$ > here; sleep 0.3; cat ../*/here"), folder, b"", _USUAL) for folder in folders]
    for ran in await asyncio.gather(*runs):
        assert len(ran.stdout.split()) <= 1


async def test_a_command_nobody_waits_for_any_more_is_ended(
    sandbox: Sandbox, workspace: Path, mark: str, alive: Alive
) -> None:
    run = asyncio.create_task(sandbox.run(_shell(f"touch began; sleep 100; : {mark}"), workspace, b"", _USUAL))
    await asyncio.to_thread(_wait_until, (workspace / "began").exists)
    assert alive(mark)
    run.cancel()
    with pytest.raises(asyncio.CancelledError):
        await run
    assert not alive(mark)


@pytest.mark.parametrize("ended", ["the program", "its launcher"])
async def test_a_command_ends_with_whoever_started_it_however_that_is_killed(
    sandbox: Sandbox, workspace: Path, mark: str, alive: Alive, ended: str
) -> None:
    starter = await asyncio.create_subprocess_exec(
        sys.executable, Path(__file__).with_name("starter.py"), sandbox.name, workspace, mark
    )
    await asyncio.to_thread(_wait_until, (workspace / "began").exists)
    started = alive(f"sleeper {mark}")
    os.kill(starter.pid if ended == "the program" else min(set(started) - {starter.pid}), signal.SIGKILL)
    await asyncio.to_thread(_wait_until, lambda: not alive(f"sleeper {mark}"))
    await starter.wait()


async def test_a_workspace_that_is_no_folder_is_refused(sandbox: Sandbox, tmp_path: Path) -> None:
    with pytest.raises(ToolFailed, match="is no folder of this user"):
        await sandbox.run(("true",), tmp_path / "nowhere", b"", _USUAL)


async def test_a_workspace_that_holds_what_this_program_runs_on_is_refused(sandbox: Sandbox) -> None:
    with pytest.raises(ToolFailed, match="which no command may change"):
        await sandbox.run(("true",), Path(sys.prefix), b"", _USUAL)


@pytest.mark.skipif(os.geteuid() != 0, reason="only root's files outside belong to whom a command is")
def test_a_command_of_root_cannot_change_the_devices_of_the_machine(sandbox: Sandbox, workspace: Path) -> None:
    before = {node: Path(node).stat().st_mode for node in ("/dev/null", "/dev/full", "/dev/tty")}
    asyncio.run(sandbox.run(("chmod", "0647", *before), workspace, b"", ResourceLimits()))
    after = {node: Path(node).stat().st_mode for node in before}
    for node, mode in before.items():
        Path(node).chmod(mode & 0o7777)
    assert after == before


async def test_the_devices_of_a_command_work(sandbox: Sandbox, workspace: Path) -> None:
    script = "echo x > /dev/null && head -c 3 /dev/zero | wc -c && echo x > program && chmod 0744 program"
    ran = await sandbox.run(_shell(f"{script} && ! echo x > /dev/full"), workspace, b"", ResourceLimits())
    assert (ran.exit_code, ran.stdout.strip()) == (0, "3")


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can become another user")
@pytest.mark.parametrize("calls", sample([2, 6], lambda place: place == 0))
@pytest.mark.parametrize("tier", ["launcher", "bubblewrap"])
def test_many_short_programs_of_a_normal_user_are_no_full_disk(tier: str, calls: int) -> None:
    python = next((each for each in (launcher_process.host_interpreter(), "/usr/bin/python3") if _runs(each)), None)
    if python is None:
        pytest.skip("there is no interpreter of Python 3.11 that every user can run")
    script = Path(__file__).with_name("normal_user.py")
    ran = subprocess.run(
        [sys.executable, script, tier, python, str(calls)], capture_output=True, check=False, text=True
    )
    if "the sandbox could not be" in ran.stderr:
        lacking("bubblewrap" if tier == "bubblewrap" else "a sandbox", ran.stderr)
    assert set(ran.stdout.split()) == {"0None"}, ran.stderr


def _runs(python: str) -> bool:
    check = "import ctypes, sys; sys.exit(sys.version_info < (3, 11))"
    try:
        tried = subprocess.run([python, "-I", "-S", "-c", check], user=61_234, group=61_234, cwd="/", check=False)
    except PermissionError:
        return False
    return not tried.returncode


@pytest.mark.parametrize(
    "attempt",
    ["echo x > kept", "rm -f kept", "mv kept other", "echo x > new; mv new kept", "chmod 666 kept; echo x >> kept"],
)
async def test_a_command_only_reads_what_it_may_only_read(sandbox: Sandbox, workspace: Path, attempt: str) -> None:
    if sandbox.name != "bubblewrap":
        pytest.skip("without a namespace of its own a command changes every file of the workspace")
    (workspace / "kept").write_text("mine", encoding="utf-8")
    ran = await sandbox.run(
        _shell(f"cat kept; {attempt}; echo on > free"), workspace, b"", _USUAL.revised(read_only=("kept", "absent"))
    )
    assert ran.kept_read_only
    assert ran.stdout == "mine"
    assert (workspace / "kept").read_text(encoding="utf-8") == "mine"
    assert (workspace / "free").exists()
    for name in ("kept", "free", "new"):
        (workspace / name).unlink(missing_ok=True)


@pytest.mark.parametrize(
    ("command", "limit"),
    [("head -c 5000000 /dev/zero > big; rm -f big", "disk"), ("sh -c 'kill -9 $$'", None)],
)
async def test_a_call_of_which_a_limit_killed_a_part_fails_as_a_whole(
    sandbox: Sandbox, workspace: Path, command: str, limit: str | None
) -> None:
    ran = await sandbox.run(_shell(f"{command}; echo unharmed"), workspace, b"", _USUAL.revised(disk_bytes=2**20))
    assert ran.limit == limit
    assert (ran.exit_code == 0) == (limit is None)
