"""What the long-task workflow brings to the program. All but its states and options is imported at its first use."""

from pathlib import Path

from quaestor.contracts.codec import build_codec
from quaestor.contracts.immutable import replace
from quaestor.contracts.lazy import FallbackMapping, deferred
from quaestor.contracts.plugin import WorkflowPlugin
from quaestor.contracts.workspace import DumpInput, DumpResult
from quaestor.longtask.commands import COMMANDS
from quaestor.longtask.contracts import (
    Acted,
    EditRefused,
    Judged,
    PlanAdopted,
    Round,
    RoundInput,
    TaskOptions,
    TaskPlanDraft,
    TaskPlanInput,
)
from quaestor.longtask.todo import TASK_TODO
from quaestor.longtask.tools.registry import InstalledToolTypes, built_in_tools
from quaestor.longtask.workflow import LongTask

_BUILT_IN_CODEC = build_codec(
    contracts=(Acted, EditRefused, Judged, PlanAdopted, Round, TaskPlanDraft),
    tools={
        "dump": (DumpInput, DumpResult),
        **{tool.name: (tool.input_type, tool.output_type) for tool in built_in_tools()},
    },
)
CODEC = replace(_BUILT_IN_CODEC, tools=FallbackMapping(_BUILT_IN_CODEC.tools, lambda: (InstalledToolTypes(),)))

PLUGIN = WorkflowPlugin(
    workflow=LongTask(),
    options=TaskOptions,
    configure=deferred("quaestor.longtask.session:configure"),
    agents=(Path(__file__).parent / "prompts",),
    role_inputs=lambda: (TaskPlanInput, RoundInput),
    offline_rules=deferred("quaestor.longtask.offline_rules:offline_rules"),
    tools=deferred("quaestor.longtask.session:build_tools"),
    summarize=deferred("quaestor.longtask.session:summarize"),
    panels=deferred("quaestor.longtask.panels:TaskPanels"),
    progress=deferred("quaestor.longtask.session:progress"),
    codec=CODEC,
    describe=deferred("quaestor.longtask.narration:describe_event"),
    live_view=deferred("quaestor.longtask.progress_view:TaskProgressView"),
    commands=COMMANDS,
    as_todo=TASK_TODO,
)
