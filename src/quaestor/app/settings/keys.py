"""Keys of providers: the variable that a model's key has, and where the key is kept."""

from quaestor.app.settings.environment import current_settings, own_settings_file
from quaestor.models.providers import resolve_provider
from quaestor.runtime import credentials
from quaestor.runtime.credentials import KeyStore, keyring_available

__all__ = ["KeyStore", "key_variable", "keyring_available", "store_key"]


def key_variable(model: str) -> str | None:
    """Return the variable that holds the key of a model's provider; None where it takes none.

    Raises UsageError for an unknown provider.
    """
    if model == "offline":
        return None
    return resolve_provider(model, current_settings().providers).key_env


def store_key(variable: str, key: str, store: KeyStore) -> str:
    """Keep a key; return the place. Raises UsageError for what is no key, SetupError where it cannot be kept."""
    return credentials.store_key(own_settings_file(), variable, key, store)
