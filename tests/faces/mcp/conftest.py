from faces.cli.conftest import docs, finished, home, quaestor

__all__ = ["docs", "finished", "home", "quaestor"]
