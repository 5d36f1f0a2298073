"""What other packages bring by entry points."""

import sys
from contextlib import redirect_stdout
from importlib.metadata import EntryPoint

from quaestor.contracts.errors import SetupError


def load_installed(point: EntryPoint, kind: str) -> object:
    """Return what an entry point of another package leads to. Raises SetupError where that cannot be loaded.

    A package that is imported runs code of its own, which can fail in any way, or end the program; what it prints is
    no part of the output of a command.
    """
    try:
        with redirect_stdout(sys.stderr):
            return point.load()
    except (Exception, SystemExit) as error:
        reason = str(error) if isinstance(error, ImportError | AttributeError) else f"{type(error).__name__}: {error}"
        raise SetupError(
            f"the {kind} {point.name!r} cannot be loaded from {point.value} ({reason}); reinstall its package"
        ) from error
