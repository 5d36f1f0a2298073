"""The command that runs the MCP server over standard input and output, or enters it in a client's settings."""

import sys
from pathlib import Path
from typing import Annotated, Literal

from cyclopts import Parameter

from quaestor.app import open_home
from quaestor.app.network.submissions import Submitter
from quaestor.app.network.uploads import DocumentRoots
from quaestor.app.workers.worker import SessionWorker
from quaestor.contracts.errors import MissingExtra, UsageError
from quaestor.faces.cli.output import check_output_path, write_output, write_stderr, write_stdout
from quaestor.faces.cli.params import Home
from quaestor.faces.mcp.clients import ClientName, locate_client_file, plan_change


async def mcp(
    verb: Annotated[Literal["serve", "install"], Parameter(name="VERB", help="serve or install.")] = "serve",
    client: Annotated[ClientName | None, Parameter(name="CLIENT", help="The program to enter the server in.")] = None,
    /,
    *,
    docs_root: Annotated[
        Path | None, Parameter(help="The folder whose documents may be named; without it none but URLs.")
    ] = None,
    sessions: Annotated[int, Parameter(help="Sessions carried on at once.")] = 4,
    yes: Annotated[bool, Parameter(negative="", show_default=False, help="Write the settings without asking.")] = False,
    home: Home = None,
) -> int:
    """Serve research, search and verification to an assistant over MCP, on standard input and output.

    `install` enters this server in the settings of claude-code, claude-desktop, cursor, vscode or zed, after showing
    what would change.
    """
    if docs_root is not None and not docs_root.is_dir():
        raise UsageError(f"--docs-root {docs_root} is no folder; name one that exists")
    if sessions < 1:
        raise UsageError(f"--sessions {sessions}: at least one session is carried on at a time")
    match verb:
        case "serve" if client is not None:
            raise UsageError(f"serve takes no client; to enter the server there: quaestor mcp install {client}")
        case "serve":
            return await _serve(docs_root, sessions, home)
        case "install":
            if client is None:
                raise UsageError("name the client: claude-code, claude-desktop, cursor, vscode or zed")
            return _install(client, docs_root, home, confirmed=yes)


async def _serve(docs_root: Path | None, sessions: int, home: Path | None) -> int:
    try:
        from quaestor.faces.mcp.server import build_server  # noqa: PLC0415 -- needs an extra
    except ModuleNotFoundError as error:
        raise MissingExtra("the MCP server needs an extra", "mcp") from error
    async with open_home(home) as quaestor:
        worker = SessionWorker(quaestor, sessions)
        try:
            await build_server(
                quaestor, worker, Submitter(is_admin=True, roots=DocumentRoots(docs_root))
            ).run_stdio_async()
        finally:
            await worker.close()
    return 0


def _install(client: ClientName, docs_root: Path | None, home: Path | None, *, confirmed: bool) -> int:
    folders = {"--docs-root": docs_root, "--home": home}
    arguments = [word for name, folder in folders.items() if folder for word in (name, str(folder.absolute()))]
    change = plan_change(locate_client_file(client), arguments)
    if not change.diff:
        write_stderr(f"{change.path} has this server already")
        return 0
    write_stdout(change.diff)
    if not confirmed and not _confirm(change.path):
        write_stderr("nothing was written; --yes writes without asking")
        return 0 if sys.stdin.isatty() else UsageError.exit_code
    change.path.parent.mkdir(parents=True, exist_ok=True)
    check_output_path("CLIENT", change.path)
    write_output(change.text, change.path)
    write_stderr(f"written: {change.path}; restart {client} to use it")
    return 0


def _confirm(path: Path) -> bool:
    """Ask a person whether a file is to be changed; nobody is there without a terminal."""
    if not sys.stdin.isatty():
        return False
    write_stderr(f"change {path} like this? [y/N]")
    return sys.stdin.readline().strip().casefold() in {"y", "yes"}
