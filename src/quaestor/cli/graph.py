from typing import Annotated

from cyclopts import Parameter

from quaestor.cli.speech import give
from quaestor.kits import find
from quaestor.views.graph import mermaid


async def graph(
    workflow: Annotated[
        str, Parameter(name="WORKFLOW", help="Its name: research, longtask, decision, or that of another package's.")
    ],
    /,
) -> int:
    """Draw the states of a workflow as a Mermaid diagram."""
    give(mermaid(workflow, find(workflow).workflow.table))
    return 0
