"""The programs that use the MCP server, and where each keeps which servers it starts."""

import difflib
import json
import os
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Literal, NamedTuple, assert_never

from pydantic import JsonValue, TypeAdapter, ValidationError

from quaestor.contracts.errors import UsageError

ClientName = Literal["claude-code", "claude-desktop", "cursor", "vscode", "zed"]
_SERVER_NAME = "quaestor"
_SETTINGS: TypeAdapter[dict[str, JsonValue]] = TypeAdapter(dict[str, JsonValue])


class ClientFile(NamedTuple):
    """The settings file of a client, the key under which it lists servers, and what it wants beside the command."""

    path: Path
    key: str
    extra: Mapping[str, JsonValue] = {}


class PlannedChange(NamedTuple):
    """A settings file as it would be written, and how that differs from what it holds now."""

    path: Path
    text: str
    diff: str


def locate_client_file(client: ClientName) -> ClientFile:
    """Return where a client keeps its servers: in the current folder where a project has its own, else the user's."""
    match client:
        case "claude-code":
            return ClientFile(Path(".mcp.json").absolute(), "mcpServers")
        case "claude-desktop":
            return ClientFile(_application_folder() / "Claude" / "claude_desktop_config.json", "mcpServers")
        case "cursor":
            return ClientFile(Path.home() / ".cursor" / "mcp.json", "mcpServers")
        case "vscode":
            return ClientFile(Path(".vscode/mcp.json").absolute(), "servers", {"type": "stdio"})
        case "zed":
            return ClientFile(_configuration_folder() / "zed" / "settings.json", "context_servers")
        case never:
            assert_never(never)


def plan_change(file: ClientFile, arguments: list[str]) -> PlannedChange:
    """Return a client's settings with this server among them; all others stay as they are.

    Raises UsageError for a file that is no JSON object, such as one with comments, with the lines to put there by hand.
    """
    server: dict[str, JsonValue] = {**file.extra, "command": sys.executable, "args": [*_PROGRAM, *arguments]}
    entry: dict[str, JsonValue] = {file.key: {_SERVER_NAME: server}}
    before = file.path.read_text(encoding="utf-8") if file.path.exists() else ""
    try:
        settings = _SETTINGS.validate_json(before) if before.strip() else {}
        servers = _SETTINGS.validate_python(settings.get(file.key, {}))
    except ValidationError as error:
        raise UsageError(
            f"{file.path} is no plain JSON object and stays as it is; put this into it by hand:\n{_dump(entry)}"
        ) from error
    text = _dump({**settings, file.key: {**servers, _SERVER_NAME: server}})
    lines = difflib.unified_diff(
        before.splitlines(keepends=True), text.splitlines(keepends=True), str(file.path), str(file.path)
    )
    return PlannedChange(file.path, text, "".join(lines))


_PROGRAM = ("-m", "quaestor.faces.cli.main", "mcp")


def _dump(settings: Mapping[str, JsonValue]) -> str:
    return json.dumps(settings, indent=2, ensure_ascii=False) + "\n"


def _application_folder() -> Path:
    if os.name == "nt":
        return Path(os.environ.get("APPDATA") or Path.home() / "AppData/Roaming")
    if sys.platform == "darwin":
        return Path.home() / "Library/Application Support"
    return _configuration_folder()


def _configuration_folder() -> Path:
    return Path(os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config")
