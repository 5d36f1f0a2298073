"""Writes the parts of the documentation that are made from code: `python docs/reference.py`. A test compares them."""

import json
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from types import EllipsisType, NoneType, UnionType
from typing import Annotated, Union, get_args, get_origin

from pydantic import TypeAdapter

from quaestor.contracts.base import Contract
from quaestor.contracts.errors import QuaestorError
from quaestor.contracts.event import CorePayload
from quaestor.contracts.payload import EventPayload
from quaestor.contracts.stream import MAX_JSON_CHARACTERS, StreamEvent
from quaestor.contracts.workflow import StateSpec
from quaestor.runtime.registry import get_plugin

DOCS = Path(__file__).parent
ABOUT = """\
Every event has `session_id`, `seq` (1, 2, 3 ... within the session), `cycle`, `at` (UTC), `state` (the state it belongs
to), `todo_id` (the todo that it is about) and a payload of the type below. A type keeps its meaning; a new meaning gets
a new version, and an event of a newer version than the program knows is kept and passed over. This page is made from
`contracts/event.py` and from the events that the workflows have of their own."""

ABOUT_ERRORS = """\
Everything Quaestor raises on purpose is a `QuaestorError`; a message says what happened, with what input, and what to
do. The exit code is what the command ends with. This page is made from `contracts/errors.py`."""

ABOUT_STREAM = f"""\
What a client sees of a session while it goes on is its [log](events.md), filtered. Every event has `seq` (the number of
the event of the log that it comes from), `at` (UTC), `session_id`, a `type` and the fields below. An event of the log
gives none, one or several of them, which follow one another. Whoever has seen all up to a number goes on behind it,
misses nothing, and is told the same as one who was there from the beginning.

The first status comes from the first event of the log, before any model is asked. What a tool is given or gives back is
cut behind {MAX_JSON_CHARACTERS:,} characters of JSON; the log has all of it.
An answer of a model that breaks its contract
is not in the stream. An error is never a finding.

[stream.schema.json](stream.schema.json) is the JSON Schema (2020-12) of one event. A later release may add a type or a
field to it and takes none away. This page and the schema are made from `contracts/stream.py`."""
DIALECT = "https://json-schema.org/draft/2020-12/schema"


def events() -> str:
    """Return the page of all events."""
    parts = [
        "# Events",
        ABOUT,
    ]
    parts += map(_payload, get_args(CorePayload))
    for name in ("research", "longtask", "decision"):
        own = get_plugin(name).codec.payloads
        parts += [f"# Events of {name} sessions alone", *map(_payload, own.values())] if own else []
    return "\n\n".join(parts) + "\n"


def _payload(kind: type[EventPayload]) -> str:
    name = kind.model_fields["type"].default
    return f"## {name}\n\nVersion {kind.version}. {_about(kind)}\n\n{_table(kind, {'type'})}"


def stream() -> str:
    """Return the page of all events of the stream, and of what stands in them."""
    kinds = get_args(get_args(StreamEvent)[0])
    inner = dict.fromkeys(part for kind in kinds for part in _inner(kind))
    parts = ["# Event stream", ABOUT_STREAM]
    for kind in kinds:
        name = kind.model_fields["type"].default
        parts += [f"## {name}", _about(kind), _table(kind, {"type", "seq", "at", "session_id"})]
    parts.append("## Nested types")
    for kind in inner:
        parts += [f"### {kind.__name__}", _about(kind), _table(kind)]
    return "\n\n".join(parts) + "\n"


def stream_schema() -> str:
    """Return the JSON Schema of an event of the stream, as it is written."""
    schema = TypeAdapter[object](StreamEvent).json_schema(mode="serialization")
    return json.dumps({"$schema": DIALECT, "title": "StreamEvent", **schema}, indent=2, ensure_ascii=False) + "\n"


def errors() -> str:
    """Return the page of all errors."""
    parts = [
        "# Errors",
        ABOUT_ERRORS,
        "| error | is a | exit code | meaning |\n|---|---|---|---|\n" + "\n".join(map(_error, _tree(QuaestorError))),
    ]
    return "\n\n".join(parts) + "\n"


def architecture(page: str) -> str:
    """Return the page on architecture with the states of today's tables."""
    return re.sub(r"(<!-- graph (\w+) -->\n).*?(<!-- /graph -->)", _graph, page, flags=re.DOTALL)


def _graph(marks: re.Match[str]) -> str:
    begin, workflow, end = marks.groups()
    table = get_plugin(workflow).workflow.table
    groups = {
        per_todo: [_state(name, row) for name, row in table.items() if row.per_todo is per_todo]
        for per_todo in (False, True)
    }
    parts = "\n\nOf each todo:\n\n".join("\n".join(states) for states in groups.values() if states)
    return f"{begin}\n{parts}\n\n{end}"


def _state(name: str, row: StateSpec) -> str:
    """Return one line: what a state takes and gives, who acts in it, and the states that may follow."""
    actors = [
        *([f"role {row.role}"] if row.role else []),
        *([f"tools {', '.join(sorted(row.tools))}"] if row.tools else []),
    ]
    by = f" ({'; '.join(actors)})" if actors else ""
    gives = f" → `{row.gives.__name__}`" if row.gives else ""
    following = f" → {', '.join(sorted(row.leads_to))}" if row.leads_to else ""
    return f"- **{name}**{following}\\\n  {row.takes}{gives}{by}"


def pages() -> dict[Path, str]:
    """Return every page that is made from code, as it should be."""
    page = DOCS / "architecture.md"
    return {
        DOCS / "events.md": events(),
        DOCS / "errors.md": errors(),
        DOCS / "stream.md": stream(),
        DOCS / "stream.schema.json": stream_schema(),
        page: architecture(page.read_text(encoding="utf-8")),
    }


def _about(kind: type[Contract]) -> str:
    return " ".join((kind.__doc__ or "").replace("``", "`").split())


def _table(kind: type[Contract], known: Iterable[str] = ()) -> str:
    """Return the fields of a noun as a table, less those that are known."""
    rows = [
        f"| `{name}` | `{_type(field.annotation)}` | {field.description or ''} |"
        for name, field in kind.model_fields.items()
        if name not in known
    ]
    return "\n".join(["| field | type | meaning |", "|---|---|---|", *rows]) if rows else "No fields."


def _inner(kind: type[Contract]) -> Iterator[type[Contract]]:
    """Return the nouns that stand in the fields of a noun, however deep."""
    for field in kind.model_fields.values():
        for noun in _nouns(field.annotation):
            yield noun
            yield from _inner(noun)


def _nouns(kind: object) -> Iterator[type[Contract]]:
    if isinstance(kind, type) and issubclass(kind, Contract):
        yield kind
    for part in get_args(kind):
        yield from _nouns(part)


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
