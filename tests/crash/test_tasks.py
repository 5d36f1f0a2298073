"""Kill -9 while a task is carried out: its files come back to the byte, and no program is run again by itself."""

import asyncio
import os
import random
import re
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import partial
from hashlib import sha256
from pathlib import Path

import pytest
from pydantic import JsonValue

from crash.conftest import Home, Moments, events_in, has_events, run_until_killed, spread
from faces.cli.processes import line
from fakes.children import check_kept, die, ended, fork, until
from fakes.needed import lacking
from fakes.workshops import equip, playbook
from quaestor.app import open_home
from quaestor.contracts.event import (
    Event,
    FactRecorded,
    ModelRequested,
    SessionFinished,
    ToolInterrupted,
    ToolRequested,
)
from quaestor.contracts.sandbox import Sandbox
from quaestor.contracts.workspace import FINDINGS_FILE, MANAGED_FILES, PROGRESS_FILE
from quaestor.longtask import workspace_sync
from quaestor.longtask.contracts import Acted, RoundInput
from quaestor.longtask.state import PlannedTask
from quaestor.longtask.workflow import LongTask
from quaestor.longtask.workspace_files import render_findings, render_plan, render_progress
from quaestor.tools.sandbox.tiers import select_sandbox
from quaestor.tools.workspace import WorkspaceFolder

TEXT = "Read the chronicle."
_TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z")
STEPS: Sequence[Mapping[str, object]] = (
    {"goal": "It is read.", "plan": {"Look": ["Read it"], "Say": ["Say it"]}},
    {"say": "I read.", "read_file": "chronicle.txt", "progress": "Read.", "tick": {"Phase 1": "Read it"}},
    {"say": "I read on.", "read_file": {"path": "chronicle.txt", "offset": 10}, "phases": {"Phase 1": "complete"}},
    {"say": "I read what is not there.", "read_file": "none.txt", "findings": ["Issues: one page is lost.", "Two."]},
    {"say": "It is read.", "phases": {"Phase 2": "complete"}, "done": "It is read."},
)


class Bench:
    """A task in a home of its own, with its workspace beside it."""

    def __init__(self, folder: Path, *steps: Mapping[str, object], sandbox: Sandbox | None = None) -> None:
        folder.mkdir()
        self.workspace = folder / "workspace"
        self.workspace.mkdir()
        self._sandbox = sandbox
        options: dict[str, JsonValue] = {
            "model": playbook(folder, *steps),
            "workspace": str(self.workspace),
            "approve_after_untrusted": False,
            "questions": False,
            **({} if sandbox else {"allow": ["read_file", "write_file"]}),
        }

        async def begin() -> str:
            async with open_home(folder / "home", **options) as q:
                return await q.start_task(TEXT)

        self.home = Home(folder / "home", asyncio.run(begin()))

    async def carry(self) -> None:
        async with open_home(self.home.folder) as q:
            if self._sandbox:
                equip(q, self._sandbox)
            await q.run(self.home.session_id)

    def finished(self) -> PlannedTask:
        """Carry the task to its end, in another process than one that was killed; check its log and its files."""
        asyncio.run(self.carry())
        life = self.life()
        assert self.files() == of(life)
        assert isinstance(self.events()[-1].payload, SessionFinished)
        return life

    def events(self) -> Sequence[Event]:
        return self.home.events()

    def of(self, kind: type[ModelRequested] | type[ToolRequested] | type[ToolInterrupted]) -> list[str]:
        """Return the keys of facts of one kind."""
        return [event.payload.key for event in self.events() if isinstance(event.payload, kind)]

    def files(self) -> dict[str, str]:
        return {name: (self.workspace / name).read_text(encoding="utf-8") for name in MANAGED_FILES}

    def life(self) -> PlannedTask:
        return folded(self.events())


def folded(events: Sequence[Event]) -> PlannedTask:
    state = LongTask().begin()
    for event in events:
        state = LongTask().apply(state, event)
    assert isinstance(state.task, PlannedTask)
    return state.task


def of(life: PlannedTask) -> dict[str, str]:
    """Return what the files should hold, from the log alone."""
    given = workspace_sync.build_dump_input(life)
    plan, findings, progress, state = MANAGED_FILES
    return {
        plan: render_plan(life.plan_with_errors),
        findings: render_findings(life.logs.findings),
        progress: render_progress(life.logs.progress),
        state: given.state,
    }


def timeless(files: Mapping[str, str]) -> dict[str, str]:
    return {name: _TIME.sub("TIME", text) for name, text in files.items()}


def reading(folder: Path) -> Bench:
    """Begin a task that changes nothing but its own files."""
    bench = Bench(folder, *STEPS)
    (bench.workspace / "chronicle.txt").write_text("A tower was built. It was white.", encoding="utf-8")
    return bench


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    bench = reading(tmp_path_factory.mktemp("undisturbed") / "task")
    bench.finished()
    return timeless(bench.files())


