"""The tree of errors that the module draws is that of its classes."""

from collections.abc import Iterator

from quaestor.contracts import errors

_INDENT = 2


def drawn() -> Iterator[tuple[int, str]]:
    """Yield the depth and the name of every error in the order of the drawing."""
    for line in (errors.__doc__ or "").splitlines():
        if line.startswith("    "):
            yield (len(line) - len(line.lstrip()) - 4) // _INDENT, line.split()[0]


def descend(kind: type[Exception], depth: int = 0) -> Iterator[tuple[int, str]]:
    """Yield a class and those made of it in this module, each below its own."""
    yield depth, kind.__name__
    for each in kind.__subclasses__():
        if each.__module__ == errors.__name__:
            yield from descend(each, depth + 1)


def test_the_tree_of_errors_has_every_error_below_the_one_it_is() -> None:
    assert list(drawn()) == list(descend(errors.QuaestorError))
