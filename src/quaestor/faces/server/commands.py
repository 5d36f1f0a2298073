"""The commands `serve` and `token`."""

import asyncio
import re
from datetime import timedelta
from pathlib import Path
from typing import Annotated, Literal

from cyclopts import Parameter

from quaestor.app import open_home
from quaestor.app.network.access import add_token, list_tokens, revoke_token
from quaestor.app.text import format_timestamp
from quaestor.contracts.access import AccessToken, Scope
from quaestor.contracts.errors import MissingExtra, UsageError
from quaestor.contracts.session import LOCAL_TENANT
from quaestor.contracts.terminal import JsonLines
from quaestor.faces.cli.output import command_line, write_json, write_stderr, write_stdout, write_table
from quaestor.faces.cli.params import Home
from quaestor.faces.cli.workers import stop_on_signal

_HEADERS = ("NAME", "KIND", "SCOPE", "TENANT", "CREATED", "EXPIRES", "STATUS")
_LIFETIME = re.compile(r"(\d{1,5})([mhd])")
_UNITS = {"m": "minutes", "h": "hours", "d": "days"}


async def serve(
    *,
    host: Annotated[str, Parameter(help="The address to listen on; any but loopback needs a token.")] = "127.0.0.1",
    port: Annotated[int, Parameter(help="The port; 0 takes a free one.")] = 8765,
    sessions: Annotated[int, Parameter(help="Sessions to run at once.")] = 8,
    worker: Annotated[
        bool, Parameter(negative="--no-worker", show_default=False, help="Run sessions here; else workers do it.")
    ] = True,
    allow_host: Annotated[
        list[str] | None,
        Parameter(consume_multiple=True, negative="", help="Other names by which it is reached, as behind a proxy."),
    ] = None,
    docs_root: Annotated[
        Path | None, Parameter(help="A folder whose documents tokens of scope admin may name.")
    ] = None,
    streams: Annotated[int, Parameter(help="Event streams that may be open at once.")] = 600,
    rate: Annotated[int, Parameter(help="Requests a minute for each token.")] = 600,
    home: Home = None,
) -> int:
    """Serve the home over HTTP, and run its sessions.

    Prints a link with which a browser logs in, once. Interrupted sessions are resumed. A signal pauses what runs within
    the grace period, and ends the server.
    """
    try:
        from quaestor.faces.server.serving import running_server  # noqa: PLC0415 -- an extra
        from quaestor.faces.server.state import ServerOptions  # noqa: PLC0415
    except ImportError as error:
        raise MissingExtra(f"a server needs an extra ({error})", "server") from error
    if min(sessions, streams, rate) < 1 or not 0 <= port <= 65_535:  # noqa: PLR2004 -- the last port
        raise UsageError("--sessions, --streams and --rate are at least 1, and --port is 0 to 65535")
    if docs_root is not None and not docs_root.is_dir():
        raise UsageError(f"--docs-root {docs_root} is no folder")
    options = ServerOptions(
        host=host,
        port=port,
        sessions=sessions if worker else 0,
        hosts=frozenset(allow_host or ()),
        docs_root=docs_root,
        streams=streams,
        requests_a_minute=rate,
    )
    stop = asyncio.Event()
    async with open_home(home) as quaestor:
        with stop_on_signal(stop.set):
            async with running_server(quaestor, options) as state:
                shown = f"[{host}]" if ":" in host else host
                write_stdout(f"http://{shown}:{state.port}/login?code={state.login_code}\n")
                write_stderr("log in with the link above, once; Ctrl-C pauses what runs and ends the server")
                await stop.wait()
                write_stderr("shutting down")
    return 0


async def token(
    action: Annotated[Literal["add", "list", "revoke"], Parameter(name="ACTION", help="add, list or revoke.")],
    name: Annotated[str | None, Parameter(name="NAME", help="Of the token to add or to revoke.")] = None,
    /,
    *,
    scope: Annotated[
        Scope, Parameter(help="read shows, run also starts and commands sessions, admin also names server documents.")
    ] = "run",
    expires: Annotated[str | None, Parameter(help="After how long, as 12h or 30d; never without it.")] = None,
    tenant: Annotated[
        str, Parameter(help="Whose sessions it sees and begins; without it those of this machine.")
    ] = LOCAL_TENANT,
    json: JsonLines = False,
    home: Home = None,
) -> int:
    """Add a token with which a program uses the server, list the tokens, or revoke one.

    `add` prints the token, once: only its hash is kept.
    """
    if json and action != "list":
        raise UsageError(f"--json is for `quaestor token list`; leave it out of token {action}")
    async with open_home(home) as quaestor:
        match action:
            case "list" if json:
                for each in await list_tokens(quaestor):
                    write_json(each)
            case "list":
                now = quaestor.clock.now()
                write_table(
                    (_HEADERS, *(_row(each, is_active=each.is_active(now)) for each in await list_tokens(quaestor)))
                )
            case "add" | "revoke" if name is None:
                raise UsageError(f"{action} takes the name of a token; see {command_line(home, 'token', 'list')}")
            case "add":
                issued = await add_token(quaestor, name or "", scope, _parse_lifetime(expires), tenant)
                write_stdout(f"{issued.secret}\n")
                write_stderr("this is the only time that it is shown")
            case "revoke":
                await revoke_token(quaestor, name or "")
                write_stderr(f"the token {name} is revoked")
    return 0


def _row(token: AccessToken, *, is_active: bool) -> tuple[str, ...]:
    status = "active" if is_active else "revoked" if token.revoked_at else "expired"
    expires = format_timestamp(token.expires_at) if token.expires_at else "never"
    return token.name, token.kind, token.scope, token.tenant, format_timestamp(token.created_at), expires, status


def _parse_lifetime(text: str | None) -> timedelta | None:
    """Return the time that a text as 30d is. Raises UsageError for another text."""
    if text is None:
        return None
    found = _LIFETIME.fullmatch(text)
    if found is None or int(found[1]) == 0:
        raise UsageError(f"--expires {text} is no time; write minutes, hours or days, as 90m, 12h or 30d")
    return timedelta(**{_UNITS[found[2]]: int(found[1])})
