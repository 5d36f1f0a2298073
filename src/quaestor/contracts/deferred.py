"""Functions whose modules are imported when they are called, so that a run pays for what it uses alone."""

from collections.abc import Callable
from importlib import import_module
from typing import Any


def load_attribute(place: str) -> Any:  # noqa: ANN401 -- whatever the module has there
    """Import and return the attribute at a place, written `module:attribute`.

    Raises ImportError for a module that cannot be imported, AttributeError for a name that it does not have.
    """
    module, _, name = place.partition(":")
    return getattr(import_module(module), name)


def deferred(place: str) -> Callable[..., Any]:
    """Return a function that imports the function at a place, written `module:attribute`, when it is called."""

    def call(*args: object, **keywords: object) -> object:
        return load_attribute(place)(*args, **keywords)

    return call
