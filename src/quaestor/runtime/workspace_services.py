"""Services for work in a folder: its files, programs in a sandbox, databases. Imported at their first use."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from quaestor.contracts.ports import Library
from quaestor.contracts.settings import Settings
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
    """Return the tools `shell` and `python`; without a sandbox they refuse every call and say why."""
    workspace = WorkspaceFolder(folder)
    refusal = "; ".join(selection.standing.reasons)
    snippets = SnippetRunner() if selection.standing.snippets else None
    return (
        RunShell(workspace, selection.sandbox, refusal),
        RunPython(workspace, selection.sandbox, refusal, snippets=snippets),
    )


def database_tool(
    names: Sequence[str],
    corpus: str,
    settings: Settings,
    environment: Mapping[str, str],
    library: Library,
    seconds: float,
) -> AnyTool:
    """Return the tool that reads databases of the settings, and the documents of a corpus, within so many seconds."""
    documents = SearchPassages(library, corpus) if corpus else None
    databases = {name: settings.databases[name] for name in names if name in settings.databases}
    own = user_settings_file(environment).parent
    return SearchDatabase(databases, documents, environment, seconds, folder=own)
