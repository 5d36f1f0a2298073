"""Quaestor: research that survives anything, in a ledger where every citation is a proof."""

from quaestor.version import __version__

# Type checkers take it as true; `typing` would be half of what is imported before Ctrl-C is answered.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from quaestor.app import Quaestor
    from quaestor.app.blocking import BlockingQuaestor, open_blocking
    from quaestor.app.home import open_with_options as open  # noqa: A004 -- read as quaestor.open, like gzip.open
    from quaestor.contracts.errors import NoEvidence, QuaestorError, SetupError, UsageError
    from quaestor.contracts.event import Event
    from quaestor.contracts.result import Result
    from quaestor.contracts.settings import Settings
    from quaestor.research.contracts.brief import Brief
    from quaestor.research.contracts.report import Report
    from quaestor.research.views.document import render_html, render_json, render_markdown

_EXPORTS = {
    "BlockingQuaestor": "quaestor.app.blocking",
    "Brief": "quaestor.research.contracts.brief",
    "Event": "quaestor.contracts.event",
    "NoEvidence": "quaestor.contracts.errors",
    "Quaestor": "quaestor.app",
    "QuaestorError": "quaestor.contracts.errors",
    "Report": "quaestor.research.contracts.report",
    "Result": "quaestor.contracts.result",
    "Settings": "quaestor.runtime.settings",
    "SetupError": "quaestor.contracts.errors",
    "UsageError": "quaestor.contracts.errors",
    "render_json": "quaestor.research.views.document",
    "render_html": "quaestor.research.views.document",
    "render_markdown": "quaestor.research.views.document",
    "open": "quaestor.app.home",
    "open_blocking": "quaestor.app.blocking",
}

__all__ = [
    "BlockingQuaestor",
    "Brief",
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
    "open",
    "open_blocking",
    "render_html",
    "render_json",
    "render_markdown",
]


def __getattr__(name: str) -> object:
    """Import what is asked for when it is asked for, so that `import quaestor` and the command start fast."""
    if name not in _EXPORTS:
        raise AttributeError(f"module 'quaestor' has no attribute {name!r}")
    from quaestor.contracts.lazy import LazyImport  # noqa: PLC0415 -- keeps `import quaestor` small

    return LazyImport[object](f"{_EXPORTS[name]}:{'open_with_options' if name == 'open' else name}").load()


def __dir__() -> list[str]:
    """Return the public names, so that `dir(quaestor)` and completion list them before they are imported."""
    return __all__
