"""The agents a run would have: what there is, whether all are sound, and the file of one."""

import shutil
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Annotated, Literal

from cyclopts import Parameter

from quaestor.agents import roster
from quaestor.agents.agent import Agent
from quaestor.agents.roster import Roster
from quaestor.cli.phrase import counted, fit
from quaestor.cli.place import Home
from quaestor.cli.speech import command, give, say
from quaestor.contracts.errors import UsageError
from quaestor.views.visible import visible

_HEADS = ("NAME", "TOOLS", "GIVES", "SOURCE", "DESCRIPTION")


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
        raise UsageError(f"{action} takes no name; to see one agent: {command(home, 'agents', 'show', name)}")
    match action:
        case "list":
            _list(roster.load(directories))
        case "check":
            return _check(directories)
        case "show" if name is None:
            raise UsageError(f"show takes the name of an agent; they are listed by: {command(home, 'agents', 'list')}")
        case "show":
            _show(roster.load(directories).agent(name))
    return 0


def _list(known: Roster) -> None:
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
    widths = [max(len(row[place]) for row in (_HEADS, *rows)) for place in range(len(_HEADS))]
    for row in (_HEADS, *rows):
        line = "  ".join(f"{cell:<{width}}" for cell, width in zip(row, widths, strict=True)).rstrip()
        give(f"{fit(line, shutil.get_terminal_size().columns) if sys.stdout.isatty() else line}\n")


def _check(directories: Sequence[Path]) -> int:
    try:
        known = roster.check(directories)
    except UsageError as error:
        give(f"{visible(str(error))}\n")
        say(f"{counted(len(str(error).splitlines()), 'fault')} in the agents")
        return error.exit_code
    give(f"{counted(len(known.agents), 'agent')} are sound\n")
    return 0


def _show(agent: Agent) -> None:
    for label, value in _facts(agent):
        give(f"{label:<13}{value}\n")
    give(f"\n{visible(agent.page.text)}")


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
