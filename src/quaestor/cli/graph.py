from collections.abc import Mapping
from typing import Annotated

from cyclopts import Parameter

from quaestor.cli.speech import give
from quaestor.contracts.errors import UsageError
from quaestor.contracts.workflow import StateRow
from quaestor.views.graph import mermaid
from quaestor.workflows.research import Research

_TABLES: Mapping[str, Mapping[str, StateRow]] = {Research.name: Research.table}


async def graph(workflow: Annotated[str, Parameter(name="WORKFLOW", help="Its name: research.")], /) -> int:
    """Draw the states of a workflow as a Mermaid diagram."""
    if workflow not in _TABLES:
        raise UsageError(f"no workflow is called {workflow!r}; there is: {', '.join(_TABLES)}")
    give(mermaid(workflow, _TABLES[workflow]))
    return 0
