"""The address of an API, with the credentials that every request to it carries."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from urllib.parse import unquote

import httpx2

from quaestor.http.redaction import Redaction, basic_credentials
from quaestor.version import __version__

USER_AGENT = f"quaestor/{__version__}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Credential:
    """A key, and where it is sent: in a header, after `scheme`, or in a parameter of the URL."""

    key: str
    header: str = "authorization"
    scheme: str = "Bearer "
    parameter: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Endpoint:
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
    """Parse a base URL. Raises ValueError that says why it is none."""
    try:
        base = httpx2.URL(text)
    except httpx2.InvalidURL as error:
        raise ValueError(f"is no address ({error})") from error
    if base.scheme not in {"http", "https"} or not base.host:
        raise ValueError("is no address of the web")
    return base


def is_valid_key(key: str) -> bool:
    """Return whether a header can carry a key."""
    return bool(key) and key.isascii() and key.isprintable() and " " not in key
