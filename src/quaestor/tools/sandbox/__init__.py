from quaestor.tools.sandbox.snippets import SnippetRunner
from quaestor.tools.sandbox.tiers import SandboxSelection, select_sandbox

__all__ = ["SandboxSelection", "SnippetRunner", "select_sandbox"]
