"""An HTTP endpoint: its address and credentials, and the removal of these from texts that are logged or stored."""

import json
from base64 import b64encode
from collections.abc import Mapping
from typing import Self
from urllib.parse import quote, unquote

import httpx2

from quaestor.contracts.immutable import Immutable, field
from quaestor.version import __version__

_PLACEHOLDER = "[key]"
_MIN_REPLY_SECRET_LENGTH = 16
_MAX_PORT = 65_535
USER_AGENT = f"quaestor/{__version__}"


class Redaction(Immutable):
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


class Credential(Immutable, kw_only=True):
    """A key, and where it is sent: in a header, after `scheme`, or in a parameter of the URL."""

    key: str
    header: str = "authorization"
    scheme: str = "Bearer "
    parameter: str = ""


class Endpoint(Immutable, kw_only=True):
    """A base URL without credentials, and what is sent with every request below it."""

    base_url: httpx2.URL
    headers: Mapping[str, str]
    parameters: Mapping[str, str] = field(default_factory=dict)
    """Credentials that are sent in the URL."""
    redaction: Redaction = field(default_factory=Redaction)

    @property
    def display_url(self) -> str:
        """Return the base URL without anything secret, for messages."""
        return str(self.base_url.copy_with(query=None, fragment=None))

    @property
    def has_credentials(self) -> bool:
        """Return whether requests carry a key or a password."""
        return bool(self.redaction.spellings)

    def url(self, path: str, parameters: Mapping[str, str | int] | None = None) -> httpx2.URL:
        """Return the URL of a path below the base URL, with these parameters and the credentials sent in URLs."""
        url = self.base_url.copy_with(path=f"{self.base_url.path.rstrip('/')}/{path}")
        merged = {**(parameters or {}), **self.parameters}
        return url.copy_merge_params(merged) if merged else url


def build_endpoint(base: httpx2.URL, credential: Credential | None = None) -> Endpoint:
    """Return an endpoint; a user name and password in its base URL become Basic authentication.

    Responses are asked for uncompressed, which spares a small client the work and every limit of size its doubts.
    """
    headers = {"accept-encoding": "identity", "user-agent": USER_AGENT}
    parameters: dict[str, str] = {}
    if credential and credential.parameter:
        parameters[credential.parameter] = credential.key
    elif credential:
        headers[credential.header] = f"{credential.scheme}{credential.key}"
    basic = basic_credentials(unquote(base.userinfo.decode())) if base.userinfo else None
    if basic:
        headers["authorization"] = f"Basic {basic}"
    return Endpoint(
        base_url=base.copy_with(userinfo=b""),
        headers=headers,
        parameters=parameters,
        redaction=Redaction.of(credential.key if credential else None, basic, base.password),
    )


def parse_base_url(text: str) -> httpx2.URL:
    """Parse a base URL. Raises ValueError with the reason."""
    try:
        base = httpx2.URL(text)
    except httpx2.InvalidURL as error:
        raise ValueError(f"is no address ({error})") from error
    if base.scheme not in {"http", "https"} or not base.host:
        raise ValueError("is no address of the web")
    if base.port is not None and not 0 < base.port <= _MAX_PORT:
        raise ValueError(f"is no address (its port is {base.port}; ports are 1 to {_MAX_PORT})")
    return base


def is_valid_key(key: str) -> bool:
    """Return whether a header can carry a key."""
    return bool(key) and key.isascii() and key.isprintable() and " " not in key
