from quaestor.tools.engines.registry import load_engines
from quaestor.tools.engines.web_search import QuerySearchEngine

__all__ = ["QuerySearchEngine", "load_engines"]
