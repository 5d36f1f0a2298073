"""Services for work in a folder: its files, programs in a sandbox, databases. Imported at their first use."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from quaestor.contracts.database import Database
from quaestor.contracts.tools import AnyTool
from quaestor.runtime.settings import user_settings_file
from quaestor.tools.database import SearchDatabase
from quaestor.tools.passage_search import SearchPassages
from quaestor.tools.sandbox import SandboxSelection, SnippetRunner, select_sandbox
from quaestor.tools.workspace import ReadFile, RunPython, RunShell, WorkspaceFolder, WriteFile

__all__ = ["database_tool", "file_tools", "program_tools", "select_sandbox"]


def file_tools(folder: Path) -> Sequence[AnyTool]:
    """Return the tools `read_file` and `write_file` in a folder."""
    workspace = WorkspaceFolder(folder)
    return (ReadFile(workspace), WriteFile(workspace))


def program_tools(folder: Path, selection: SandboxSelection) -> Sequence[AnyTool]:
    """Return the tools `shell` and `python`; without a sandbox they refuse every call with the reason."""
    workspace = WorkspaceFolder(folder)
    refusal = "; ".join(selection.standing.reasons)
    snippets = SnippetRunner() if selection.standing.snippets else None
    return (
        RunShell(workspace, selection.sandbox, refusal),
        RunPython(workspace, selection.sandbox, refusal, snippets=snippets),
    )


def database_tool(
    databases: Mapping[str, Database],
    documents: SearchPassages | None,
    environment: Mapping[str, str],
    seconds: float,
) -> AnyTool:
    """Return the tool that reads databases by name, and documents, within so many seconds."""
    own = user_settings_file(environment).parent
    return SearchDatabase(databases, documents, environment, seconds, folder=own)
