"""Where a service is reached, how it wants to be asked, and what proves who asks."""

import json
from base64 import b64encode
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from urllib.parse import quote, unquote

import httpx2

from quaestor.contracts.errors import SetupError, UsageError
from quaestor.version import __version__


@dataclass(frozen=True, slots=True, kw_only=True)
class ApiKey:
    """The key of a service: the variable that holds it, and the header or the parameter that carries it."""

    variable: str
    header: str = ""
    scheme: str = ""
    """What stands before the key in its header, as `Bearer `."""
    parameter: str = ""
    optional: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class RateLimit:
    """How fast a service wants to be asked.

    `between` is the seconds from one request to the next, `in_flight` the requests at the same time, `backoff` the
    seconds before the first retry, `seconds` the time limit of one request, from when it is its turn.
    """

    between: float = 0.0
    in_flight: int = 4
    backoff: float = 0.5
    seconds: float = 15.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Service:
    """What is known of a service; `url_variable` holds another base URL for it."""

    url_variable: str
    base_url: str | None = None
    key: ApiKey | None = None
    pace: RateLimit = field(default_factory=RateLimit)
    refusal_hint: str = ""
    """What must hold at the service's end, for the advice when it refuses."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Endpoint:
    """The way into a service in one environment."""

    base: httpx2.URL
    headers: Mapping[str, str]
    parameters: Mapping[str, str]
    """What proves who asks and is sent in the URL, for it stands in no header."""
    shown: str
    """The base URL without anything secret, for messages."""
    secrets: tuple[str, ...]
    advice: str
    """What to do when the service refuses who asks."""
    has_credentials: bool
    """Whether anything proves who asks."""

    def url(self, path: str) -> httpx2.URL:
        """Give the URL of a path below the base URL."""
        return self.base.copy_with(path=f"{self.base.path.rstrip('/')}/{path}")

    def hide(self, text: str) -> str:
        """Give the text with `[key]` wherever it says what proves who asks."""
        for secret in self.secrets:
            text = text.replace(secret, "[key]")
        return text


def resolve_endpoint(name: str, service: Service, environment: Mapping[str, str]) -> Endpoint:
    """Find the way into a service.

    Raises SetupError for a key or an address that the environment does not have, UsageError for one that is none.
    """
    base = _base_url(name, service, environment)
    key = _read_key(name, service.key, environment)
    headers = {"accept-encoding": "identity", "user-agent": f"quaestor/{__version__}"}
    basic = b64encode(unquote(base.userinfo.decode()).encode()).decode() if base.userinfo else ""
    if basic:
        headers["authorization"] = f"Basic {basic}"
    parameters: dict[str, str] = {}
    if key and service.key and service.key.header:
        headers[service.key.header] = f"{service.key.scheme}{key}"
    elif key and service.key:
        parameters[service.key.parameter] = key
    bare = base.copy_with(userinfo=b"")
    variables = (service.key.variable, service.url_variable) if service.key else (service.url_variable,)
    return Endpoint(
        base=bare,
        headers=headers,
        parameters=parameters,
        shown=str(bare),
        secrets=tuple(sorted(_encoded_forms(key, basic, base.password), key=len, reverse=True)),
        advice=f"look at {' and '.join(variables)}{service.refusal_hint and f'; {service.refusal_hint}'}",
        has_credentials=bool(key or basic),
    )


def _base_url(name: str, service: Service, environment: Mapping[str, str]) -> httpx2.URL:
    address = environment.get(service.url_variable) or service.base_url
    if not address:
        raise SetupError(f"{name} needs an address: set {service.url_variable}, as http://127.0.0.1:8888")
    try:
        base = httpx2.URL(address)
    except httpx2.InvalidURL as error:
        raise UsageError(f"{service.url_variable} is no address ({error}); write it as https://host") from error
    if base.scheme not in {"http", "https"} or not base.host or base.query or base.fragment:
        raise UsageError(f"{service.url_variable} is no plain address of the web; write it as https://host/path")
    return base


def _read_key(name: str, key: ApiKey | None, environment: Mapping[str, str]) -> str | None:
    value = environment.get(key.variable, "").strip() if key else ""
    if key and not value and not key.optional:
        raise SetupError(f"{name} needs a key: set {key.variable}, or name an engine that needs none, as wikipedia")
    if key and not (value.isascii() and value.isprintable() and " " not in value):
        raise SetupError(f"the key in {key.variable} has characters no key has; copy it anew")
    return value or None


def _encoded_forms(*secrets: str | None) -> Iterator[str]:
    """Give every secret as it is, and as JSON or a URL may spell it."""
    for secret in filter(None, secrets):
        yield from {secret, json.dumps(secret)[1:-1], secret.replace("/", r"\/"), quote(secret), quote(secret, safe="")}
