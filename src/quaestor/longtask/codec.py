"""The contracts by which the log of a task is decoded."""

from quaestor.contracts.codec import build_codec
from quaestor.contracts.workspace import (
    DumpInput,
    DumpResult,
)
from quaestor.longtask.contracts import Acted, EditRefused, Judged, PlanAdopted, Round, TaskPlanDraft
from quaestor.longtask.tools.registry import task_tools

CODEC = build_codec(
    contracts=(Acted, EditRefused, Judged, PlanAdopted, Round, TaskPlanDraft),
    tools={
        "dump": (DumpInput, DumpResult),
        **{tool.name: (tool.input_type, tool.output_type) for tool in task_tools()},
    },
)
