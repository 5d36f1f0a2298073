"""What a keyring raises."""


class KeyringError(Exception):
    """The keyring cannot be used."""
