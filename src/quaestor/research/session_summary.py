"""What `show` and `ps` print of a research session."""

from quaestor.contracts.plugin import SessionSummary
from quaestor.research.contracts.plan import TodoStatus
from quaestor.research.options import ResearchOptions
from quaestor.research.state import ResearchState
from quaestor.research.views.plan_text import plan_lines, plan_summary
from quaestor.views.text import count_noun


def summarize(state: ResearchState) -> SessionSummary:
    """Return what is known of a session: its documents and limits, what was found, and the plan below."""
    options = state.options
    findings = state.all_findings()
    sources = {quote.source for finding in findings for quote in finding.quotes}
    disputes = tuple(
        ("contradiction", f"{dispute.subject}: {' against '.join(dispute.values)}") for dispute in state.contradictions
    )
    tools = (("workspace", options.workspace), ("tools", ", ".join(options.allow))) if options.allow else ()
    return SessionSummary(
        given=(("documents", f"{options.documents:,} {_origin(options)}"), *tools),
        limits=(
            f"{options.queries} queries a loop",
            f"{options.loops} loops a todo",
            f"{options.max_todos} todos",
        ),
        results=(
            ("searches", f"{state.searches:,}"),
            ("found", f"{count_noun(len(findings), 'finding')} from {count_noun(len(sources), 'source')}"),
            *disputes,
            ("report", f"version {state.report_versions}" if state.report_versions else "none"),
            ("plan", plan_summary(state.plan)),
        ),
        below=plan_lines(state.plan, {}),
    )


def progress(state: ResearchState) -> str:
    """Return how many todos are done, of how many."""
    todos = state.plan.todos
    return f"{sum(todo.status is TodoStatus.DONE for todo in todos)}/{len(todos)}"


def _origin(options: ResearchOptions) -> str:
    return f"in {', '.join(options.roots)}" if options.roots or not options.corpus else "that came with the session"
