"""A mandate from its file: TOML, with the fields of `Mandate`."""

from collections.abc import Callable, Mapping
from datetime import UTC, date, datetime, time
from decimal import Decimal
from pathlib import Path

from pydantic import ValidationError

from quaestor.contracts.errors import UsageError
from quaestor.contracts.faults import say_fault
from quaestor.contracts.suggestion import suggest
from quaestor.files import MAX_SETTINGS_BYTES, parse_toml, read_regular_file
from quaestor.trading.contracts.mandate import Constraints, Mandate

TomlTable = Mapping[str, object]


def read_mandate(path: Path, warn: Callable[[str], None] = lambda _: None) -> Mandate:
    """Read a mandate. A path of candles is relative to the folder of the file; a time without a zone is in UTC.

    A constraint that has no rule is kept as a note, and `warn` is called with what it is and is not. Raises UsageError
    that names the file and every field that is wrong.
    """
    try:
        written = parse_toml(read_regular_file(path, MAX_SETTINGS_BYTES), parse_float=Decimal)
    except FileNotFoundError as error:
        raise UsageError(f"there is no mandate {path}; name a TOML file, as docs/trading.md shows") from error
    except OSError as error:
        raise UsageError(f"the mandate {path} cannot be read: {error.strerror}; name a TOML file") from error
    except ValueError as error:
        raise UsageError(f"the mandate {path} is no TOML: {error}; correct it") from error
    try:
        mandate = Mandate.model_validate(_normalize(written, path.parent))
    except ValidationError as error:
        raise UsageError("\n".join(_error_lines(error, path))) from error
    for name in _unknown_constraints(written.get("constraints")):
        meant = suggest(name, Constraints.model_fields).rstrip()
        warn(f"{path}: no limit is called {name}; it is kept as a note and limits nothing{meant and f'; {meant}'}")
    return mandate


def _normalize(written: TomlTable, folder: Path) -> TomlTable:
    normalized = {name: _with_zone(value) for name, value in written.items()}
    if isinstance(candles := normalized.get("candles"), str):
        normalized["candles"] = str(folder / candles)
    if isinstance(constraints := normalized.get("constraints"), dict):
        normalized["constraints"] = _unknown_constraints_to_notes(constraints)
    return normalized


def _with_zone(value: object) -> object:
    match value:
        case datetime(tzinfo=None):
            return value.replace(tzinfo=UTC)
        case datetime():
            return value
        case date():
            return datetime.combine(value, time(), UTC)
        case _:
            return value


def _unknown_constraints_to_notes(constraints: TomlTable) -> TomlTable:
    unknown = _unknown_constraints(constraints)
    known = {name: value for name, value in constraints.items() if name not in unknown}
    others = tuple(f"{name}: {constraints[name]}" for name in unknown)
    notes = known.get("notes", ())
    return {**known, "notes": (*notes, *others)} if isinstance(notes, list | tuple) and others else known


def _unknown_constraints(constraints: object) -> tuple[str, ...]:
    """Return the names below `[constraints]` that no rule has."""
    return (
        tuple(name for name in constraints if name not in Constraints.model_fields)
        if isinstance(constraints, dict)
        else ()
    )


def _error_lines(error: ValidationError, path: Path) -> list[str]:
    found = error.errors(include_url=False, include_context=False)
    return [
        f"{path}: {'.'.join(map(str, one['loc'])) or 'mandate'}: {_explain(one['type'], one['msg'], one['input'])}"
        for one in found
    ]


def _explain(kind: str, message: str, given: object) -> str:
    match kind:
        case "extra_forbidden":
            return "there is no such field; docs/trading.md names those there are"
        case "missing":
            return "is missing"
        case "value_error":
            return say_fault(message)
        case "too_short" | "too_long":
            return message
        case _:
            return f"{message}, not {given!r}"
