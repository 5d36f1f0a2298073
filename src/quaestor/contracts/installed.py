"""What other packages bring by entry points."""

from importlib.metadata import EntryPoint

from quaestor.contracts.errors import SetupError


def load_installed(point: EntryPoint, kind: str) -> object:
    """Return what an entry point of another package leads to. Raises SetupError where that cannot be loaded."""
    try:
        return point.load()
    except (ImportError, AttributeError) as error:
        raise SetupError(
            f"the {kind} {point.name!r} cannot be loaded from {point.value} ({error}); reinstall its package"
        ) from error
