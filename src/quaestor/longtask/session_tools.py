"""The tools of long tasks: files of a workspace, programs in a sandbox, searches."""

from collections.abc import Sequence
from pathlib import Path

from quaestor.contracts.context import RunContext
from quaestor.contracts.errors import UsageError
from quaestor.contracts.todo import TodoOptions
from quaestor.contracts.tools import AnyTool
from quaestor.longtask.contracts import TaskOptions
from quaestor.longtask.dump_tool import DumpWorkspace
from quaestor.longtask.todo import task_options
from quaestor.longtask.tools import registry
from quaestor.longtask.workflow import LongTaskState
from quaestor.tools.workspace import WorkspaceFolder


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
    built = [await tool.build(context, options) for tool in registry.task_tools() if tool.name in options.tools]
    return (DumpWorkspace(WorkspaceFolder(Path(options.workspace))), *built)
