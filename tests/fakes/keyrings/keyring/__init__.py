"""The package `keyring` as far as the program uses it: its keyring is a file, or cannot be used."""

import json
import os
from pathlib import Path

from .errors import KeyringError


def get_password(service: str, name: str) -> str | None:
    """Return what is kept under a name."""
    kept = _kept()
    return kept.get(f"{service}/{name}")


def set_password(service: str, name: str, password: str) -> None:
    """Keep a password under a name."""
    _file().write_text(json.dumps({**_kept(), f"{service}/{name}": password}), encoding="utf-8")


def _kept() -> dict[str, str]:
    if not _file().exists():
        return {}
    kept: dict[str, str] = json.loads(_file().read_text(encoding="utf-8"))
    return kept


def _file() -> Path:
    if not (named := os.environ.get("FAKE_KEYRING")):
        raise KeyringError("no desktop holds a keyring")
    return Path(named)
