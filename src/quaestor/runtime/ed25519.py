"""Ed25519 by PyNaCl, imported when something is signed or checked. Keys and signatures are hexadecimal."""

from nacl.exceptions import BadSignatureError
from nacl.signing import SigningKey, VerifyKey


def public_key(seed: bytes) -> str:
    """Return the public key of a seed of 32 bytes."""
    return bytes(SigningKey(seed).verify_key).hex()


def sign(seed: bytes, message: bytes) -> str:
    """Return the signature of a message."""
    return SigningKey(seed).sign(message).signature.hex()


def is_valid(key: str, message: bytes, signature: str) -> bool:
    """Return whether a signature of a message is by the key."""
    try:
        VerifyKey(bytes.fromhex(key)).verify(message, bytes.fromhex(signature))
    except BadSignatureError:
        return False
    return True
