"""A sandbox that runs nothing and does as it is told."""

import asyncio
from collections.abc import Callable, Sequence
from pathlib import Path

from quaestor.contracts.sandbox import CommandResult, ResourceLimits, SandboxTier

Effect = Callable[[Path, str], CommandResult]


def said(text: str = "", stderr: str = "", code: int = 0) -> CommandResult:
    return CommandResult(exit_code=code, stdout=text, stderr=stderr, seconds=0)


class ObedientSandbox:
    """Does what an effect does, but never ends one command, if so told; remembers what it was asked to run."""

    def __init__(
        self,
        effect: Effect = lambda _, __: said("ok\n"),
        hangs_at: str | None = None,
        name: SandboxTier = "bubblewrap",
    ) -> None:
        self.name = name
        self._effect = effect
        self._hangs_at = hangs_at
        self.hanging = asyncio.Event()
        self.ran: list[str] = []

    async def run(self, argv: Sequence[str], workspace: Path, stdin: bytes, allowance: ResourceLimits) -> CommandResult:
        del allowance
        self.ran.append(stdin.decode() or argv[-1])
        if self.ran[-1] == self._hangs_at:
            self.hanging.set()
            await asyncio.sleep(3600)
        return self._effect(workspace, self.ran[-1])
