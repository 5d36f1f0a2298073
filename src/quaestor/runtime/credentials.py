"""Keys of services: from the environment, a trusted `.env`, a file of the user's own or the keyring, in this order.

`keys.env` lies beside the user's settings, for this user alone; it holds a key, or says that the keyring holds it.
"""

import os
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Literal

from typing_extensions import override

from quaestor.contracts.errors import SetupError, UsageError
from quaestor.contracts.lazy import LazyImport, deferred
from quaestor.contracts.model import VARIABLE_NAME
from quaestor.files import MAX_SETTINGS_BYTES, read_regular_file, replace_private_file
from quaestor.runtime.folder_settings import SettingsFile, is_trusted

KEYS_FILE = "keys.env"
FOLDER_KEYS_FILE = ".env"
KeyStore = Literal["keyring", "file"]
_IN_KEYRING = "(keyring)"
_SERVICE = "quaestor"
_NO_KEYRING = "install the package keyring beside this program"
_OTHERS = 0o077
_KEY_VARIABLE = re.compile(r"[A-Z][A-Z0-9_]*_(API_KEY|TOKEN)")
"""Of a `.env`, which has much else for other programs."""

_is_valid_key: Callable[[str], bool] = deferred("quaestor.http.endpoint:is_valid_key")
_get_password: Callable[[str, str], str | None] = deferred("keyring:get_password")
_set_password: Callable[[str, str, str], None] = deferred("keyring:set_password")
_KEYRING_ERROR: LazyImport[type[Exception]] = LazyImport("keyring.errors:KeyringError")


class Credentials(Mapping[str, str]):
    """The environment, and for variables that it lacks the keys that are kept; the keyring is asked when one is used.

    Raises SetupError for a file of keys that others may have read, or that cannot be read.
    """

    def __init__(self, environment: Mapping[str, str], own: Path, folder: Path | None = None) -> None:
        """Read the keys beside the settings file `own`, and those of a `folder` whose `.env` is trusted."""
        self._environment = environment
        file = own.parent / KEYS_FILE
        kept, of_folder = _read_keys(file), _read_folder(folder, own) if folder else {}
        self._kept = {**kept, **of_folder}
        self._origins = {
            **{name: "the keyring" if value == _IN_KEYRING else str(file) for name, value in kept.items()},
            **dict.fromkeys(of_folder, FOLDER_KEYS_FILE),
        }

    @override
    def __getitem__(self, name: str) -> str:
        if name in self._environment:
            return self._environment[name]
        value = self._kept[name]
        if value == _IN_KEYRING:
            value = self._kept[name] = _from_keyring(name) or ""
        return value

    @override
    def __iter__(self) -> Iterator[str]:
        return iter({**self._kept, **self._environment})

    @override
    def __len__(self) -> int:
        return len({**self._kept, **self._environment})

    def origin(self, name: str) -> str | None:
        """Return where a variable comes from; None where it is not set."""
        return "the environment" if self._environment.get(name) else self._origins.get(name)


def keyring_available() -> bool:
    """Return whether a keyring can be asked on this machine."""
    if not _has_keyring_package():
        return False
    try:
        _get_password(_SERVICE, "probe")
    except _KEYRING_ERROR.load():  # as on a machine without a desktop
        return False
    return True


def store_key(own: Path, variable: str, key: str, store: KeyStore) -> str:
    """Keep a key for a variable; return the place. Raises UsageError for what is no key, SetupError where it fails."""
    if not re.fullmatch(VARIABLE_NAME, variable) or not _is_valid_key(key):
        raise UsageError(f"what was given for {variable} has characters no key has; copy it again")
    file = own.parent / KEYS_FILE
    if store == "keyring":
        if not _has_keyring_package():
            raise SetupError(f"the keyring does not take the key: {_NO_KEYRING}, or keep the key in a file")
        try:
            _set_password(_SERVICE, variable, key)
        except _KEYRING_ERROR.load() as error:
            raise SetupError(f"the keyring does not take the key ({error}); keep it in a file") from error
    _write_keys(file, {**_read_keys(file), variable: _IN_KEYRING if store == "keyring" else key})
    return "the keyring" if store == "keyring" else str(file)


def folder_keys_file(folder: Path) -> SettingsFile | None:
    """Return the `.env` of a folder as it is now; None where there is none that can be read."""
    file = folder / FOLDER_KEYS_FILE
    try:
        return SettingsFile(file, read_regular_file(file, MAX_SETTINGS_BYTES), {})
    except OSError:
        return None


def folder_keys(folder: Path) -> Sequence[str]:
    """Return the variables of a folder's `.env` that are read once it is trusted, each with the file."""
    file = folder_keys_file(folder)
    return [f"{file.path}: {name}" for name in _keys_of(file)] if file else []


def _keys_of(file: SettingsFile) -> Mapping[str, str]:
    keys = _parse(file.content.decode("utf-8", "replace"))
    return {name: key for name, key in keys.items() if _KEY_VARIABLE.fullmatch(name)}


def _read_folder(folder: Path, own: Path) -> Mapping[str, str]:
    """Read the keys of a folder's `.env`, if a person trusts it as it is."""
    file = folder_keys_file(folder)
    return _keys_of(file) if file and is_trusted(file, own) else {}


def _read_keys(file: Path) -> dict[str, str]:
    try:
        if os.name != "nt" and file.stat().st_mode & _OTHERS:
            raise SetupError(f"others may have read the keys in {file}: chmod 600 it, and replace the keys")
        return _parse(read_regular_file(file, MAX_SETTINGS_BYTES).decode())
    except FileNotFoundError:
        return {}
    except (OSError, UnicodeDecodeError) as error:
        raise SetupError(f"the keys in {file} cannot be read: {error}") from error


def _parse(text: str) -> dict[str, str]:
    """Parse lines of NAME=VALUE; `export` before one and quotes around a value are left out, other lines ignored."""
    found = re.findall(r"^[ \t]*(?:export[ \t]+)?([A-Za-z_][A-Za-z0-9_]*)[ \t]*=[ \t]*(.*?)[ \t]*$", text, re.MULTILINE)
    return {name: re.sub(r"""^(["'])(.*)\1$""", r"\2", value) for name, value in found}


def _write_keys(file: Path, keys: Mapping[str, str]) -> None:
    try:
        replace_private_file(file, "".join(f"{name}={value}\n" for name, value in keys.items()))
    except OSError as error:
        raise SetupError(f"no keys can be kept in {file}: {error.strerror}") from error


def _has_keyring_package() -> bool:
    return find_spec("keyring") is not None


def _from_keyring(name: str) -> str | None:
    if not _has_keyring_package():
        raise SetupError(f"the keyring, which holds {name}, cannot be asked: {_NO_KEYRING}")
    try:
        return _get_password(_SERVICE, name)
    except _KEYRING_ERROR.load() as error:
        raise SetupError(f"the keyring, which holds {name}, cannot be asked: {error}; unlock it") from error
