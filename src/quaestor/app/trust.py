"""The settings file of the current folder: what a person trusts it to set."""

import os
from collections.abc import Sequence
from pathlib import Path

from quaestor.contracts.errors import UsageError
from quaestor.runtime import folder_settings
from quaestor.runtime.folder_settings import SettingsFile
from quaestor.runtime.settings import SETTINGS_FILE, read_settings_file, user_settings_file


def trust_folder() -> Sequence[str]:
    """Trust the settings file of this folder as it is now; return each setting that needs it, with its line.

    Raises UsageError where there is none, and for one that cannot be read.
    """
    file, own = _folder_file(), user_settings_file(os.environ)
    own_values = read_settings_file(own).values if own.exists() else {}
    needing = tuple(folder_settings.settings_that_need_trust(file, own_values))
    folder_settings.trust(file, own)
    return needing


def distrust_folder() -> None:
    """Withdraw the trust in the settings file of this folder. Raises UsageError where there is none."""
    folder_settings.revoke(_folder_file(), user_settings_file(os.environ))


def _folder_file() -> SettingsFile:
    file = Path(SETTINGS_FILE)
    if not file.exists():
        raise UsageError(f"there is no {SETTINGS_FILE} in {Path.cwd()}, so there is nothing to trust")
    return read_settings_file(file)
