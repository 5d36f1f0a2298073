"""The commands that back a home up and restore it."""

from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from quaestor.app import open_home
from quaestor.app.copies.backup import BackupSummary, back_up
from quaestor.app.copies.backup import restore as restore_home
from quaestor.app.text import count_noun, replace_hidden
from quaestor.contracts.errors import LogCorrupt
from quaestor.faces.cli.output import write_stderr, write_stdout
from quaestor.faces.cli.params import Home

BackupFile = Annotated[Path, Parameter(name="FILE", help="A tar file.")]


async def backup(file: BackupFile, /, *, home: Home = None) -> int:
    """Back the home up into one file, while sessions run.

    The file holds the database and the workspaces, is for you alone, and every session in it is verified. Exit code 1
    when there are faults, which the home has then, too.
    """
    async with open_home(home) as quaestor:
        written = await back_up(quaestor, file)
    for path in written.left_out:
        write_stderr(f"left out, as it is no file: {path}")
    if not written.faults:
        write_stderr(f"{file} holds {count_noun(written.sessions, 'session')}, {count_noun(written.files, 'file')}")
    return _report_faults(written)


async def restore(file: BackupFile, /, *, home: Home = None) -> int:
    """Restore a backup into a home that has no sessions.

    Every session in it is verified first; with a fault nothing is restored, and the exit code is 1.
    """
    restored = await restore_home(home, file)
    if not restored.faults:
        write_stderr(f"restored {count_noun(restored.sessions, 'session')}")
    return _report_faults(restored)


def _report_faults(summary: BackupSummary) -> int:
    for fault in summary.faults:
        write_stdout(f"{replace_hidden(fault)}\n")
    if not summary.faults:
        return 0
    write_stderr(count_noun(len(summary.faults), "fault"))
    return LogCorrupt.exit_code
