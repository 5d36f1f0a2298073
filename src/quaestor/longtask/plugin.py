"""What the long-task workflow brings to the program. All but its states and options is imported at its first use."""

from quaestor.contracts.lazy import deferred
from quaestor.contracts.plugin import WorkflowPlugin
from quaestor.longtask.codec import CODEC
from quaestor.longtask.commands import COMMANDS
from quaestor.longtask.contracts import TaskOptions
from quaestor.longtask.rounds import AGENTS, ROLE_INPUTS
from quaestor.longtask.workflow import LongTask

PLUGIN = WorkflowPlugin(
    workflow=LongTask(),
    options=TaskOptions,
    configure=deferred("quaestor.longtask.session:configure"),
    agents=(AGENTS,),
    role_inputs=lambda: ROLE_INPUTS,
    offline_rules=deferred("quaestor.longtask.offline_rules:offline_rules"),
    tools=deferred("quaestor.longtask.session:build_tools"),
    summarize=deferred("quaestor.longtask.session:summarize"),
    progress=deferred("quaestor.longtask.session:progress"),
    codec=CODEC,
    describe=deferred("quaestor.longtask.narration:describe_event"),
    commands=COMMANDS,
)
