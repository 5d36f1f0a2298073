"""The key by which the heads of logs are signed: made at first use, in the keyring or in a file of its user.

It is not in the home, so that a copy of the home, or whoever can write its database, cannot sign.
"""

import os
import secrets
from collections.abc import Callable, Mapping
from contextlib import suppress
from datetime import datetime
from importlib.util import find_spec

from quaestor.contracts.errors import SetupError
from quaestor.contracts.lazy import LazyImport, deferred
from quaestor.contracts.signature import LogHead, SignedHead, signed_message
from quaestor.files import MAX_SETTINGS_BYTES, open_private, read_regular_file
from quaestor.runtime.settings import user_settings_file

KEY_FILE = "signing.key"
_SEED_BYTES = 32
_SERVICE, _NAME = "quaestor", "signing key"
_OTHERS = 0o077

_public_key: Callable[[bytes], str] = deferred("quaestor.runtime.ed25519:public_key")
_sign: Callable[[bytes, bytes], str] = deferred("quaestor.runtime.ed25519:sign")
_is_valid: Callable[[str, bytes, str], bool] = deferred("quaestor.runtime.ed25519:is_valid")
_get_password: Callable[[str, str], str | None] = deferred("keyring:get_password")
_set_password: Callable[[str, str, str], None] = deferred("keyring:set_password")
_KEYRING_ERROR: LazyImport[type[Exception]] = LazyImport("keyring.errors:KeyringError")


class HeadSigner:
    """Signs heads of logs and checks signatures. The key is read, or made, when the first head is signed."""

    def __init__(self, environment: Mapping[str, str]) -> None:
        self._file = user_settings_file(environment).parent / KEY_FILE
        self._seed: bytes | None = None

    def sign(self, head: LogHead, at: datetime) -> SignedHead:
        """Sign a head. Raises SetupError when the key can neither be read nor made."""
        self._seed = self._seed or self._read() or self._make()
        signature = _sign(self._seed, signed_message(head, at))
        return SignedHead(head=head, key=_public_key(self._seed), signed_at=at, signature=signature)

    def public_key(self) -> str | None:
        """Return the public key of this user; None before the first head was signed."""
        self._seed = self._seed or self._read()
        return _public_key(self._seed) if self._seed else None

    def _read(self) -> bytes | None:
        stored = _from_keyring() or self._from_file()
        if stored is None:
            return None
        with suppress(ValueError):
            if len(seed := bytes.fromhex(stored.strip())) == _SEED_BYTES:
                return seed
        raise SetupError(f"what is stored as the key that signs is none; see to {self._file}, or to the keyring")

    def _make(self) -> bytes:
        """Make a key; of processes that do so at once, one is heard and the others read its key."""
        made = secrets.token_bytes(_SEED_BYTES)
        if not _to_keyring(made.hex()):
            self._to_file(made.hex())
        return self._read() or made

    def _from_file(self) -> str | None:
        try:
            if os.name != "nt" and self._file.stat().st_mode & _OTHERS:
                raise SetupError(
                    f"others may have read {self._file}, the key that signs; remove it, and a new one is made"
                )
            return read_regular_file(self._file, MAX_SETTINGS_BYTES).decode("ascii")
        except FileNotFoundError:
            return None
        except (OSError, UnicodeDecodeError) as error:
            raise SetupError(f"the key that signs, {self._file}, cannot be read: {error}") from error

    def _to_file(self, text: str) -> None:
        part = self._file.with_name(f".{KEY_FILE}.{os.getpid()}.{secrets.token_hex(4)}")
        try:
            self._file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            with open(part, "x", encoding="ascii", opener=open_private) as file:
                file.write(f"{text}\n")
                file.flush()
                os.fsync(file.fileno())
            # A link, unlike a rename, replaces nothing: of two processes that make a key at once the first one's stays,
            # and a head that was signed with it can be checked for good. The file is whole when it gets its name.
            with suppress(FileExistsError):
                os.link(part, self._file)
        except OSError as error:
            raise SetupError(f"no key to sign with can be made in {self._file.parent}: {error.strerror}") from error
        finally:
            part.unlink(missing_ok=True)


def _from_keyring() -> str | None:
    if find_spec("keyring") is None:
        return None
    try:
        return _get_password(_SERVICE, _NAME)
    except _KEYRING_ERROR.load():  # as on a machine without a desktop: then the file has it
        return None


def _to_keyring(text: str) -> bool:
    if find_spec("keyring") is None:
        return False
    try:
        _set_password(_SERVICE, _NAME, text)
    except _KEYRING_ERROR.load():
        return False
    return True


def is_valid(signed: SignedHead) -> bool:
    """Return whether a signature is by its key over its head, whoever has that key."""
    return _is_valid(signed.key, signed_message(signed.head, signed.signed_at), signed.signature)
