"""Quaestor: research that survives anything, in a ledger where every citation is a proof."""

from importlib import import_module
from typing import TYPE_CHECKING

from quaestor.version import __version__

if TYPE_CHECKING:
    from quaestor.app import Quaestor
    from quaestor.app import open_home as open  # noqa: A004 -- read as quaestor.open, like gzip.open
    from quaestor.contracts.errors import NoEvidence, QuaestorError, SetupError, UsageError
    from quaestor.contracts.event import Event
    from quaestor.contracts.report import Report
    from quaestor.contracts.run import Result
    from quaestor.settings import Settings
    from quaestor.views.data import data
    from quaestor.views.html import html
    from quaestor.views.markdown import markdown

_HOMES = {
    "Event": "quaestor.contracts.event",
    "NoEvidence": "quaestor.contracts.errors",
    "Quaestor": "quaestor.app",
    "QuaestorError": "quaestor.contracts.errors",
    "Report": "quaestor.contracts.report",
    "Result": "quaestor.contracts.run",
    "Settings": "quaestor.settings",
    "SetupError": "quaestor.contracts.errors",
    "UsageError": "quaestor.contracts.errors",
    "data": "quaestor.views.data",
    "html": "quaestor.views.html",
    "markdown": "quaestor.views.markdown",
    "open": "quaestor.app",
}

__all__ = [
    "Event",
    "NoEvidence",
    "Quaestor",
    "QuaestorError",
    "Report",
    "Result",
    "Settings",
    "SetupError",
    "UsageError",
    "__version__",
    "data",
    "html",
    "markdown",
    "open",
]


def __getattr__(name: str) -> object:
    """Import what is asked for when it is asked for, so that `import quaestor` and the command start fast."""
    if name not in _HOMES:
        raise AttributeError(f"module 'quaestor' has no attribute {name!r}")
    return getattr(import_module(_HOMES[name]), "open_home" if name == "open" else name)
