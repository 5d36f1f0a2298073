"""The settings of this machine's user: what applies and from where, and a change of the user's own file."""

import os
import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from pydantic import JsonValue

from quaestor.app.settings.environment import own_settings_file
from quaestor.contracts.base import Contract
from quaestor.contracts.errors import SetupError, UsageError
from quaestor.contracts.lazy import deferred
from quaestor.contracts.settings import Settings
from quaestor.contracts.suggestion import suggest
from quaestor.files import parse_toml, replace_private_file
from quaestor.runtime.credentials import FOLDER_KEYS_FILE, KEYS_FILE
from quaestor.runtime.settings import (
    ENV_PREFIX,
    SETTINGS_FILE,
    read_settings_file,
    setting_layers,
    validate_layers,
)
from quaestor.runtime.toml_edit import set_in_toml

# The HTTP client is imported where a provider of one's own is written.
_provider_endpoint: Callable[[str, str | None], object] = deferred("quaestor.models.chat.exchange:provider_endpoint")
DEFAULT_SOURCE = "default"
_PATH_OF_URL = re.compile(r"(?<=\w/)[^\s]+")
_SECRET_URLS = frozenset({"notify_webhook"})
"""Addresses whose path is a secret: whoever knows it may post there."""
_USER_INFO = re.compile(r"(?<=://)[^/@\s\"]+@")
_LIKE_A_KEY = re.compile(r"(?<![\w/.-])(?=[\w-]*\d)(?=[\w-]*[A-Za-z])[\w-]{20,}(?![\w/.])")


class EffectiveSetting(Contract):
    """A setting as it applies now; its value is as JSON, without what may be secret."""

    name: str
    value: str
    source: str
    description: str


class FileChange(NamedTuple):
    """A setting by its path, as `("providers", "lab", "output")`, and its new value."""

    path: tuple[str, ...]
    value: JsonValue


class ConfigurationFile(NamedTuple):
    """A file that may hold settings or keys."""

    purpose: str
    path: Path


def effective_settings() -> tuple[EffectiveSetting, ...]:
    """Return every setting as it applies in this folder, and where it comes from. Raises as `open_home` does."""
    layers = setting_layers({}, os.environ, own_settings_file(), Path(SETTINGS_FILE))
    settings = validate_layers(layers)
    origin = {name: layer for layer, values in layers.items() for name in values}
    shown = settings.model_dump(mode="json") | settings.model_dump(mode="json", exclude_unset=True)
    return tuple(
        EffectiveSetting(
            name=name,
            value=_PATH_OF_URL.sub("[hidden]", _shown(shown[name])) if name in _SECRET_URLS else _shown(shown[name]),
            source=_source(origin.get(name), name),
            description=field.description or "",
        )
        for name, field in Settings.model_fields.items()
    )


def configuration_files() -> Sequence[ConfigurationFile]:
    """Return the files that are read for settings and keys, whether they exist or not."""
    own = own_settings_file()
    return (
        ConfigurationFile("your settings", own),
        ConfigurationFile("your keys", own.parent / KEYS_FILE),
        ConfigurationFile("settings of this folder", Path(SETTINGS_FILE).resolve()),
        ConfigurationFile("keys of this folder", Path(FOLDER_KEYS_FILE).resolve()),
    )


def changed_settings(changes: Sequence[FileChange]) -> str:
    """Return the user's settings file as it would be with these changes, by path.

    Raises UsageError for a setting that does not exist or cannot have this value, and for a file that cannot be read.
    """
    own = own_settings_file()
    text = read_settings_file(own).content.decode() if own.exists() else ""
    for path, value in changes:
        text = set_in_toml(text, path, value)
    for provider in validate_layers({str(own): parse_toml(text.encode())}).providers.values():
        if provider.base_url is not None:
            _provider_endpoint(provider.base_url, None)
    return text


def parse_change(name: str, value: str) -> FileChange:
    """Return the change of a setting as typed: a value of TOML, else a text.

    Raises UsageError for a setting that does not exist.
    """
    path = tuple(name.split("."))
    if path[0] not in Settings.model_fields:
        meant = suggest(path[0], Settings.model_fields)
        raise UsageError(f"no setting is called {path[0]!r}; {meant}`quaestor settings --all` lists them")
    try:
        parsed: JsonValue = parse_toml(f"value = {value}".encode())["value"]
    except ValueError:
        parsed = {"on": True, "off": False}.get(value, value)
    return FileChange(path, parsed)


def write_settings(text: str) -> Path:
    """Write the user's settings file, whole or not at all, for this user alone; return it. Raises SetupError."""
    own = own_settings_file()
    try:
        replace_private_file(own, text)
    except OSError as error:
        raise SetupError(f"{own} cannot be written: {error.strerror}") from error
    return own


def own_settings_text() -> str:
    """Return the user's settings file as it is; nothing where there is none."""
    own = own_settings_file()
    return read_settings_file(own).content.decode("utf-8", "replace") if own.exists() else ""


def _source(layer: str | None, name: str) -> str:
    if layer is None:
        return DEFAULT_SOURCE
    return f"{ENV_PREFIX}{name.upper()}" if layer == "the environment" else layer


def _shown(value: JsonValue) -> str:
    """Return a value on one line; passwords in addresses, and what looks like a key, are hidden."""
    return _LIKE_A_KEY.sub("[hidden]", _USER_INFO.sub("[hidden]@", " ".join(_written(value))))


def _written(value: JsonValue) -> Iterator[str]:
    match value:
        case dict() if value:
            inner = (f"{name}: {' '.join(_written(part))}" for name, part in value.items() if part is not None)
            yield f"{{{', '.join(inner)}}}"
        case list() if value:
            yield f"[{', '.join(' '.join(_written(part)) for part in value)}]"
        case None | {} | []:
            yield "none"
        case bool():
            yield "on" if value else "off"
        case _:
            yield str(value)
