"""Writes the parts of the documentation that are made from code: `python docs/reference.py`. A test compares them."""

import re
from collections.abc import Iterator
from pathlib import Path
from types import EllipsisType, NoneType, UnionType
from typing import Annotated, Union, get_args, get_origin

from quaestor.contracts.errors import QuaestorError
from quaestor.contracts.event import Recognised
from quaestor.views.graph import mermaid
from quaestor.workflows.research import Research

DOCS = Path(__file__).parent
ABOUT = """\
Every event has `session_id`, `seq` (1, 2, 3 ... within the session), `cycle`, `at` (UTC), `state` (the state it belongs
to) and a payload of the type below. A type keeps its meaning; a new meaning gets a new version, and an event of a newer
version than the program knows is kept and passed over. This page is made from `contracts/event.py`."""

ABOUT_ERRORS = """\
Everything Quaestor raises on purpose is a `QuaestorError`; a message says what happened, with what input, and what to
do. The exit code is what the command ends with. This page is made from `contracts/errors.py`."""


def events() -> str:
    """Give the page of all events."""
    parts = [
        "# Events",
        ABOUT,
    ]
    for kind in get_args(Recognised):
        fields = {name: field for name, field in kind.model_fields.items() if name != "type"}
        rows = [
            f"| `{name}` | `{_type(field.annotation)}` | {field.description or ''} |" for name, field in fields.items()
        ]
        table = "\n".join(["| field | type | meaning |", "|---|---|---|", *rows]) if rows else "No fields."
        about = " ".join((kind.__doc__ or "").replace("``", "`").split())
        parts.append(f"## {kind.model_fields['type'].default}\n\nVersion {kind.version}. {about}\n\n{table}")
    return "\n\n".join(parts) + "\n"


def errors() -> str:
    """Give the page of all errors."""
    parts = [
        "# Errors",
        ABOUT_ERRORS,
        "| error | is a | exit code | meaning |\n|---|---|---|---|\n" + "\n".join(map(_error, _tree(QuaestorError))),
    ]
    return "\n\n".join(parts) + "\n"


def architecture(page: str) -> str:
    """Give the page on architecture with the state graph of today's table."""
    graph = mermaid(Research.name, Research.table).strip()
    return re.sub(
        r"(<!-- graph -->\n).*?(<!-- /graph -->)",
        lambda marks: f"{marks[1]}\n```mermaid\n{graph}\n```\n\n{marks[2]}",
        page,
        flags=re.DOTALL,
    )


def pages() -> dict[Path, str]:
    """Give every page that is made from code, as it should be."""
    page = DOCS / "architecture.md"
    return {
        DOCS / "events.md": events(),
        DOCS / "errors.md": errors(),
        page: architecture(page.read_text(encoding="utf-8")),
    }


def _tree(error: type[QuaestorError]) -> Iterator[type[QuaestorError]]:
    yield error
    for kind in error.__subclasses__():
        yield from _tree(kind)


def _error(error: type[QuaestorError]) -> str:
    above = f"`{error.__base__.__name__}`" if error.__base__ is not Exception and error.__base__ else ""
    return f"| `{error.__name__}` | {above} | {error.exit_code} | {' '.join((error.__doc__ or '').split())} |"


def _type(kind: object) -> str:
    """Write a type as a reader says it: without what only validates, and with "or" between its choices."""
    parts = [_type(part) for part in get_args(kind)]
    origin = get_origin(kind)
    if origin is Annotated:
        return parts[0]
    if origin in {Union, UnionType}:
        return " or ".join(parts)
    if origin:
        return f"{getattr(origin, '__name__', 'Literal')}[{', '.join(parts)}]"
    if kind is NoneType:
        return "None"
    return "..." if isinstance(kind, EllipsisType) else getattr(kind, "__name__", repr(kind))


if __name__ == "__main__":
    for path, text in pages().items():
        path.write_text(text, encoding="utf-8")