@pytest.mark.parametrize("moments", spread(9))
def test_a_kill_at_an_append_leaves_the_same_files_and_plans_nothing_again(
    undisturbed: Mapping[str, str], tmp_path: Path, moments: Moments
) -> None:
    for number in moments:
        bench = reading(tmp_path / f"{number}")
        if run_until_killed(bench.home, moments.phase, number) == 0:
            break
        acknowledged = bench.events()
        logs = {name: left(bench, name) for name in (FINDINGS_FILE, PROGRESS_FILE)}
        planned = any(one.type == "contract_accepted" for one in acknowledged)
        bench.finished()
        check_kept(acknowledged, bench.events(), kills=1)
        assert timeless(bench.files()) == undisturbed
        assert all(bench.files()[name].startswith(before) for name, before in logs.items())
        if planned:
            assert bench.of(ModelRequested).count("plan") == 1
    assert number > 12


@pytest.mark.parametrize("moments", spread(9, ("before", "after")))
def test_a_kill_around_a_file_that_is_written_leaves_the_same_files(
    undisturbed: Mapping[str, str], tmp_path: Path, moments: Moments
) -> None:
    for number in moments:
        bench = reading(tmp_path / f"{number}")
        if ended(fork(partial(dying_at_a_file, bench, moments.phase, number))) == 0:
            break
        bench.finished()
        assert timeless(bench.files()) == undisturbed
        assert sorted(file.name for file in bench.workspace.iterdir()) == sorted([*MANAGED_FILES, "chronicle.txt"])
    assert number > 12


async def dying_at_a_file(bench: Bench, phase: str, number: int) -> None:
    """Carry a task on in a process that is killed before or after it has written its n-th file."""
    count, write = 0, WorkspaceFolder.write

    def fragile(folder: WorkspaceFolder, path: str, content: bytes) -> None:
        nonlocal count
        count += 1
        if (count, phase) == (number, "before"):
            die()
        write(folder, path, content)
        if count == number:
            die()

    pytest.MonkeyPatch().setattr(WorkspaceFolder, "write", fragile)
    await bench.carry()


NOTED = (
    {"say": "I note it.", "write_file": {"path": "notes.txt", "content": "One."}},
    {"say": "I note more.", "write_file": {"path": "notes.txt", "content": "One. Two."}},
    {"say": "I read what is there.", "read_file": "notes.txt"},
    {"say": "Done.", "done": "Done."},
)


@pytest.mark.parametrize(("phase", "kept"), [("before", "One."), ("after", "One. Two.")])
def test_a_file_that_a_kill_cut_off_is_the_tasks_own_whether_it_was_written_or_not(
    tmp_path: Path, phase: str, kept: str
) -> None:
    bench = Bench(tmp_path / "task", *NOTED)
    assert ended(fork(partial(dying_at_the_second_note, bench, phase))) != 0
    life = bench.finished()
    assert bench.of(ToolInterrupted) == ["round/2/tool"]
    assert (bench.workspace / "notes.txt").read_text(encoding="utf-8") == kept
    assert (life.untrusted_source, life.workspace.has_foreign_files) == (None, False)


async def dying_at_the_second_note(bench: Bench, phase: str) -> None:
    """Carry a task on in a process that is killed before or after it has written its notes again."""
    write = WorkspaceFolder.write

    def fragile(folder: WorkspaceFolder, path: str, content: bytes) -> None:
        is_second = content == b"One. Two."
        if is_second and phase == "before":
            die()
        write(folder, path, content)
        if is_second:
            die()

    pytest.MonkeyPatch().setattr(WorkspaceFolder, "write", fragile)
    await bench.carry()


def left(bench: Bench, name: str) -> str:
    file = bench.workspace / name
    return file.read_text(encoding="utf-8") if file.exists() else ""


