from faces.cli.conftest import docs, finished, first_run, home, quaestor

__all__ = ["docs", "finished", "first_run", "home", "quaestor"]
