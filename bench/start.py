"""What it costs to have and to start Quaestor: packages, megabytes, CPU at start, peak memory of a run.

The core is installed into a fresh environment with exact versions from the lock; `make bench` needs a package index.
"""

import os
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).parents[1]
RUNS = 7
SILENT = [(os.POSIX_SPAWN_OPEN, stream, os.devnull, os.O_WRONLY, 0) for stream in (1, 2)]
PACKAGES, MEGABYTES, START_SECONDS = 42, 99, 0.15


def used(command: Sequence[str], environment: dict[str, str]) -> tuple[float, float]:
    """Run a command; return the seconds of CPU and the megabytes of memory that it used at most."""
    child = os.posix_spawnp(command[0], list(command), environment, file_actions=SILENT)
    _, status, usage = os.wait4(child, 0)
    if os.waitstatus_to_exitcode(status):
        sys.exit(f"{' '.join(command)} failed")
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def core(folder: Path) -> Path:
    """Install the core alone; return its interpreter."""
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", folder], check=True)
    python = folder / "bin" / "python"
    pip = [sys.executable, "-m", "pip", "--python", str(python), "install", "--quiet", "--disable-pip-version-check"]
    subprocess.run([*pip, "--constraint", str(ROOT / "requirements.lock"), str(ROOT)], check=True)
    return python


def main() -> int:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        python = core(folder / "core")
        site = next((folder / "core" / "lib").glob("python*/site-packages"))
        packages = len(list(site.glob("*.dist-info")))
        megabytes = sum(path.stat().st_size for path in site.rglob("*") if path.is_file()) / 1e6
        environment = {**os.environ, "QUAESTOR_HOME": str(folder / "home")}
        program = str(folder / "core" / "bin" / "quaestor")
        used([program, "--version"], environment)
        starts = [used([program, "--version"], environment)[0] for _ in range(RUNS)]
        floors = [used([str(python), "-c", "pass"], environment)[0] for _ in range(RUNS)]
        start = statistics.median(starts)
        imported, resident = used([str(python), "-c", "import quaestor.app"], environment)
        cpu, memory = used([program, "demo"], environment)
    print(f"packages of the core   {packages}  bound {PACKAGES}")
    print(f"megabytes of the core  {megabytes:.0f}  bound {MEGABYTES}")
    print(
        f"quaestor --version     {start:.3f} s of CPU, {start / statistics.median(floors):.1f} times a bare interpreter"
        f"  bound {START_SECONDS}"
    )
    print(f"import quaestor.app    {imported:.2f} s of CPU, {resident:.0f} MB")
    print(f"quaestor demo          {cpu:.1f} s of CPU, {memory:.0f} MB at most")
    held = packages <= PACKAGES and megabytes <= MEGABYTES and start <= START_SECONDS
    print("every bound holds" if held else "A BOUND DOES NOT HOLD")
    return 0 if held else 1


if __name__ == "__main__":
    sys.exit(main())
