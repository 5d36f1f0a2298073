"""Every late import of the program exists where it is written to be."""

import ast
from collections.abc import Iterator, Mapping
from importlib.util import find_spec
from pathlib import Path

import pytest

import quaestor
from quaestor.contracts.lazy import LazyImport

SOURCE = Path(quaestor.__file__).parent
LATE = {"LazyImport", "deferred"}
WRITTEN = tuple(f"{name}{after}" for name in LATE for after in "([")


def late_references(source: str) -> Iterator[str]:
    """Yield what a module imports late, also where the module's name stands in a constant above.

    Only a module with such a call is parsed, as each process of the tests looks at them all.
    """
    if not any(late in source for late in WRITTEN):
        return
    tree = ast.parse(source)
    names = {
        target.id: str(statement.value.value)
        for statement in tree.body
        if isinstance(statement, ast.Assign) and isinstance(statement.value, ast.Constant)
        for target in statement.targets
        if isinstance(target, ast.Name)
    }
    for call in (node for node in ast.walk(tree) if isinstance(node, ast.Call) and node.args):
        called = call.func.value if isinstance(call.func, ast.Subscript) else call.func
        if isinstance(called, ast.Name) and called.id in LATE:
            given = call.args[0]
            parts = given.values if isinstance(given, ast.JoinedStr) else [given]
            texts = [_text(part, names) for part in parts]
            if None not in texts:  # else the name is made when it is called, as of what the package exports
                yield "".join(filter(None, texts))


def _text(part: ast.expr, names: Mapping[str, str]) -> str | None:
    match part:
        case ast.Constant(value=str(text)):
            return text
        case ast.FormattedValue(value=ast.Name(id=name)):
            return names.get(name)
        case _:
            return None


REFERENCES = sorted({late for path in SOURCE.rglob("*.py") for late in late_references(path.read_text("utf-8"))})


def test_there_are_late_imports() -> None:
    assert "quaestor.models.chat.remote:RemoteModel" in REFERENCES


@pytest.mark.parametrize("reference", REFERENCES)
def test_a_late_import_finds_its_attribute(reference: str) -> None:
    if reference.startswith("keyring") and find_spec("keyring") is None:
        pytest.skip("no extra installs keyring: it is used where a person has it")
    late: LazyImport[object] = LazyImport(reference)
    assert late.load() is not None


def test_an_attribute_that_does_not_exist_is_an_error() -> None:
    missing: LazyImport[object] = LazyImport("quaestor.models.chat.server:Nothing")
    with pytest.raises(AttributeError, match="Nothing"):
        missing.load()
