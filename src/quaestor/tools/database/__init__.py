from quaestor.tools.database.tool import SearchDatabase

__all__ = ["SearchDatabase"]
