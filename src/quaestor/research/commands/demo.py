"""The command `demo`: a question over documents that every machine has."""

import sysconfig
from pathlib import Path

from quaestor.contracts.terminal import AtTerminal, ReportOutput
from quaestor.research import operations
from quaestor.tools.stdlib_docs import write_stdlib_docs

DEMO_FOLDER = "demo-docs"
DEMO_QUESTION = "How does shutil.copy differ from shutil.copy2?"


async def demo(*, delivery: ReportOutput = ReportOutput(), terminal: AtTerminal) -> int:  # noqa: B008 -- frozen
    """Research a question over Python's own documentation strings; no key, no network."""
    terminal.check_output_path("--out", delivery.out)
    async with terminal.open(model="offline") as host:
        docs = host.home / DEMO_FOLDER
        write_stdlib_docs(Path(sysconfig.get_path("stdlib")), docs)
        session_id = await operations.start(host, DEMO_QUESTION, await terminal.index([docs]))
        code = await terminal.carry_on(session_id, delivery)
    terminal.write_stderr(f"  your own       {terminal.command_line('research', 'YOUR QUESTION', '--docs', 'FOLDER')}")
    return code
