"""Where a provider is reached, and what proves who asks."""

import json
from base64 import b64encode

import httpx2

from quaestor.contracts.errors import UsageError
from quaestor.version import __version__

_SECRET_FROM = 16


class Address:
    """The chat completions of one base URL, asked with one key.

    Raises UsageError for a base URL that is none, and for a key that no header can carry.
    """

    def __init__(self, base_url: str, key: str | None) -> None:
        base = _parsed(base_url)
        self.url = base.copy_with(path=f"{base.path.rstrip('/')}/chat/completions")
        self.shown = str(base.copy_with(userinfo=b"", query=None, fragment=None))
        """The base URL without anything secret, for messages."""
        self.is_openai = base.host == "api.openai.com"
        self.headers = {
            "accept-encoding": "identity",
            "content-type": "application/json",
            "user-agent": f"quaestor/{__version__}",
        }
        if key is not None:
            self.headers["authorization"] = f"Bearer {_sound(key, self.shown)}"
        self._secrets = tuple(_spellings(key, base))

    def hide(self, text: str) -> str:
        """Give the text with `[key]` wherever it says what was sent to prove who asks."""
        return _without(text, self._secrets)

    def hide_in_reply(self, text: str) -> str:
        """Do the same, but leave short keys: a local server takes a word like `ollama`, and a reply may say it too."""
        return _without(text, tuple(secret for secret in self._secrets if len(secret) >= _SECRET_FROM))


def _parsed(base_url: str) -> httpx2.URL:
    try:
        base = httpx2.URL(base_url)
    except httpx2.InvalidURL as error:
        raise UsageError(
            f"the base_url of a provider is no address ({error}); write it as http://host:port/v1"
        ) from error
    if base.scheme not in {"http", "https"} or not base.host:
        raise UsageError(f"the base_url {base_url!r} is no address of the web; write it as http://host:port/v1")
    return base


def _sound(key: str, shown: str) -> str:
    if not key or not key.isascii() or not key.isprintable() or " " in key:
        raise UsageError(f"the key for {shown} is empty or has characters no key has; copy it anew")
    return key


def _spellings(key: str | None, base: httpx2.URL) -> set[str]:
    """Give every secret as it is and as JSON may spell it."""
    basic = b64encode(base.userinfo).decode()
    secrets = {secret for secret in (key, base.password, basic) if secret}
    return (
        secrets | {json.dumps(secret)[1:-1] for secret in secrets} | {secret.replace("/", r"\/") for secret in secrets}
    )


def _without(text: str, secrets: tuple[str, ...]) -> str:
    for secret in sorted(secrets, key=len, reverse=True):
        text = text.replace(secret, "[key]")
    return text
