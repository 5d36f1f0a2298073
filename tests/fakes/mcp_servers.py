"""How the servers of the tests are set up."""

import json
import os
import sys
from pathlib import Path

from pydantic import JsonValue

from quaestor.contracts.mcp import McpServer

_FAKES = Path(__file__).parent


def notes(kept: Path, *more: str, allow: tuple[str, ...] = (), env: tuple[str, ...] = ()) -> McpServer:
    """Return the server that keeps notes in a file."""
    args = (str(_FAKES / "notes_server.py"), str(kept), *more)
    return McpServer(command=sys.executable, args=args, allow=allow, env=env)


def odd(*tools: JsonValue) -> McpServer:
    """Return a server that lists these tools."""
    return McpServer(command=sys.executable, args=("-S", str(_FAKES / "odd_server.py"), json.dumps(tools)))


def lives(kept: Path) -> bool:
    """Return whether the server that keeps notes in a file has been started and lives."""
    number = kept.with_suffix(".pid")
    if not number.exists() or not number.read_text(encoding="utf-8"):
        return False
    status = Path(f"/proc/{number.read_text(encoding='utf-8')}/stat")
    if Path("/proc/self").exists():
        return status.exists() and ") Z " not in status.read_text(encoding="utf-8")
    try:
        os.kill(int(number.read_text(encoding="utf-8")), 0)
    except ProcessLookupError:
        return False
    return True
