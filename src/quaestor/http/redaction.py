"""Removal of credentials from texts that are logged, shown or stored."""

import json
from base64 import b64encode
from dataclasses import dataclass
from typing import Self
from urllib.parse import quote

_PLACEHOLDER = "[key]"
_MIN_REPLY_SECRET_LENGTH = 16


@dataclass(frozen=True, slots=True)
class Redaction:
    """The spellings under which the credentials of one endpoint may be echoed, longest first."""

    spellings: tuple[str, ...] = ()

    @classmethod
    def of(cls, *secrets: str | None) -> Self:
        """Return a redaction of these secrets as they are, and as JSON, a URL or Basic authentication spell them."""
        spellings = {spelling for secret in secrets if secret for spelling in _spellings(secret)}
        return cls(tuple(sorted(spellings, key=len, reverse=True)))

    def redact(self, text: str) -> str:
        """Return the text with `[key]` in place of every credential."""
        return _replace(text, self.spellings)

    def redact_reply(self, text: str) -> str:
        """Return a model's reply with `[key]` in place of every long credential.

        Short ones stay: a local server accepts a word such as `ollama` as its key, and a reply may contain that word.
        """
        return _replace(text, tuple(each for each in self.spellings if len(each) >= _MIN_REPLY_SECRET_LENGTH))


def basic_credentials(user_and_password: str) -> str:
    """Return `user:password` as the header `Authorization` carries it after `Basic `."""
    return b64encode(user_and_password.encode()).decode()


def _spellings(secret: str) -> set[str]:
    return {secret, json.dumps(secret)[1:-1], secret.replace("/", r"\/"), quote(secret), quote(secret, safe="")}


def _replace(text: str, spellings: tuple[str, ...]) -> str:
    for spelling in spellings:
        text = text.replace(spelling, _PLACEHOLDER)
    return text
