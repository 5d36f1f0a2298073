"""What a session needs of a long task: the options it starts with, its tools, and what `show` and `ps` print."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from quaestor.contracts.context import RunContext, SessionRequest, SetupContext
from quaestor.contracts.errors import UsageError
from quaestor.contracts.plugin import SessionSummary
from quaestor.contracts.todo import TodoOptions
from quaestor.contracts.tools import AnyTool
from quaestor.longtask.contracts import Phase, TaskOptions
from quaestor.longtask.dump_tool import DumpWorkspace
from quaestor.longtask.routing import WORKER
from quaestor.longtask.state import PlannedTask
from quaestor.longtask.todo import task_options
from quaestor.longtask.tools import registry
from quaestor.longtask.tools.names import BUILT_IN_TOOLS, require_known
from quaestor.longtask.workflow import LongTaskState
from quaestor.models.catalogue import OFFLINE
from quaestor.tools.workspace import RunPython, RunShell, WorkspaceFolder
from quaestor.views.text import count_noun, first_lines

_UNPLANNED_RESULTS = (("rounds", "0"), ("made", "0 files"), ("errors", "none"), ("plan", "none"))


def configure(context: SetupContext, request: SessionRequest) -> TaskOptions:
    """Return the options of a task, with the folder in which it works.

    Raises UsageError for a model, an engine, a budget or a folder that cannot be used, SetupError for a missing key.
    """
    settings = context.settings
    options = TaskOptions.model_validate(
        {
            **dict(settings.run_options()),
            "workspace": str(settings.workspace.resolve()) if settings.workspace else "",
            "tools": BUILT_IN_TOOLS if settings.allow is None else settings.allow,
            "databases": tuple(settings.databases),
            "rounds": settings.rounds,
            "approve": settings.approve,
            "approved": settings.approved,
            "approve_after_untrusted": settings.approve_after_untrusted,
            "engines": context.engine_names(),
            "corpus": request.corpus.corpus if request.corpus else "",
            **request.options,
        }
    )
    require_known((*options.tools, *options.approve))
    options = context.resolve_models(options)
    if options.models.get(WORKER, options.model) == OFFLINE:
        raise UsageError(
            "the offline model cannot carry out a task: it chooses no tools; name a model, as ollama:NAME for one of "
            "your own machine, or a playbook of steps"
        )
    return options.revised(workspace=context.workspace(request.text, options, options.workspace))


async def build_tools(context: RunContext, options: TaskOptions, _state: LongTaskState) -> Sequence[AnyTool]:
    """Return the tools of a session. Raises UsageError for a task without a folder."""
    return await task_tools(context, options)


async def todo_tools(context: RunContext, options: TodoOptions) -> Sequence[AnyTool]:
    """Return the tools of the tasks that carry out todos. Raises UsageError without a folder."""
    return await task_tools(context, task_options(options))


async def task_tools(context: RunContext, options: TaskOptions) -> Sequence[AnyTool]:
    """Return the tools of a task, whichever session it is a part of. Raises UsageError for a task without a folder."""
    if not options.workspace:
        raise UsageError("the task has no workspace; name the folder in which it works")
    built = [await tool.build(context, options) for tool in registry.allowed_tools(options)]
    keeps = all(tool.keeps_own_files for tool in built if isinstance(tool, RunShell | RunPython))
    return (DumpWorkspace(WorkspaceFolder(Path(options.workspace)), keeps_own_files=keeps), *built)


def summarize(state: LongTaskState) -> SessionSummary:
    """Return what is known of a task: its folder and limits, its rounds and answer, and phases and files below."""
    if state.task is None:
        return SessionSummary()
    task = state.task
    options = task.setup.options
    planned = task if isinstance(task, PlannedTask) else None
    return SessionSummary(
        given=(("workspace", options.workspace), ("tools", ", ".join(registry.available_tools(options)) or "none")),
        limits=(f"{options.rounds} rounds", f"{options.seconds:g} seconds a program"),
        results=tuple(_task_results(planned)) if planned else _UNPLANNED_RESULTS,
        below=tuple(_task_lines(planned)) if planned else (),
    )


def progress(state: LongTaskState) -> str:
    """Return how many phases are complete, of how many."""
    phases = state.task.plan.phases if isinstance(state.task, PlannedTask) else ()
    return f"{_complete(phases)}/{len(phases)} phases"


def _complete(phases: tuple[Phase, ...]) -> int:
    return sum(phase.status == "complete" for phase in phases)


def _task_results(task: PlannedTask) -> Iterator[tuple[str, str]]:
    yield "rounds", f"{task.round:,}"
    if task.untrusted_source:
        yield "untrusted", f"words of others were read: {task.untrusted_source}"
    yield "made", count_noun(len(task.workspace.artifacts), "file")
    errors = task.failures.errors
    unresolved = sum(not error.resolution for error in errors)
    yield "errors", f"{len(errors):,}, {unresolved:,} of them not resolved" if errors else "none"
    if task.answer:
        yield "answer", task.answer
    complete = _complete(task.plan.phases)
    yield "plan", f"{count_noun(len(task.plan.phases), 'phase')}, {complete:,} complete"


def _task_lines(task: PlannedTask) -> Iterator[str]:
    for phase in task.plan.phases:
        yield from _phase_lines(phase)
    yield from first_lines(list(_artifact_lines(task)))


def _phase_lines(phase: Phase) -> Iterator[str]:
    yield f"{phase.id:<8}  {phase.status.replace('_', ' '):<11}  {phase.title}"
    for item in phase.checklist:
        yield f"  [{'x' if item.done else ' '}] {item.text}"


def _artifact_lines(task: PlannedTask) -> Iterator[str]:
    made = sorted(task.workspace.artifacts.values(), key=lambda one: one.path)
    widest = max((len(one.path) for one in made), default=0)
    for one in made:
        yield f"{one.path:<{widest}}  version {one.version}  {one.size:>9,} bytes  {one.sha256[:12]}"
