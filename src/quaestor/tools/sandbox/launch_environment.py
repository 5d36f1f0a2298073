"""What a command finds around its workspace: the system it runs on, the interpreter, and an environment of its own."""

import os
import sys
from collections.abc import Sequence
from pathlib import Path

from quaestor.contracts.errors import ToolFailed
from quaestor.contracts.sandbox import ResourceLimits

LAUNCHER_FOLDER = Path(__file__).parent / "launcher"

SYSTEM_PATHS = (
    "/usr",
    "/bin",
    "/sbin",
    "/lib",
    "/lib32",
    "/lib64",
    "/libx32",
    "/nix/store",
    "/etc/alternatives",
    "/etc/fonts",
    "/etc/ld.so.cache",
    "/etc/ld.so.conf",
    "/etc/ld.so.conf.d",
    "/etc/localtime",
    "/etc/mime.types",
    "/etc/nsswitch.conf",
    "/etc/ssl/certs",
)
"""Programs, libraries and what they look up; nothing of it is a secret on any usual system."""


def validate_workspace(workspace: Path, python: str) -> Path:
    """Give the real path of a workspace.

    Raises ToolFailed when it is no folder of this user, or holds what this program runs on: that could be changed.
    """
    folder = Path(os.path.realpath(workspace))
    if not folder.is_dir() or folder.stat().st_uid != os.geteuid():
        raise ToolFailed(f"the workspace {folder} is no folder of this user; give a folder that is")
    for needed in (*SYSTEM_PATHS, *installation_prefixes(python), str(LAUNCHER_FOLDER)):
        if Path(needed).is_relative_to(folder):
            raise ToolFailed(f"the workspace {folder} holds {needed}, which no command may change; give another folder")
    return folder


def host_interpreter() -> str:
    """Give the Python that this program runs on, not the one of its virtual environment."""
    return os.path.realpath(sys.executable)


def installation_prefixes(python: str) -> tuple[str, ...]:
    """Give the folders where a Python and, if it is this program's own, its packages are installed."""
    own = (sys.base_prefix, sys.prefix) if python == host_interpreter() else ()
    named = [
        folder for prefix in (str(Path(python).parent.parent), *own) for folder in (prefix, os.path.realpath(prefix))
    ]
    return tuple(folder for folder in dict.fromkeys(named) if folder != "/" and not _is_below(folder, SYSTEM_PATHS))


def command_environment(workspace: Path, scratch: str, python: str) -> dict[str, str]:
    """Give the whole environment of a command; nothing of this process's own is in it."""
    programs = (
        *(f"{folder}/bin" for folder in reversed(installation_prefixes(python))),
        "/usr/local/bin",
        "/usr/bin",
        "/bin",
    )
    return {
        "PATH": os.pathsep.join(programs),
        "HOME": str(workspace),
        "TMPDIR": scratch,
        "USER": "nobody",
        "LOGNAME": "nobody",
        "LANG": "C.UTF-8",
        "TERM": "dumb",
        "OMP_NUM_THREADS": "4",
        "OPENBLAS_NUM_THREADS": "4",
    }


def _is_below(folder: str, above: Sequence[str]) -> bool:
    return any(Path(folder).is_relative_to(other) for other in above)


def launcher_options(workspace: Path, scratch: str, python: str, allowance: ResourceLimits) -> list[str]:
    """Give what the launcher is told in every tier."""
    return [
        f"workspace={workspace}",
        f"scratch={scratch}",
        f"seconds={allowance.seconds}",
        f"memory={allowance.memory_bytes}",
        f"processes={allowance.processes}",
        f"disk={allowance.disk_bytes}",
        *(f"environment={name}={value}" for name, value in command_environment(workspace, scratch, python).items()),
    ]


def launcher_command(python: str, folder: str) -> list[str]:
    """Give the command that starts the launcher, found in a folder; its orders follow.

    It needs nothing that is installed, and nothing of what is installed may speak there.
    """
    start = "import sys; sys.path.append(sys.argv[1]); from launcher.main import main; main(sys.argv[2:])"
    return [python, "-I", "-S", "-c", start, folder]
