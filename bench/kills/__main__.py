"""Kill at random moments what this program does, so many times, and count what that changed.

Run `python bench/kills --kills 2000 --state FILE [--only KIND ...]`. FILE keeps what was counted: a run that is cut off
goes on from there, and one with a larger number adds to it. Each trial begins sessions of its own, kills the processes
that carry them once or several times, lets them end, and compares log, side effects and report with those of a run that
nobody killed. The kinds are research (with follow-up questions and refreshed sources), tasks (with programs), decisions
(on paper and at an exchange), servers (with a client that follows) and workers (of one Postgres store).
"""

import argparse
import contextlib
import os
import random
import sys
import tempfile
import traceback
from collections.abc import Callable, Mapping
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))
sys.path.insert(0, str(Path(__file__).parents[2] / "tests"))

from bench.kills.decisions import Decisions
from bench.kills.killing import Found, Kind
from bench.kills.research import Research
from bench.kills.servers import Servers
from bench.kills.tasks import Tasks
from bench.kills.workers import Workers

from quaestor.contracts.base import Contract

KINDS: Mapping[str, Callable[[Path], Kind]] = {
    "research": Research,
    "tasks": Tasks,
    "decisions": Decisions,
    "servers": Servers,
    "workers": Workers,
}


class State(Contract):
    """What was counted until now, by kind."""

    found: Mapping[str, Found] = {}
    trials: Mapping[str, int] = {}
    faults: tuple[str, ...] = ()
    """The trials that found something, with what it was."""

    def with_trial(self, name: str, found: Found, said: str) -> "State":
        """Return the state with a trial more."""
        number = self.trials.get(name, 0)
        fault = (f"{name} {number}: {said}",) if said else ()
        return State(
            found={**self.found, name: self.found.get(name, Found()) + found},
            trials={**self.trials, name: number + 1},
            faults=(*self.faults, *fault),
        )

    def total(self) -> Found:
        return sum(self.found.values(), Found())

    def kills(self, name: str) -> int:
        return self.found.get(name, Found()).kills


def read(file: Path) -> State:
    return State.model_validate_json(file.read_text(encoding="utf-8")) if file.exists() else State()


def write(file: Path, state: State) -> None:
    part = file.with_name(f"{file.name}.part")
    part.write_text(state.model_dump_json(indent=1), encoding="utf-8")
    part.replace(file)


def tried(kind: Kind, name: str, number: int) -> tuple[Found, str]:
    """Make one trial; return what was counted, and in words what was wrong."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        try:
            found = kind(Path(folder), random.Random(f"{name} {number}"))  # noqa: S311 -- no secret
        except Exception:  # noqa: BLE001 -- whatever ends a trial is its finding
            return Found(different=1), traceback.format_exc()
    wrong = found.model_copy(update={"kills": 0})
    return found, "" if wrong == Found() else str(wrong)


def said(state: State) -> str:
    """Return what was counted, in one line a kind and one for all."""
    total = state.total()
    lines = [f"{name:>10}  {one.kills} kills in {state.trials[name]} trials" for name, one in state.found.items()]
    reports = f"{total.different} reports differ" if total.different else "reports equal"
    return "\n".join([*lines, f"{total.kills} kills: {total.lost} lost, {total.repeated} repeated, {reports}"])


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kills", type=int, default=2000)
    parser.add_argument("--state", type=Path, required=True)
    parser.add_argument("--only", nargs="+", choices=KINDS, default=list(KINDS), metavar="KIND")
    given = parser.parse_args()
    state, kinds = read(given.state), dict[str, Kind]()
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder, contextlib.suppress(KeyboardInterrupt):
        os.umask(0o077)  # what is copied is as private as a home, so that none is narrowed with a warning
        os.environ["XDG_CONFIG_HOME"] = str(Path(folder, "settings"))
        while state.total().kills < given.kills:
            name = min(given.only, key=state.kills)
            if name not in kinds:
                kinds[name] = KINDS[name](Path(folder, name))
            found, wrong = tried(kinds[name], name, state.trials.get(name, 0))
            state = state.with_trial(name, found, wrong)
            write(given.state, state)
    print("\n".join([*state.faults, said(state)]))
    return 1 if state.faults else 0


if __name__ == "__main__":
    sys.exit(main())
