"""All agents of a run: the built-in ones, and those in the folders of its user."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from pathlib import Path

from quaestor.agents.agent import SUFFIX, Agent
from quaestor.agents.front_matter import InputTypes
from quaestor.contracts.errors import UsageError
from quaestor.contracts.model import ModelRequest
from quaestor.contracts.roles import AgentCard, Prompt
from quaestor.contracts.suggestion import suggest


class AgentRegistry:
    """The agents by name; a `PromptBuilder`."""

    def __init__(self, agents: Mapping[str, Agent]) -> None:
        self._agents = agents

    @property
    def agents(self) -> tuple[Agent, ...]:
        """Return all agents in order of name."""
        return tuple(self._agents[name] for name in sorted(self._agents))

    def agent(self, name: str) -> Agent:
        """Return one agent. Raises UsageError for an unknown name."""
        if name not in self._agents:
            known = sorted(self._agents)
            raise UsageError(f"no agent is called {name!r}; {suggest(name, known)}there are {', '.join(known)}")
        return self._agents[name]

    def prompt(self, request: ModelRequest) -> Prompt:
        """Return the prompt of the role's agent. Raises UsageError when no agent has this role."""
        return self.agent(request.role).prompt(request)

    def cards(self, tools: Collection[str]) -> tuple[AgentCard, ...]:
        """Return the agents that a todo can be delegated to in a run with these tools, in order of name.

        Raises UsageError when an agent declares tools and the run has none of them.
        """
        return tuple(agent.card(tools) for agent in self.agents if agent.front.delegate)


def load_agents(built_in: Sequence[Path], directories: Sequence[Path], inputs: InputTypes) -> AgentRegistry:
    """Read the built-in agents, then those of each directory, which replace others of their name.

    Raises UsageError with one line per fault, of all files. The templates of built-in agents are compiled when they
    are first used.
    """
    agents, faults = _read_agents(built_in, directories, inputs)
    return _checked_registry(agents, faults, [agent for agent in agents.values() if not agent.built_in])


def check_agents(built_in: Sequence[Path], directories: Sequence[Path], inputs: InputTypes) -> AgentRegistry:
    """Read all agents as `load_agents` does, and compile every template. Raises UsageError with one line per fault."""
    agents, faults = _read_agents(built_in, directories, inputs)
    return _checked_registry(agents, faults, agents.values())


def _read_agents(
    built_in: Sequence[Path], directories: Sequence[Path], inputs: InputTypes
) -> tuple[dict[str, Agent], list[str]]:
    shipped = {path.stem: Agent(path, inputs, built_in=True) for folder in built_in for path in _agent_files(folder)}
    agents, faults = dict(shipped), list[str]()
    for path in (path for directory in directories for path in _agent_files(directory)):
        replaced = shipped[path.stem].front.input.names if path.stem in shipped else ()
        agent = Agent(path, inputs, replaced)
        try:
            _ = agent.front
        except UsageError as error:
            faults.append(str(error))
        else:
            agents[path.stem] = agent
    return agents, faults


def _agent_files(directory: Path) -> list[Path]:
    if not directory.is_dir():
        problem = "is not a directory" if directory.exists() else "does not exist"
        raise UsageError(f"the directory of agents {directory} {problem}; name a directory of {SUFFIX} files")
    return sorted(path for path in directory.glob(f"*{SUFFIX}") if not path.name.startswith("_"))


def _checked_registry(agents: Mapping[str, Agent], faults: Sequence[str], compiled: Iterable[Agent]) -> AgentRegistry:
    messages = list(faults)
    for agent in compiled:
        try:
            agent.compile()
        except UsageError as error:
            messages.append(str(error))
    if messages:
        raise UsageError("\n".join(dict.fromkeys("\n".join(messages).splitlines())))
    return AgentRegistry(agents)
