"""Attributes that are imported at their first use, because their module is slow to import or needs an extra."""

import gc
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache
from pkgutil import resolve_name
from typing import Any, Generic, TypeVar

from typing_extensions import override

from quaestor.contracts.immutable import Immutable

T = TypeVar("T")


class LazyImport(Immutable, Generic[T]):
    """An attribute of a module, written as `package.module:attribute`.

    This is the only way in which the project imports late. Annotate the variable with the type of the attribute, under
    TYPE_CHECKING where that type itself is slow to import.
    """

    reference: str

    def load(self) -> T:
        """Import the module and return the attribute.

        Raises ImportError or AttributeError when it does not exist, ModuleNotFoundError without its extra.
        """
        collects = gc.isenabled()
        gc.disable()  # what a module makes stays: to look for cycles in it took a sixth of the time
        try:
            attribute: T = resolve_name(self.reference)
        finally:
            if collects:
                gc.enable()
        return attribute


def deferred(reference: str) -> Callable[..., Any]:
    """Return a function that imports the one at `package.module:attribute` when it is called."""
    function: LazyImport[Callable[..., Any]] = LazyImport(reference)
    load = cache(function.load)

    def call(*arguments: object, **keywords: object) -> object:
        return load()(*arguments, **keywords)

    return call


class FallbackMapping(Mapping[str, T]):
    """A mapping that looks into others, one after the other, for a key that it does not have itself.

    `others` is asked for the next mapping only when the key was not in those before, so that it may import them.
    """

    def __init__(self, own: Mapping[str, T], others: Callable[[], Iterable[Mapping[str, T]]]) -> None:
        self._own = own
        self._others = others

    @override
    def __getitem__(self, key: str) -> T:
        if key in self._own:
            return self._own[key]
        for other in self._others():
            if key in other:
                return other[key]
        raise KeyError(key)

    @override
    def __iter__(self) -> Iterator[str]:
        yield from self._own
        seen = set(self._own)
        for other in self._others():
            yield from (key for key in other if key not in seen)
            seen.update(other)

    @override
    def __len__(self) -> int:
        return sum(1 for _ in self)
