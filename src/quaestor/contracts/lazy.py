"""Attributes that are imported at their first use, because their module is slow to import or needs an extra."""

from collections.abc import Callable
from dataclasses import dataclass
from pkgutil import resolve_name
from typing import Any, Generic, TypeVar

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class LazyImport(Generic[T]):
    """An attribute of a module, written as `package.module:attribute`.

    This is the only way in which the project imports late. Annotate the variable with the type of the attribute, under
    TYPE_CHECKING where that type itself is slow to import.
    """

    reference: str

    def load(self) -> T:
        """Import the module and return the attribute.

        Raises ImportError or AttributeError when it does not exist, ModuleNotFoundError without its extra.
        """
        attribute: T = resolve_name(self.reference)
        return attribute


def deferred(reference: str) -> Callable[..., Any]:
    """Return a function that imports the one at `package.module:attribute` when it is called."""
    function: LazyImport[Callable[..., Any]] = LazyImport(reference)

    def call(*arguments: object, **keywords: object) -> object:
        return function.load()(*arguments, **keywords)

    return call
