"""The documentation strings of Python's own standard library as text files: documents that every machine has.

The sources are parsed, never imported. A module becomes one file: its name as the title, and under the name of each
public class and function what its documentation string says.
"""

import ast
import os
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path

from quaestor.contracts.errors import HomeNotWritable, SetupError

_UNDERLINES = "=-~"
_DocumentedNode = ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef


def write_stdlib_docs(stdlib: Path, folder: Path) -> None:
    """Write one file a module of the library at `stdlib`; files that were written from it as it is are left alone.

    Modules that this Python does not have are left out. Raises SetupError when it has none of them as source, and
    HomeNotWritable when the folder cannot be written.
    """
    written = 0
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for module in stdlib_modules():
            source = _source(stdlib, module)
            if source:
                _write_if_changed(folder / f"{module}.txt", module, source)
                written += 1
    except OSError as error:
        raise HomeNotWritable(f"the documents of the demo cannot be written to {folder}: {error.strerror}") from error
    if not written:
        raise SetupError(f"{stdlib} holds no sources of the standard library; use a Python that has them")


def stdlib_modules() -> tuple[str, ...]:
    """Name the modules: those about running things at the same time, and others for a search to choose from."""
    return tuple(files("quaestor.tools").joinpath("stdlib_docs.txt").read_text("utf-8").split())


def module_docs(module: str, source: str) -> str:
    """Return what a module's documentation strings say: its own, then those of its public classes and functions."""
    tree = ast.parse(source)
    blocks = [_section(module, 0, ast.get_docstring(tree))]
    blocks += [_section(name, depth, docstring) for name, depth, docstring in _documented(tree, "", 1)]
    return "\n\n".join(blocks) + "\n"


def _documented(node: _DocumentedNode, path: str, depth: int) -> Iterator[tuple[str, int, str]]:
    """Walk what is public and documented: its dotted name, its depth, and its docstring."""
    for child in node.body:
        if isinstance(child, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef) and not child.name.startswith("_"):
            name = f"{path}{child.name}"
            docstring = ast.get_docstring(child)
            if docstring:
                yield name, depth, docstring
            if isinstance(child, ast.ClassDef):
                yield from _documented(child, f"{name}.", 2)


def _section(title: str, depth: int, docstring: str | None) -> str:
    return f"{title}\n{_UNDERLINES[depth] * max(len(title), 3)}" + (f"\n\n{docstring}" if docstring else "")


def _source(stdlib: Path, module: str) -> Path | None:
    base = stdlib.joinpath(*module.split("."))
    return next((file for file in (base.with_suffix(".py"), base / "__init__.py") if file.is_file()), None)


def _write_if_changed(file: Path, module: str, source: Path) -> None:
    """Write what a module says, with the time of its source, by which a later call sees that it need not be parsed."""
    changed_at = source.stat().st_mtime_ns
    if not file.exists() or file.stat().st_mtime_ns != changed_at:
        file.write_text(module_docs(module, source.read_text(encoding="utf-8")), encoding="utf-8")
        os.utime(file, ns=(changed_at, changed_at))
