"""What is known of a web service: its address, its key, its rate limit; and its endpoint in one environment."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from quaestor.contracts.errors import SetupError, UsageError
from quaestor.http.endpoint import Credential, Endpoint, build_endpoint, is_valid_key, parse_base_url
from quaestor.http.limits import RateLimit


@dataclass(frozen=True, slots=True, kw_only=True)
class ApiKey:
    """The key of a service: the variable that holds it, and the header or the parameter that carries it."""

    variable: str
    header: str = ""
    scheme: str = ""
    """Precedes the key in its header, as `Bearer `."""
    parameter: str = ""
    optional: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Service:
    """A web service; `url_variable` holds another base URL for it."""

    url_variable: str
    base_url: str | None = None
    key: ApiKey | None = None
    rate_limit: RateLimit = field(default_factory=RateLimit)
    refusal_hint: str = ""
    """What must hold on the service's side, for the advice when it refuses."""

    @property
    def refusal_advice(self) -> str:
        """Return what to do when the service refuses the caller."""
        variables = (self.key.variable, self.url_variable) if self.key else (self.url_variable,)
        return f"look at {' and '.join(variables)}{self.refusal_hint and f'; {self.refusal_hint}'}"


def resolve_endpoint(name: str, service: Service, environment: Mapping[str, str]) -> Endpoint:
    """Return the endpoint of a service.

    Raises SetupError for a key or an address that the environment lacks, UsageError for an invalid address.
    """
    address = environment.get(service.url_variable) or service.base_url
    if not address:
        raise SetupError(f"{name} needs an address: set {service.url_variable}, as http://127.0.0.1:8888")
    try:
        base = parse_base_url(address)
    except ValueError as error:
        raise UsageError(f"{service.url_variable} {error}; write it as https://host") from error
    if base.query or base.fragment:
        raise UsageError(f"{service.url_variable} is no plain address of the web; write it as https://host/path")
    return build_endpoint(base, _read_key(name, service.key, environment))


def _read_key(name: str, key: ApiKey | None, environment: Mapping[str, str]) -> Credential | None:
    value = environment.get(key.variable, "").strip() if key else ""
    if key is None or (not value and key.optional):
        return None
    if not value:
        raise SetupError(f"{name} needs a key: set {key.variable}, or name an engine that needs none, as wikipedia")
    if not is_valid_key(value):
        raise SetupError(f"the key in {key.variable} has characters no key has; copy it again")
    return Credential(key=value, header=key.header, scheme=key.scheme, parameter=key.parameter)
