"""The settings file and the `.env` of the current folder: what a person trusts them to set."""

from collections.abc import Sequence
from pathlib import Path

from quaestor.app.settings.environment import own_settings_file
from quaestor.contracts.errors import UsageError
from quaestor.runtime import credentials, folder_settings
from quaestor.runtime.folder_settings import SettingsFile
from quaestor.runtime.settings import SETTINGS_FILE, read_settings_file


def trust_folder() -> Sequence[str]:
    """Trust the files of this folder as they are now; return each setting and each key that needs it.

    They are its settings file and `.env`. Raises UsageError where there is neither, and for one that cannot be read.
    """
    own = own_settings_file()
    own_values = read_settings_file(own).values if own.exists() else {}
    needing: list[str] = []
    for file in _folder_files():
        needing += folder_settings.settings_that_need_trust(file, own_values)
        folder_settings.trust(file, own)
    return (*needing, *credentials.folder_keys(Path()))


def distrust_folder() -> None:
    """Withdraw the trust in the files of this folder. Raises UsageError where there are none."""
    for file in _folder_files():
        folder_settings.revoke(file, own_settings_file())


def _folder_files() -> Sequence[SettingsFile]:
    keys = credentials.folder_keys_file(Path())
    settings = [read_settings_file(Path(SETTINGS_FILE))] if Path(SETTINGS_FILE).exists() else []
    files = [*settings, *([keys] if keys else [])]
    if not files:
        names = f"{SETTINGS_FILE} and no {credentials.FOLDER_KEYS_FILE}"
        raise UsageError(f"there is no {names} in {Path.cwd()}, so there is nothing to trust")
    return files
