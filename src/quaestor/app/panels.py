"""The pages that workflows have of their own: what a task made, and what a decision session did."""

from collections.abc import Sequence

from quaestor.app.shorthands import Quaestor
from quaestor.contracts.panels import Panel
from quaestor.runtime.registry import get_plugin, workflow_names


def has_panels(workflow: str) -> bool:
    """Return whether sessions of a workflow have a page of their own."""
    return workflow in workflow_names() and get_plugin(workflow).panels is not None


async def read_panels(quaestor: Quaestor, session_id: str) -> Sequence[Panel]:
    """Return what the workflow of a session shows of it; nothing where it shows nothing. Raises UnknownSession."""
    show = get_plugin((await quaestor.session(session_id)).workflow).panels
    return await show(quaestor.read_events(session_id)) if show else ()
