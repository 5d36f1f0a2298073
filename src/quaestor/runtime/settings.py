"""Every knob, once: its default, its name in the environment (QUAESTOR_ and the name in capitals), its meaning.

What a run asks for beats the environment, the environment beats `quaestor.toml` in the current folder, that beats the
user's own `quaestor.toml`, and that beats the default. What is not a single value is JSON in the environment.
"""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import MappingProxyType

from pydantic import JsonValue, ValidationError

from quaestor.contracts.errors import SetupError, UsageError
from quaestor.contracts.faults import say_fault
from quaestor.contracts.settings import Settings
from quaestor.files import MAX_SETTINGS_BYTES, parse_toml, read_regular_file
from quaestor.runtime.folder_settings import SettingsFile, check_folder_settings

_SECRET_SETTINGS = frozenset({"mcp", "databases", "follow", "metrics", "providers", "store", "notify_webhook"})
_SHORTEST_KEY = 16
"""Characters; longer values are not shown, for a key may have been written in the wrong place."""
ENV_PREFIX = "QUAESTOR_"
SETTINGS_FILE = "quaestor.toml"
_LIST = 'write it as a list, as ["a", "b"]'
_TABLE = "its parts have names: write a table in TOML, a JSON object in the environment"
_PLAIN: Mapping[str, str] = MappingProxyType(
    {
        "tuple_type": _LIST,
        "frozen_set_type": _LIST,
        "mapping_type": _TABLE,
        "dict_type": _TABLE,
        "model_type": _TABLE,
        "bool_parsing": "write on or off",
        "decimal_parsing": "write a number, as 2.50",
    }
)
"""What the validation says in terms of Python, in those of the files."""
RESERVED_VARIABLES = frozenset({"QUAESTOR_HOME", "QUAESTOR_DEBUG", "QUAESTOR_FETCH_ALLOW"})
"""Variables that are no setting of a run: what faces read before there are any, and what only an operator may allow."""


def resolve_settings(
    run: Mapping[str, JsonValue],
    environment: Mapping[str, str],
    own: Path | None = None,
    folder: Path | None = None,
) -> Settings:
    """Return the settings of one run from its options, the environment, a folder's file and the user's own.

    They weigh in this order. Options that are None were not given. Raises UsageError that names each faulty setting and
    where it came from, UntrustedSettings for what the folder's file may not set.
    """
    return validate_layers(setting_layers(run, environment, own, folder))


def setting_layers(
    run: Mapping[str, JsonValue],
    environment: Mapping[str, str],
    own: Path | None = None,
    folder: Path | None = None,
) -> Mapping[str, Mapping[str, JsonValue]]:
    """Return the settings of each source that has any, by its name; a later one takes precedence.

    Raises UsageError for a source that cannot be read, UntrustedSettings for what the folder's file may not set.
    """
    own_values = read_settings_file(own).values if own and _is_there(own) else {}
    return {
        str(own): own_values,
        str(folder): _from_folder(folder, own, own_values) if folder else {},
        "the environment": _from_environment(environment),
        "the options": {name: value for name, value in run.items() if value is not None},
    }


def validate_layers(layers: Mapping[str, Mapping[str, JsonValue]]) -> Settings:
    """Return the settings of several sources. Raises UsageError that names each faulty one and its source."""
    merged: dict[str, JsonValue] = {}
    origin: dict[str, str] = {}
    for layer, values in layers.items():
        merged |= values
        origin |= dict.fromkeys(values, layer)
    try:
        return Settings.model_validate(merged)
    except ValidationError as error:
        faults = [(fault["loc"], _PLAIN.get(fault["type"], fault["msg"]), fault["input"]) for fault in error.errors()]
        reasons = "; ".join(
            f"{'.'.join(map(str, loc))}{_describe_value(loc, value)} from {origin[str(loc[0])]}: {say_fault(message)}"
            for loc, message, value in faults
        )
        raise UsageError(f"a setting cannot be used: {reasons}") from error


def _describe_value(place: Sequence[int | str], value: object) -> str:
    """Show a value that is too short for a key or a password and is not in their place."""
    harmless = isinstance(value, int | float) or (isinstance(value, str) and len(value) < _SHORTEST_KEY)
    known = place[0] in Settings.model_fields or not isinstance(value, str)
    return f" = {value!r}" if harmless and known and place[0] not in _SECRET_SETTINGS else ""


def user_settings_file(environment: Mapping[str, str]) -> Path:
    """Return where the user's own settings are, whether there are any or not."""
    named = (environment.get("XDG_CONFIG_HOME"), environment.get("APPDATA"))
    folder = next((Path(place) for place in named if place and Path(place).is_absolute()), None)
    return (folder or user_folder() / ".config") / "quaestor" / SETTINGS_FILE


def user_folder() -> Path:
    """Return the folder of this user. Raises SetupError where there is none, as of a bare number in a container."""
    try:
        return Path.home()
    except RuntimeError as error:
        raise SetupError("this user has no folder of his own; set HOME to a folder that he can write to") from error


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
    except (ValueError, RecursionError) as error:
        raise UsageError(f"{variable} is not JSON: {error}; it has parts, so write it as JSON") from error
    return value


def _from_folder(file: Path, own: Path | None, own_values: Mapping[str, JsonValue]) -> Mapping[str, JsonValue]:
    """Read what a folder sets. Raises UsageError where it may not."""
    if not _is_there(file):
        return {}
    found = read_settings_file(file)
    if own and _is_there(own) and file.samefile(own):
        return {}
    check_folder_settings(found, own or file, own_values)
    return found.values


def _is_there(file: Path) -> bool:
    """Return whether something has the name of a settings file.

    A link that leads nowhere, and a folder that may not be entered, are refused where they are read: limits that a
    person wrote down would be missing without a word.
    """
    try:
        file.lstat()
    except (FileNotFoundError, NotADirectoryError):
        return False
    except OSError:
        return True
    return True


def read_settings_file(file: Path) -> SettingsFile:
    """Read a settings file. Raises UsageError for one that is no file of TOML, is too large or too deep."""
    try:
        content = read_regular_file(file, MAX_SETTINGS_BYTES)
        return SettingsFile(file, content, parse_toml(content))
    except OSError as error:
        raise UsageError(f"{file} cannot be read: {error.strerror}") from error
    except ValueError as error:
        raise UsageError(f"{file} cannot be read as TOML: {error}") from error
