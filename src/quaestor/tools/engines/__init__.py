from quaestor.tools.engines.catalogue import engines
from quaestor.tools.engines.search import WebSearch

__all__ = ["WebSearch", "engines"]
