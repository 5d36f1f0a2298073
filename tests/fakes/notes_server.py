"""A server of the Model Context Protocol that keeps notes, and has tools for every way in which a server can fail.

python notes_server.py FILE            speaks through its pipes; what is written goes into FILE, its number beside it
python notes_server.py FILE deaf       does not end by itself, and not when it is asked to
python notes_server.py FILE PORT       serves on a port of loopback
"""

import asyncio
import os
import signal
import sys
import time
from pathlib import Path

from mcp.server.mcpserver import Image, MCPServer
from mcp.server.mcpserver.exceptions import ToolError
from mcp_types import ToolAnnotations

READS = ToolAnnotations(read_only_hint=True)
LAMP = "The lamp of Aldmouth was made by Chance Brothers in 1829.\n\nIt burned colza oil until 1871."

server = MCPServer("notes")
kept = Path(sys.argv[1])


@server.tool(annotations=READS)
def lookup(word: str, language: str = "en") -> str:
    """Looks a word up in the notes."""
    if language != "en" or "lamp" not in word:
        return ""
    return (
        LAMP
        if word == "lamp"
        else "\n\n".join(f"Lamp {number} of Aldmouth burned long. {LAMP}" * 9 for number in range(40))
    )


@server.tool(annotations=ToolAnnotations(read_only_hint=False))
def write(text: str) -> str:
    """Writes a note down."""
    with kept.open("a", encoding="utf-8") as notes:
        notes.write(f"{text}\n")
    return f"The note was written down: {text}"


@server.tool()
async def etch(text: str) -> str:
    """Writes a note down and never says so."""
    write(text)
    return await hang()


@server.tool(annotations=READS)
def environment() -> str:
    """Says what the server knows of the environment."""
    return "\n".join(f"{name}={value}" for name, value in sorted(os.environ.items()))


@server.tool(annotations=READS)
async def hang() -> str:
    """Gives no answer."""
    await asyncio.sleep(600)
    return ""


@server.tool(annotations=READS)
def die() -> str:
    """Dies."""
    sys.stderr.write("I was at line 7\nthe notes are burning\n")
    sys.stderr.flush()
    os._exit(3)


@server.tool(annotations=READS)
def err() -> str:
    """Fails."""
    raise ToolError("the ink\0is dry")


@server.tool(annotations=READS)
def huge() -> str:
    """Gives ten megabytes."""
    return "x" * 10_000_000


@server.tool(annotations=READS)
def large() -> str:
    """Gives two megabytes."""
    return "word " * 400_000


@server.tool(annotations=READS)
def picture() -> Image:
    """Gives a picture."""
    return Image(data=b"\x89PNG", format="png")


@server.tool(annotations=READS, structured_output=True)
def figures() -> dict[str, int]:
    """Gives figures."""
    return {"lamps": 2}


if __name__ == "__main__":
    kept.with_suffix(".pid").write_text(str(os.getpid()), encoding="utf-8")
    match sys.argv[2:]:
        case ["deaf"]:
            signal.signal(signal.SIGTERM, signal.SIG_IGN)
            server.run()
            time.sleep(600)
        case [port]:
            server.run("streamable-http", port=int(port))
        case _:
            server.run()
