from faces.cli.conftest import docs, finished, first_run, home, prepare, quaestor

__all__ = ["docs", "finished", "first_run", "home", "prepare", "quaestor"]
