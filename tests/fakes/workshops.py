"""Homes whose programs run in a scripted sandbox, each opened again as another process would."""

import json
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar

from pydantic import JsonValue

from fakes.sandboxes import ObedientSandbox
from quaestor.app import Quaestor, open_home
from quaestor.contracts.command import Command
from quaestor.contracts.event import Event
from quaestor.contracts.result import Result
from quaestor.contracts.sandbox import Sandbox, SandboxStatus
from quaestor.tools.sandbox.tiers import SandboxSelection

F = TypeVar("F")


def equip(q: Quaestor, sandbox: Sandbox | None) -> None:
    """Return an open home a sandbox, so that it tries none of its own; None: no sandbox works here."""
    standing = SandboxStatus(
        tier=sandbox.name if sandbox else None, snippets=False, reasons=() if sandbox else ("a test",)
    )
    q._resources.connections.sandbox = SandboxSelection(sandbox, standing)


@asynccontextmanager
async def opened(folder: Path, sandbox: Sandbox | None = None, /, **options: JsonValue) -> AsyncIterator[Quaestor]:
    async with open_home(folder, **options) as q:
        equip(q, sandbox)
        yield q


@dataclass
class Work:
    """One session in a home."""

    folder: Path
    session_id: str
    sandbox: ObedientSandbox = field(default_factory=ObedientSandbox)

    async def run(self) -> Result:
        async with opened(self.folder, self.sandbox) as q:
            return await q.run(self.session_id)

    async def tell(self, order: Command) -> str | None:
        async with opened(self.folder, self.sandbox) as q:
            return await q.tell(self.session_id, order)

    async def events(self) -> Sequence[Event]:
        async with opened(self.folder) as q:
            return await q.events(self.session_id)

    async def of(self, kind: type[F]) -> list[F]:
        return [event.payload for event in await self.events() if isinstance(event.payload, kind)]


def script(folder: Path, roles: Mapping[str, Sequence[Mapping[str, object]]]) -> str:
    """Write a script and give the name of its model."""
    path = folder / "replies.yaml"
    path.write_text(json.dumps(dict(roles), ensure_ascii=False), encoding="utf-8")
    return f"script:{path}"


def playbook(folder: Path, *steps: Mapping[str, object]) -> str:
    """Write a playbook and give the name of its model."""
    path = folder / "playbook.yaml"
    path.write_text(json.dumps(list(steps), ensure_ascii=False), encoding="utf-8")
    return f"playbook:{path}"
