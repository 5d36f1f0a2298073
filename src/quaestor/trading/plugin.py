"""What the decision workflow brings to the program. All but its states and options is imported at its first use."""

from pathlib import Path

from quaestor.contracts.lazy import deferred
from quaestor.contracts.plugin import WorkflowPlugin
from quaestor.contracts.stream_view import StreamView
from quaestor.trading.codec import CODEC
from quaestor.trading.commands import COMMANDS
from quaestor.trading.contracts.mandate import DecisionOptions
from quaestor.trading.contracts.role_inputs import (
    DecisionInput,
    QuantInput,
    QuantToolsInput,
    StrategyInput,
    StrategyToolsInput,
)
from quaestor.trading.todo import DECISION_TODO
from quaestor.trading.workflow import DecisionWorkflow

PLUGIN = WorkflowPlugin(
    workflow=DecisionWorkflow(),
    options=DecisionOptions,
    configure=deferred("quaestor.trading.setup:configure"),
    agents=(Path(__file__).parent / "prompts",),
    role_inputs=lambda: (StrategyToolsInput, StrategyInput, QuantToolsInput, QuantInput, DecisionInput),
    offline_rules=deferred("quaestor.trading.offline_rules:offline_rules"),
    tools=deferred("quaestor.trading.session_tools:build_tools"),
    summarize=deferred("quaestor.trading.session_summary:summarize"),
    reports={
        "md": deferred("quaestor.trading.performance.session_report:render_markdown_report"),
        "html": deferred("quaestor.trading.performance.session_report:render_html_report"),
        "json": deferred("quaestor.trading.performance.session_report:render_json_report"),
    },
    stream=StreamView(cycles={"decision": "to decide"}),
    codec=CODEC,
    commands=COMMANDS,
    as_todo=DECISION_TODO,
)
