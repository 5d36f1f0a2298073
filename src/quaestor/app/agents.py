"""The agents a run would have: the built-in ones and those of a folder."""

from collections.abc import Sequence
from pathlib import Path

from pydantic import Field

from quaestor.agents.agent import Agent
from quaestor.contracts.base import Contract
from quaestor.runtime import session_setup


class AgentDetails(Contract):
    """An agent as its file describes it."""

    name: str
    description: str
    source: str = Field(description="built-in, or the folder that its file is in.")
    path: str
    sha256: str = Field(description="Of the file.")
    takes: tuple[str, ...] = Field(description="The contracts of its input.")
    gives: tuple[str, ...] = Field(description="The contracts that it fulfils.")
    tools: tuple[str, ...]
    model: str | None = Field(description="None: that of the run.")
    temperature: float | None = Field(description="None: that of the model.")
    max_output_tokens: int
    delegate: bool = Field(description="True when a plan may delegate todos to it.")
    text: str = Field(description="The whole file.")


def list_agents(folders: Sequence[Path]) -> tuple[AgentDetails, ...]:
    """Return the agents of these folders and the built-in ones. Raises UsageError for a file that cannot be used."""
    return tuple(map(_details, session_setup.load_all_agents(folders).agents))


def check_agents(folders: Sequence[Path]) -> int:
    """Compile the file of every agent; return how many there are. Raises UsageError with a line for each fault."""
    return len(session_setup.check_all_agents(folders).agents)


def find_agent(folders: Sequence[Path], name: str) -> AgentDetails:
    """Return one agent. Raises UsageError for a name that no agent has."""
    return _details(session_setup.load_all_agents(folders).agent(name))


def _details(agent: Agent) -> AgentDetails:
    front = agent.front
    return AgentDetails(
        name=agent.name,
        description=front.description,
        source=agent.source,
        path=str(agent.page.path),
        sha256=agent.sha256,
        takes=tuple(front.input.names),
        gives=tuple(front.output.names),
        tools=tuple(front.tools),
        model=front.model,
        temperature=front.config.temperature,
        max_output_tokens=front.config.max_output_tokens,
        delegate=front.delegate,
        text=agent.page.text,
    )
