"""The tools of a run by their names, and the one place where what a tool takes and returns is checked."""

from collections.abc import Iterable, Mapping

from quaestor.contracts.base import Contract
from quaestor.contracts.errors import ToolFailed
from quaestor.contracts.tools import AnyTool


def index_tools(tools: Iterable[AnyTool]) -> Mapping[str, AnyTool]:
    """Return tools by their names, those of a workflow that carries out todos by each of its states and their names.

    So two workflows may each have a tool of one name.
    """
    named: dict[str, AnyTool] = {}
    for tool in tools:
        for name in [tool.name] if tool.states is None else [scoped_name(tool.name, state) for state in tool.states]:
            named[name] = tool
    return named


def scoped_name(name: str, state: str) -> str:
    """Return the name of a tool of the workflow that a state belongs to."""
    return f"{state}/{name}"


def find_tool(tools: Mapping[str, AnyTool], name: str, state: str) -> AnyTool:
    """Return the tool that an action of a state names. Raises ToolFailed with the names that there are."""
    tool = tools.get(scoped_name(name, state)) or tools.get(name)
    if tool is None:
        names = sorted({each.name for each in tools.values()})
        raise ToolFailed(f"no tool is called {name!r}; this run has {', '.join(names) or 'none'}")
    return tool


async def run_checked(tool: AnyTool, given: Contract) -> Contract:
    """Run a tool and return its result; raise ToolFailed for an input or a result that is not of the tool's types.

    This is the one place that checks them: everywhere else the tool's type arguments do.
    """
    input_type: type[Contract] = tool.input_type
    output_type: type[Contract] = tool.output_type
    if not isinstance(given, input_type):
        raise ToolFailed(f"{tool.name} takes a {input_type.__name__}, not a {type(given).__name__}")
    result = await tool.run(given)
    if not isinstance(result, output_type):
        raise ToolFailed(f"{tool.name} returns a {output_type.__name__}, but this run returned {type(result).__name__}")
    return result
