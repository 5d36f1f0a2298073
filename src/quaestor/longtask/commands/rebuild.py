"""The command `rebuild`: the files of a task, written again from its log."""

from quaestor.contracts.errors import UsageError
from quaestor.contracts.terminal import AtTerminal, SessionId
from quaestor.longtask.rebuilding import rebuild_files


async def rebuild(session: SessionId, /, *, terminal: AtTerminal) -> int:
    """Write the files of a task again from its log: its plan, both logs, its state and the whole outputs.

    For one that is finished or rests; what programs made is not in the log.
    """
    async with terminal.open() as host:
        if holder := await host.holder(session):
            raise UsageError(f"session {session} is carried on by {holder}, which writes its files; wait for it")
        for path in await rebuild_files(host, session):
            terminal.write_stdout(f"{path}\n")
    return 0
