"""The workflows there are: their states, and the commands that they bring to the program."""

from collections.abc import Collection

from pydantic import ValidationError

from quaestor.contracts.command import Answer, Command
from quaestor.contracts.errors import UsageError
from quaestor.contracts.event import PAYLOAD_VERSIONS
from quaestor.runtime.registry import built_in_commands, get_plugin, installed_commands
from quaestor.views.state_diagram import render_mermaid

__all__ = ["built_in_commands", "draw_workflow", "event_types", "installed_commands", "parse_answer", "workflow_states"]


def parse_answer(workflow: str, text: str) -> Command:
    """Return the command that an answer is: one that its workflow has for these words, else the answer itself.

    Raises UsageError for a text that cannot be used as an answer.
    """
    known = get_plugin(workflow).answer_commands.get(text.strip().casefold())
    if known:
        return known
    try:
        return Answer(text=text.strip())
    except ValidationError as error:
        raise UsageError(f"the answer {text.strip()[:60]!r} cannot be used: {error.errors()[0]['msg']}") from error


def event_types(workflow: str) -> Collection[str]:
    """Return the types of the events that sessions of a workflow have."""
    return (*PAYLOAD_VERSIONS, *get_plugin(workflow).codec.payloads)


def workflow_states(workflow: str) -> Collection[str]:
    """Return the names of the states of a workflow."""
    return get_plugin(workflow).workflow.table.keys()


def draw_workflow(workflow: str) -> str:
    """Draw the states of a workflow as a Mermaid diagram. Raises UsageError for a workflow that does not exist."""
    return render_mermaid(workflow, get_plugin(workflow).workflow.table)
