"""Commands for any workflow: its diagram, and a run of one from another package."""

from typing import Annotated

from cyclopts import Parameter
from pydantic import JsonValue

from quaestor.app import open_home
from quaestor.app.workflows import draw_workflow
from quaestor.contracts.context import SessionRequest
from quaestor.contracts.errors import UsageError
from quaestor.contracts.terminal import Json, ReportOutput
from quaestor.faces.cli.interactive import run_interactively
from quaestor.faces.cli.output import write_stdout
from quaestor.faces.cli.params import Home


async def draw_graph(
    workflow: Annotated[
        str, Parameter(name="WORKFLOW", help="Its name: research, longtask, decision, or that of another package's.")
    ],
    /,
) -> int:
    """Draw the states of a workflow as a Mermaid diagram."""
    write_stdout(draw_workflow(workflow))
    return 0


async def run_workflow(
    workflow: Annotated[str, Parameter(name="WORKFLOW", help="Its name, as its package registers it.")],
    text: Annotated[str, Parameter(name="TEXT", help="What it is to work on; after -- it may begin with a dash.")],
    /,
    *,
    model: Annotated[str | None, Parameter(help="offline, PROVIDER:NAME, script:FILE or replay:SESSION.")] = None,
    option: Annotated[
        list[str], Parameter(negative="", help="NAME=VALUE of an option of the workflow; may be given again.")
    ] = [],  # noqa: B006 -- never changed
    json: Json = False,
    home: Home = None,
) -> int:
    """Carry out a workflow of another package and print what it ends with.

    The same text with the same options continues its unfinished session.
    """
    async with open_home(home, model=model) as quaestor:
        request = SessionRequest(text=text, options=_parse_pairs(option))
        session_id = await quaestor.start_session(workflow, request)
        return await run_interactively(quaestor, session_id, ReportOutput(), home, json=json)


def _parse_pairs(options: list[str]) -> dict[str, JsonValue]:
    """Return the values of options by their names. Raises UsageError for one without a value."""
    pairs = [each.partition("=") for each in options]
    if wrong := [name for name, equals, _ in pairs if not equals]:
        raise UsageError(f"--option {wrong[0]} has no value; write {wrong[0]}=VALUE")
    return {name: value for name, _, value in pairs}
