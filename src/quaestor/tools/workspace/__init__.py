from quaestor.tools.workspace.files import ReadFile, WriteFile
from quaestor.tools.workspace.folder import WorkspaceFolder
from quaestor.tools.workspace.programs import RunPython, RunShell

__all__ = ["ReadFile", "RunPython", "RunShell", "WorkspaceFolder", "WriteFile"]
