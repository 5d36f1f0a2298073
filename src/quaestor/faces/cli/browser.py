"""The command that opens the page of a session."""

import socket
import webbrowser
from typing import Annotated

from cyclopts import Parameter

from quaestor.app import open_to_look
from quaestor.contracts.errors import SetupError
from quaestor.contracts.session import NEWEST_SESSION
from quaestor.contracts.terminal import SessionId
from quaestor.faces.cli.output import command_line, write_stderr, write_stdout
from quaestor.faces.cli.params import Home

_HOST = "127.0.0.1"
_CONNECT_SECONDS = 1.0


async def open_page(
    session: SessionId = NEWEST_SESSION,
    /,
    *,
    port: Annotated[int, Parameter(help="The port of the server.")] = 8765,
    home: Home = None,
) -> int:
    """Open the page of a session in the browser, and print its address.

    A server has to run: `quaestor serve` starts one, and prints the link with which a browser logs in first.
    """
    async with open_to_look(home) as quaestor:
        await quaestor.session(session)
    if not _answers(port):
        started = command_line(home, "serve", "--port", str(port))
        raise SetupError(f"no server answers at {_HOST}:{port}; start one with: {started}")
    address = f"http://{_HOST}:{port}/sessions/{session}"
    write_stdout(f"{address}\n")
    if not webbrowser.open(address):
        write_stderr("no browser could be started; open the address yourself")
    return 0


def _answers(port: int) -> bool:
    try:
        with socket.create_connection((_HOST, port), timeout=_CONNECT_SECONDS):
            return True
    except OSError:
        return False
