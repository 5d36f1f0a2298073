"""What the long-task workflow brings to the program. All but its states and options is imported at its first use."""

from pathlib import Path

from quaestor.contracts.lazy import deferred
from quaestor.contracts.plugin import WorkflowPlugin
from quaestor.longtask.codec import CODEC
from quaestor.longtask.commands import COMMANDS
from quaestor.longtask.contracts import RoundInput, TaskOptions, TaskPlanInput
from quaestor.longtask.todo import TASK_TODO
from quaestor.longtask.workflow import LongTask

PLUGIN = WorkflowPlugin(
    workflow=LongTask(),
    options=TaskOptions,
    configure=deferred("quaestor.longtask.session:configure"),
    agents=(Path(__file__).parent / "prompts",),
    role_inputs=lambda: (TaskPlanInput, RoundInput),
    offline_rules=deferred("quaestor.longtask.offline_rules:offline_rules"),
    tools=deferred("quaestor.longtask.session:build_tools"),
    summarize=deferred("quaestor.longtask.session:summarize"),
    progress=deferred("quaestor.longtask.session:progress"),
    codec=CODEC,
    describe=deferred("quaestor.longtask.narration:describe_event"),
    commands=COMMANDS,
    as_todo=TASK_TODO,
)
