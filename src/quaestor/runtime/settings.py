"""Every knob, once: its default, its name in the environment (QUAESTOR_ and the name in capitals), its meaning.

What a run asks for beats the environment, the environment beats `quaestor.toml` in the current folder, that beats the
user's own `quaestor.toml`, and that beats the default. What is not a single value is JSON in the environment.
"""

import json
import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path

from pydantic import JsonValue, ValidationError

from quaestor.contracts.errors import UsageError
from quaestor.contracts.settings import Settings

_USER_FILE_ONLY = frozenset({"mcp", "databases", "todos"})
"""What starts programs, reads what may be private, or lets workflows act in a session of another one."""
_SECRET_SETTINGS = frozenset({"mcp", "databases", "follow", "providers"})
ENV_PREFIX = "QUAESTOR_"
SETTINGS_FILE = "quaestor.toml"
RESERVED_VARIABLES = frozenset({"QUAESTOR_HOME", "QUAESTOR_DEBUG", "QUAESTOR_FETCH_ALLOW"})
"""Variables that are no setting of a run: what faces read before there are any, and what only an operator may allow."""


def resolve_settings(
    run: Mapping[str, JsonValue], environment: Mapping[str, str], files: Sequence[Path] = ()
) -> Settings:
    """Return the settings of one run from its options, the environment and files, in this order of weight.

    Of the files the first weighs most; the last is the user's own. Options that are None were not given. Raises
    UsageError that names each faulty setting and where it came from.
    """
    layers: dict[str, Mapping[str, JsonValue]] = {
        **{str(file): _from_file(file, files[-1]) for file in reversed(files)},
        "the environment": _from_environment(environment),
        "the options": {name: value for name, value in run.items() if value is not None},
    }
    merged: dict[str, JsonValue] = {}
    origin: dict[str, str] = {}
    for layer, values in layers.items():
        merged |= values
        origin |= dict.fromkeys(values, layer)
    try:
        return Settings.model_validate(merged)
    except ValidationError as error:
        faults = [(fault["loc"], fault["msg"], fault["input"]) for fault in error.errors()]
        reasons = "; ".join(
            f"{'.'.join(map(str, loc))}{_describe_value(loc, value)} from {origin[str(loc[0])]}: {message}"
            for loc, message, value in faults
        )
        raise UsageError(f"a setting cannot be used: {reasons}") from error


def _describe_value(place: Sequence[int | str], value: object) -> str:
    """Show the value of a setting, unless it may hold a password."""
    return "" if place[0] in _SECRET_SETTINGS else f" = {value!r}"


def user_settings_file(environment: Mapping[str, str]) -> Path:
    """Return where the user's own settings are, whether there are any or not."""
    folder = environment.get("XDG_CONFIG_HOME") or environment.get("APPDATA") or Path.home() / ".config"
    return Path(folder) / "quaestor" / SETTINGS_FILE


def _from_environment(environment: Mapping[str, str]) -> dict[str, JsonValue]:
    names = {f"{ENV_PREFIX}{name.upper()}": name for name in Settings.model_fields}
    for variable in environment:
        if variable.startswith(ENV_PREFIX) and variable not in names.keys() | RESERVED_VARIABLES:
            raise UsageError(f"the environment has {variable}, but no setting has that name; see docs/settings.md")
    return {
        names[variable]: _parse_variable(variable, value)
        for variable, value in environment.items()
        if variable in names
    }


def _parse_variable(variable: str, text: str) -> JsonValue:
    """Read a setting that has parts; any other is read by its own type."""
    if not text.startswith(("{", "[")):
        return text
    try:
        value: JsonValue = json.loads(text)
    except ValueError as error:
        raise UsageError(f"{variable} is not JSON: {error}; it has parts, so write it as JSON") from error
    return value


def _from_file(file: Path, own: Path) -> dict[str, JsonValue]:
    """Read a file; only the user's own may name programs and databases, for any folder can hold another one."""
    if not file.exists():
        return {}
    try:
        values = tomllib.loads(file.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise UsageError(f"{file} cannot be read as TOML: {error}") from error
    for table in _USER_FILE_ONLY & values.keys():
        if file != own:
            raise UsageError(f"{file} has [{table}], which only your own settings may; write it in {own}")
    return values
