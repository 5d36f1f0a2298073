from quaestor.tools.sandbox.selection import SandboxSelection, select_sandbox
from quaestor.tools.sandbox.snippets import SnippetRunner

__all__ = ["SandboxSelection", "SnippetRunner", "select_sandbox"]
