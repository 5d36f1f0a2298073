"""What the environment, the current folder and the user's own files set for this process: its settings and keys."""

import os
from collections.abc import Mapping
from pathlib import Path

from pydantic import JsonValue

from quaestor.contracts.settings import Settings
from quaestor.runtime.credentials import Credentials
from quaestor.runtime.settings import SETTINGS_FILE, resolve_settings, user_settings_file


def own_settings_file() -> Path:
    """Return the user's settings file, whether it exists or not."""
    return user_settings_file(os.environ)


def current_settings(options: Mapping[str, JsonValue] | None = None) -> Settings:
    """Return the settings as they apply here, with the options of a run. Raises UsageError and UntrustedSettings."""
    return resolve_settings(options or {}, os.environ, own_settings_file(), Path(SETTINGS_FILE))


def current_credentials() -> Credentials:
    """Return the environment with the keys that the user and the current folder keep. Raises UsageError."""
    return Credentials(os.environ, own_settings_file(), Path())
