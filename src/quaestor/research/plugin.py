"""What the research workflow brings to the program. All but its states and options is imported at its first use."""

from pathlib import Path

from quaestor.contracts.lazy import deferred
from quaestor.contracts.plugin import WorkflowPlugin
from quaestor.contracts.roles import PromptInput
from quaestor.contracts.stream_view import StreamView
from quaestor.research.codec import CODEC
from quaestor.research.commands import COMMANDS
from quaestor.research.contracts.commands import ReviewPlan
from quaestor.research.contracts.delegate_verdicts import CitationInput, FactInput
from quaestor.research.contracts.optional_roles import CheckInput, DelegateSummaryInput, DelegateToolInput
from quaestor.research.contracts.roles import ClarifyInput, PlanInput, QueriesInput, ReadInput, ReviewInput
from quaestor.research.contracts.writing import FrameInput, SectionInput, SummarizeInput
from quaestor.research.options import ResearchOptions
from quaestor.research.workflow import Research

_ROLE_INPUTS: tuple[type[PromptInput], ...] = (
    ClarifyInput,
    PlanInput,
    QueriesInput,
    ReadInput,
    ReviewInput,
    SummarizeInput,
    SectionInput,
    FrameInput,
    CheckInput,
    DelegateToolInput,
    DelegateSummaryInput,
    FactInput,
    CitationInput,
)

PLUGIN = WorkflowPlugin(
    workflow=Research(),
    options=ResearchOptions,
    configure=deferred("quaestor.research.setup:configure"),
    agents=(Path(__file__).parent / "prompts",),
    role_inputs=lambda: _ROLE_INPUTS,
    offline_rules=deferred("quaestor.research.offline.rules:offline_rules"),
    tools=deferred("quaestor.research.session_tools:build_tools"),
    warm_up=deferred("quaestor.research.warm_up:later_steps"),
    summarize=deferred("quaestor.research.session_summary:summarize"),
    progress=deferred("quaestor.research.session_summary:progress"),
    reports={
        "md": deferred("quaestor.research.report_views:render_markdown_report"),
        "html": deferred("quaestor.research.report_views:render_html_report"),
        "json": deferred("quaestor.research.report_views:render_json_report"),
    },
    report_types=frozenset({"report_written"}),
    stream=StreamView(
        describe=deferred("quaestor.research.views.stream:describe"),
        fold=deferred("quaestor.research.views.stream:fold"),
        cycles={
            "question": "with a follow-up question",
            "refresh": "with a new look at the sources",
            "revise": "with one section",
        },
    ),
    answer_commands={
        "/confirm_plan": ReviewPlan(review="confirmed"),
        "/end_plan": ReviewPlan(review="auto_approved"),
    },
    codec=CODEC,
    describe=deferred("quaestor.research.narration:describe_event"),
    live_view=deferred("quaestor.research.views.progress:ResearchProgressView"),
    commands=COMMANDS,
    with_todos=Research,
)