@pytest.mark.parametrize("harm", ["deleted", "cut", "emptied"])
def test_files_that_were_lost_while_nothing_ran_come_back_to_the_byte(
    undisturbed: Mapping[str, str], tmp_path: Path, harm: str
) -> None:
    bench = reading(tmp_path / "task")
    assert run_until_killed(bench.home, "after", 8) != 0
    for name in MANAGED_FILES:
        file = bench.workspace / name
        content = file.read_bytes()
        file.unlink()
        if harm != "deleted" and name != MANAGED_FILES[0]:
            file.write_bytes(content[: len(content) // 2] if harm == "cut" else b"")
    bench.finished()
    assert timeless(bench.files()) == undisturbed
    assert bench.of(ModelRequested).count("plan") == 1


def test_a_plan_that_was_cut_is_told_and_restored(tmp_path: Path) -> None:
    bench = reading(tmp_path / "task")
    assert run_until_killed(bench.home, "after", 8) != 0
    plan = bench.workspace / MANAGED_FILES[0]
    plan.write_bytes(plan.read_bytes()[:40])
    bench.finished()
    assert "cannot be used, so the file is restored" in bench.files()[PROGRESS_FILE]
    assert bench.of(ModelRequested).count("plan") == 1


@pytest.fixture(scope="module")
def sandbox() -> Sandbox:
    """Return the sandbox of this machine, chosen once."""
    choice = asyncio.run(select_sandbox())
    if choice.sandbox is None:
        lacking("a sandbox", f"none works here: {choice.standing.reasons}")
    return choice.sandbox


def killed_in_flight(folder: Path, sandbox: Sandbox, kills: int) -> None:
    """Carry out a task whose every program is killed in flight: each ran at most once, and is seen as interrupted."""
    command = "echo {0} >> ran; while :; do date +%N > beat; sleep 0.02; done"
    steps = [{"say": f"Step {number}.", "shell": command.format(number)} for number in range(1, kills + 1)]
    bench = Bench(folder, *steps, {"say": "Done.", "done": "Done."}, sandbox=sandbox)
    ran = bench.workspace / "ran"
    for number in range(1, kills + 1):
        pid = fork(bench.carry)
        try:
            until(partial(has_lines, ran, number))
        finally:
            os.kill(pid, signal.SIGKILL)
            ended(pid)
        silent(bench.workspace / "beat")
    life = bench.finished()
    keys = [f"round/{number}/tool" for number in range(1, kills + 1)]
    assert ran.read_text().split() == [str(number) for number in range(1, kills + 1)]
    assert [key for key in bench.of(ToolRequested) if key.endswith("/tool")] == keys
    assert bench.of(ToolInterrupted) == keys
    assert bench.of(ModelRequested).count("plan") == 1
    shown = [
        RoundInput.model_validate(event.payload.given)
        for event in bench.events()
        if isinstance(event.payload, ModelRequested) and event.payload.contract == "Round"
    ]
    assert all("interrupted: the process ended while it ran" in given.last_result for given in shown[1:])
    assert life.untrusted_source is None


def has_lines(file: Path, number: int) -> bool:
    return file.exists() and len(file.read_text().split()) >= number


def silent(beat: Path) -> None:
    """Wait until no process writes its heart beat any more."""

    def still() -> bool:
        before = beat.read_bytes() if beat.exists() else b""
        time.sleep(0.1)
        return before == (beat.read_bytes() if beat.exists() else b"")

    until(still)


def test_a_program_that_is_killed_in_flight_is_never_run_again_by_itself(tmp_path: Path, sandbox: Sandbox) -> None:
    killed_in_flight(tmp_path / "task", sandbox, kills=3)


@pytest.mark.soak
def test_100_programs_that_are_killed_in_flight_are_never_run_again_by_themselves(
    tmp_path: Path, sandbox: Sandbox
) -> None:
    killed_in_flight(tmp_path / "task", sandbox, kills=100)


TILES = Path(__file__).parents[1] / "playbooks" / "tiles.yaml"


@pytest.mark.soak
@pytest.mark.usefixtures("sandbox")
def test_sixty_rounds_that_build_a_program_are_finished_after_20_kills(tmp_path: Path) -> None:
    """Each in a process of its own that is started by a command line and killed wherever it is."""
    chance, home = random.Random(60), tmp_path / "home"
    said = ("--model", f"playbook:{TILES}", "--no-questions", "--workspace", tmp_path / "workspace")
    command = line(home, "task", "Build it", *said)
    for _ in range(20):
        doom = events_in(home) + chance.randint(3, 32)
        with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
            try:
                until(partial(has_events, home, doom))
            except AssertionError:
                process.kill()
                raise
            time.sleep(chance.uniform(0, 0.1))
            process.kill()
    out = subprocess.run(command, check=True, capture_output=True, text=True)
    assert out.stdout.endswith("four tests pass, and steps.html shows all 27 steps.\n")
    check_tiles(home, tmp_path / "workspace")


def check_tiles(home: Path, workspace: Path) -> None:
    async def read() -> Sequence[Event]:
        async with open_home(home) as q:
            [session] = await q.sessions()
            assert await q.store.verify_chain(session.id) == []
            return await q.events(session.id)

    events = asyncio.run(read())
    life = folded(events)
    assert {name: (workspace / name).read_text(encoding="utf-8") for name in MANAGED_FILES} == of(life)
    asked = Counter(event.payload.key for event in events if isinstance(event.payload, ToolRequested | ModelRequested))
    assert {asked[f"round/{number}/tool"] for number in range(1, 61)} == {0, 1}
    assert (asked["plan"], life.round) == (1, 60)
    facts = [event.payload for event in events if isinstance(event.payload, FactRecorded)]
    rounds = [Acted.model_validate(fact.value).round for fact in facts if fact.contract == "Acted"]
    assert len(rounds) == len(set(rounds)) == 54
    assert all(one.version >= 1 for one in life.workspace.artifacts.values())
    assert life.workspace.artifacts["tiles.c"].sha256 == sha256((workspace / "tiles.c").read_bytes()).hexdigest()
    page = (workspace / "steps.html").read_text(encoding="utf-8")
    assert (page.count("<section"), page.count("<td class=")) == (27, 27 * 108)
    assert subprocess.run([sys.executable, "-m", "unittest", "-q"], cwd=workspace, check=False).returncode == 0
