"""A server of the Model Context Protocol that keeps notes, and has tools for every way in which a server can fail.

python notes_server.py FILE            speaks through its pipes; what is written goes into FILE, its number beside it
python notes_server.py FILE deaf       does not end by itself, and not when it is asked to
python notes_server.py FILE PORT       serves on a port of loopback, with the official SDK

Through its pipes it speaks without the SDK, which takes a second to import; docs/mcp.md shows one that uses it.
"""

import base64
import json
import os
import signal
import sys
import time
from collections.abc import Callable, Mapping
from importlib import import_module
from pathlib import Path
from typing import Any

LAMP = "The lamp of Aldmouth was made by Chance Brothers in 1829.\n\nIt burned colza oil until 1871."
COMPLETE = {"resultType": "complete", "ttlMs": 0, "cacheScope": "public"}
DISCOVERED = {"supportedVersions": ["2026-07-28"], "capabilities": {"tools": {}}, **COMPLETE}

kept = Path(sys.argv[1])


def lookup(word: str, language: str = "en") -> str:
    """Looks a word up in the notes."""
    if language != "en" or "lamp" not in word:
        return ""
    return (
        LAMP
        if word == "lamp"
        else "\n\n".join(f"Lamp {number} of Aldmouth burned long. {LAMP}" * 9 for number in range(40))
    )


def write(text: str) -> str:
    """Writes a note down."""
    with kept.open("a", encoding="utf-8") as notes:
        notes.write(f"{text}\n")
    return f"The note was written down: {text}"


def etch(text: str) -> None:
    """Writes a note down and never says so."""
    write(text)


def environment() -> str:
    """Says what the server knows of the environment."""
    return "\n".join(f"{name}={value}" for name, value in sorted(os.environ.items()))


def hang() -> None:
    """Gives no answer."""


def die() -> str:
    """Dies."""
    sys.stderr.write("I was at line 7\nthe notes are burning\n")
    sys.stderr.flush()
    os._exit(3)


def err() -> str:
    """Fails."""
    raise ValueError("the ink\0is dry")


def huge() -> str:
    """Gives ten megabytes."""
    return "x" * 10_000_000


def large() -> str:
    """Gives two megabytes."""
    return "word " * 400_000


def picture() -> Mapping[str, object]:
    """Gives a picture."""
    data = base64.b64encode(b"\x89PNG").decode()
    return {"content": [{"type": "image", "data": data, "mimeType": "image/png"}]}


def figures() -> Mapping[str, object]:
    """Gives figures."""
    return {"content": [], "structuredContent": {"lamps": 2}}


Tool = Callable[..., str | Mapping[str, object] | None]
READING: tuple[Tool, ...] = (lookup, environment, hang, die, err, huge, large, picture, figures)
CHANGING: tuple[Tool, ...] = (write, etch)
TAKES = {"lookup": ("word",), "write": ("text",), "etch": ("text",)}
TOOLS = {tool.__name__: tool for tool in (*READING, *CHANGING)}


def listed(tool: Tool) -> Mapping[str, object]:
    """Return what is said of a tool; of what may change something, in two ways."""
    required = TAKES.get(tool.__name__, ())
    schema = {"type": "object", "properties": {name: {"type": "string"} for name in required}, "required": required}
    listing = {"name": tool.__name__, "description": tool.__doc__, "inputSchema": schema}
    if tool is etch:
        return listing
    return {**listing, "annotations": {"readOnlyHint": tool in READING}}


def called(name: str, arguments: Mapping[str, object]) -> Mapping[str, object] | None:
    """Return the result of a call, None when it never comes."""
    if lacking := [each for each in TAKES.get(name, ()) if each not in arguments]:
        return failed(f"{lacking[0]}: the field is required")
    try:
        result = TOOLS[name](**arguments)
    except ValueError as error:
        return failed(str(error))
    return {"content": [{"type": "text", "text": result}]} if isinstance(result, str) else result


def failed(message: str) -> Mapping[str, object]:
    return {"content": [{"type": "text", "text": message}], "isError": True}


def answered(method: str, given: Mapping[str, Any]) -> Mapping[str, object] | None:
    """Return the result of a request, None when it never comes."""
    match method:
        case "server/discover":
            return DISCOVERED
        case "tools/list":
            return {"tools": [listed(tool) for tool in TOOLS.values()], **COMPLETE}
        case "tools/call":
            result = called(given["name"], given.get("arguments") or {})
            return result and {"resultType": "complete", **result}
        case _:
            return None


def speak() -> None:
    """Answer what comes through the pipe until it ends."""
    for line in sys.stdin:
        asked = json.loads(line)
        if (result := answered(asked["method"], asked.get("params") or {})) is not None:
            sys.stdout.write(f"{json.dumps({'jsonrpc': '2.0', 'id': asked['id'], 'result': result})}\n")
            sys.stdout.flush()


def serve(port: int) -> None:
    """Serve what is looked up and written by the SDK."""
    server = import_module("mcp.server.mcpserver").MCPServer("notes")
    hints = import_module("mcp_types").ToolAnnotations
    for tool in (lookup, write):
        server.tool(annotations=hints(read_only_hint=tool is lookup))(tool)
    server.run("streamable-http", port=port)


if __name__ == "__main__":
    kept.with_suffix(".pid").write_text(str(os.getpid()), encoding="utf-8")
    match sys.argv[2:]:
        case ["deaf"]:
            signal.signal(signal.SIGTERM, signal.SIG_IGN)
            speak()
            time.sleep(600)
        case [port]:
            serve(int(port))
        case _:
            speak()
