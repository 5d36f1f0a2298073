from quaestor.tools.engines.registry import load_engines
from quaestor.tools.engines.web_search import SearchWeb

__all__ = ["SearchWeb", "load_engines"]
