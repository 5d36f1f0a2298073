"""The workflows there are, by name: those that are built in, and those of other packages."""

from collections.abc import Callable, Mapping
from importlib.metadata import entry_points
from types import MappingProxyType
from typing import Any

from quaestor.contracts.codec import CORE_CODEC, Codec
from quaestor.contracts.errors import UsageError
from quaestor.contracts.plugin import WorkflowPlugin

AnyPlugin = WorkflowPlugin[Any]
ENTRY_POINT_GROUP = "quaestor.workflows"
"""The entry points by which other packages bring workflows; each leads to a `Kit`."""


def _research() -> AnyPlugin:
    from quaestor.research.codec import CODEC  # noqa: PLC0415 -- who runs another workflow spares it
    from quaestor.research.options import ResearchOptions  # noqa: PLC0415
    from quaestor.research.workflow import Research  # noqa: PLC0415

    return WorkflowPlugin(workflow=Research(), options=ResearchOptions, codec=CODEC)


def _longtask() -> AnyPlugin:
    from quaestor.longtask.codec import CODEC  # noqa: PLC0415 -- as above
    from quaestor.longtask.contracts import TaskOptions  # noqa: PLC0415
    from quaestor.longtask.workflow import LongTask  # noqa: PLC0415

    return WorkflowPlugin(workflow=LongTask(), options=TaskOptions, codec=CODEC)


def _decision() -> AnyPlugin:
    from quaestor.trading.codec import CODEC  # noqa: PLC0415 -- as above
    from quaestor.trading.contracts.mandate import DecisionOptions  # noqa: PLC0415
    from quaestor.trading.workflow import DecisionWorkflow  # noqa: PLC0415

    return WorkflowPlugin(workflow=DecisionWorkflow(), options=DecisionOptions, codec=CODEC)


_BUILT_IN: Mapping[str, Callable[[], AnyPlugin]] = MappingProxyType(
    {"research": _research, "longtask": _longtask, "decision": _decision}
)


def get_plugin(name: str) -> AnyPlugin:
    """Give the kit of a workflow.

    Raises UsageError when there is none of this name, or when what a package brings under it is no kit.
    """
    if name in _BUILT_IN:
        return _BUILT_IN[name]()
    for point in entry_points(group=ENTRY_POINT_GROUP, name=name):
        kit: object = point.load()
        if not isinstance(kit, WorkflowPlugin) or kit.workflow.name != name:
            raise UsageError(f"{point.value} of the entry point {name} is no kit of a workflow called {name}")
        return kit
    raise UsageError(f"there is no workflow {name!r}; there are {', '.join(workflow_names())}")


def get_codec(name: str) -> Codec:
    """Return the codec of a workflow; the core's, which leaves its contracts JSON, where the workflow is not installed."""
    return get_plugin(name).codec if name in workflow_names() else CORE_CODEC


def workflow_names() -> tuple[str, ...]:
    """Name the workflows there are, the built-in ones first."""
    return (*_BUILT_IN, *sorted(point.name for point in entry_points(group=ENTRY_POINT_GROUP)))
