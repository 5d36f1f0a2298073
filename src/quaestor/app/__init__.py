"""Every operation of Quaestor, for the faces: they import this package and `contracts`, and nothing below."""

from quaestor.app.home import (
    DATABASE_FILE,
    ProgressCallback,
    Quaestor,
    default_home,
    open_home,
    split_paths_and_urls,
)

__all__ = ["DATABASE_FILE", "ProgressCallback", "Quaestor", "default_home", "open_home", "split_paths_and_urls"]
