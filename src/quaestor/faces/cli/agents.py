"""The agents a run would have: what there is, whether all are sound, and the file of one."""

import shutil
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Annotated, Literal

from cyclopts import Parameter

from quaestor.agents.agent import Agent
from quaestor.agents.registry import AgentRegistry
from quaestor.app.text import count_noun, replace_hidden, truncate
from quaestor.contracts.errors import UsageError
from quaestor.faces.cli.output import command_line, write_stderr, write_stdout
from quaestor.faces.cli.params import Home
from quaestor.runtime import rosters

_HEADERS = ("NAME", "TOOLS", "GIVES", "SOURCE", "DESCRIPTION")


async def agents(
    action: Annotated[
        Literal["list", "check", "show"], Parameter(name="ACTION", help="What to do: list, check or show.")
    ],
    name: Annotated[str | None, Parameter(name="NAME", help="The agent to show.")] = None,
    /,
    *,
    directory: Annotated[
        Path | None, Parameter(name="--agents", help="A directory of agents besides the built-in ones.")
    ] = None,
    home: Home = None,
) -> int:
    """List the agents, check their files, or show one.

    `check` compiles every file; each fault is a line on stdout, and the exit code is 2.
    """
    directories = [directory] if directory else []
    if name is not None and action != "show":
        raise UsageError(f"{action} takes no name; to see one agent: {command_line(home, 'agents', 'show', name)}")
    match action:
        case "list":
            _list(rosters.load_all_agents(directories))
        case "check":
            return _check(directories)
        case "show" if name is None:
            raise UsageError(
                f"show takes the name of an agent; they are listed by: {command_line(home, 'agents', 'list')}"
            )
        case "show":
            _show(rosters.load_all_agents(directories).agent(name))
    return 0


def _list(known: AgentRegistry) -> None:
    rows = [
        (
            agent.name,
            ", ".join(agent.front.tools) or "none",
            ", ".join(agent.front.output.names),
            agent.source,
            agent.front.description,
        )
        for agent in known.agents
    ]
    widths = [max(len(row[place]) for row in (_HEADERS, *rows)) for place in range(len(_HEADERS))]
    for row in (_HEADERS, *rows):
        line = "  ".join(f"{cell:<{width}}" for cell, width in zip(row, widths, strict=True)).rstrip()
        write_stdout(f"{truncate(line, shutil.get_terminal_size().columns) if sys.stdout.isatty() else line}\n")


def _check(directories: Sequence[Path]) -> int:
    try:
        known = rosters.check_all_agents(directories)
    except UsageError as error:
        write_stdout(f"{replace_hidden(str(error))}\n")
        write_stderr(f"{count_noun(len(str(error).splitlines()), 'fault')} in the agents")
        return error.exit_code
    write_stdout(f"{count_noun(len(known.agents), 'agent')} are sound\n")
    return 0


def _show(agent: Agent) -> None:
    for label, value in _facts(agent):
        write_stdout(f"{label:<13}{value}\n")
    write_stdout(f"\n{replace_hidden(agent.page.text)}")


def _facts(agent: Agent) -> Iterator[tuple[str, str]]:
    front = agent.front
    yield "agent", agent.name
    yield "file", str(agent.page.path)
    yield "sha256", agent.sha256
    yield "takes", ", ".join(front.input.names)
    yield "gives", ", ".join(front.output.names)
    yield "tools", ", ".join(front.tools) or "none"
    yield "model", front.model or "that of the run"
    yield "temperature", "that of the model" if front.config.temperature is None else f"{front.config.temperature}"
    yield "tokens", f"{front.config.max_output_tokens:,} a reply"
    yield "delegate", "yes" if front.delegate else "no"
