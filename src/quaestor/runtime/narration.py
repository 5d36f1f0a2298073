"""The events of any workflow in words: its plugin describes its own, the core all others."""

from quaestor.contracts.event import Event
from quaestor.contracts.narration import EventDescription
from quaestor.runtime.registry import get_plugin, workflow_names
from quaestor.views.event_description import Describe, describe_event


def build_narrator(workflow: str) -> Describe:
    """Return what describes the events of a workflow; of one that is not installed, the events of the core alone."""
    if workflow not in workflow_names():
        return describe_event
    plugin = get_plugin(workflow)

    def describe(event: Event) -> EventDescription:
        event = plugin.codec.decode(event)  # those of a copy of the log are as they are stored
        return plugin.describe(event) or describe_event(event)

    return describe
