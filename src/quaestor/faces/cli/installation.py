"""The commands that inspect the installation: its agents, and what this machine lacks."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Annotated, Literal

from cyclopts import Parameter

from quaestor.app.agents import AgentDetails, check_agents, find_agent, list_agents
from quaestor.app.doctor.checks import check_system
from quaestor.app.settings.trust import distrust_folder, trust_folder
from quaestor.app.text import count_noun, one_line, replace_hidden
from quaestor.contracts.errors import SetupError, UsageError
from quaestor.contracts.terminal import JsonLines
from quaestor.faces.cli.output import command_line, write_json, write_stderr, write_stdout, write_table
from quaestor.faces.cli.params import Home

_HEADERS = ("NAME", "TOOLS", "GIVES", "SOURCE", "DESCRIPTION")
_MARKS = {"ok": "ok", "fault": "FAULT", "absent": "-"}


async def agents(
    action: Annotated[Literal["list", "check", "show"], Parameter(name="ACTION", help="list, check or show.")],
    name: Annotated[str | None, Parameter(name="NAME", help="The agent to show.")] = None,
    /,
    *,
    directory: Annotated[
        Path | None, Parameter(name="--agents", help="Use the agents of this folder besides the built-in ones.")
    ] = None,
    json: JsonLines = False,
    home: Home = None,
) -> int:
    """List the agents, check their files, or show one.

    `check` compiles every file, prints each fault on a line of stdout, and ends with exit code 2 when there is one.
    """
    folders = [directory] if directory else []
    if name is not None and action != "show":
        raise UsageError(f"{action} takes no name; to see one agent: {command_line(home, 'agents', 'show', name)}")
    if json and action != "list":
        raise UsageError(f"--json is for `quaestor agents list`; leave it out of agents {action}")
    match action:
        case "list" if json:
            for agent in list_agents(folders):
                write_json(agent)
        case "list":
            write_table((_HEADERS, *map(_row, list_agents(folders))), whole=True)
        case "check":
            return _check(folders)
        case "show" if name is None:
            raise UsageError(
                f"show takes the name of an agent; they are listed by: {command_line(home, 'agents', 'list')}"
            )
        case "show":
            _show(find_agent(folders, name))
    return 0


def _row(agent: AgentDetails) -> tuple[str, ...]:
    return agent.name, ", ".join(agent.tools) or "none", ", ".join(agent.gives), agent.source, agent.description


def _check(folders: Sequence[Path]) -> int:
    try:
        count = check_agents(folders)
    except UsageError as error:
        write_stdout(f"{replace_hidden(str(error))}\n")
        write_stderr(f"{count_noun(len(str(error).splitlines()), 'fault')} in the agents")
        return error.exit_code
    write_stdout(f"{count_noun(count, 'agent')} are sound\n")
    return 0


def _show(agent: AgentDetails) -> None:
    for label, value in _facts(agent):
        write_stdout(f"{label:<13}{value}\n")
    write_stdout(f"\n{replace_hidden(agent.text)}")


def _facts(agent: AgentDetails) -> Iterator[tuple[str, str]]:
    yield "agent", agent.name
    yield "file", agent.path
    yield "sha256", agent.sha256
    yield "takes", ", ".join(agent.takes)
    yield "gives", ", ".join(agent.gives)
    yield "tools", ", ".join(agent.tools) or "none"
    yield "model", agent.model or "that of the run"
    yield "temperature", "that of the model" if agent.temperature is None else f"{agent.temperature}"
    yield "tokens", f"{agent.max_output_tokens:,} a reply"
    yield "delegate", "yes" if agent.delegate else "no"


async def doctor(
    *,
    ask: Annotated[bool, Parameter(help="Ask the models, engines and servers of your settings.")] = True,
    json: JsonLines = False,
    home: Home = None,
) -> int:
    """Check that this machine is ready, by trying it.

    Checks Python, SQLite, the home, the database, the settings, the extras and the plugins; reads a page, a PDF and a
    Word file, starts the sandbox and tries to get out of it, asks the models and search engines of your settings once,
    and lists the tools of your servers. Changes nothing. The exit code is 3 when there is a fault.
    """
    checks = await check_system(home, ask=ask)
    width = max(len(check.subject) for check in checks) + 2
    for check in checks:
        if json:
            write_json(check)
            continue
        write_stdout(f"{_MARKS[check.state]:<6}{check.subject:<{width}}{one_line(check.text)}\n")
    return SetupError.exit_code if any(check.state == "fault" for check in checks) else 0


def trust(*, revoke: Annotated[bool, Parameter(negative=(), help="Trust it no longer.")] = False) -> None:
    """Trust `quaestor.toml` and `.env` of the current folder as they are now.

    Prints each setting and key that a folder may not set without it. A file that changes, or is elsewhere, is not
    trusted.
    Where known keys are sent is still for your own settings alone.
    """
    if revoke:
        distrust_folder()
        write_stderr("quaestor.toml and .env of this folder are not trusted")
        return
    for setting in trust_folder():
        write_stdout(f"{replace_hidden(setting)}\n")
    write_stderr("the files of this folder are trusted as they are now; `quaestor trust --revoke` takes it back")
