"""A web service: its address, key and rate limit, the client that sends requests to it, and the engines that use it."""

import asyncio
import json
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import ClassVar, TypeVar

import httpx2
from pydantic import JsonValue

from quaestor.contracts.errors import MissingKey, SetupError, ToolFailed, ToolUnavailable, UsageError
from quaestor.contracts.immutable import Immutable, field
from quaestor.contracts.web import WebHit, WebResults, WebSearchInput
from quaestor.http.body import decode_text, read_body, read_error_text
from quaestor.http.client import HttpClient
from quaestor.http.endpoint import Credential, Endpoint, build_endpoint, is_valid_key, parse_base_url
from quaestor.http.errors import BodyTooLarge, HttpError, ResponseTimeout, SlotTimeout, UndecodableBody
from quaestor.http.limits import RateLimit
from quaestor.http.retry import MAX_WAIT_SECONDS, backoff, is_transient_status, parse_retry_after
from quaestor.tools.engines.response import InvalidResponse, ResponseModel, one_line, parse_json
from quaestor.tools.engines.web_search import filter_hits

MAX_RESPONSE_BYTES = 2 * 1024 * 1024
"""A longer response, counted after decompression, is refused."""
MAX_ATTEMPTS = 3
"""How often a request is sent at most."""
_MAX_ERROR_BYTES = 16 * 1024
_UNAUTHORIZED_STATUSES = frozenset({401, 403})


class ApiKey(Immutable, kw_only=True):
    """The key of a service: the variable that holds it, and the header or the parameter that carries it."""

    variable: str
    header: str = ""
    scheme: str = ""
    """Precedes the key in its header, as `Bearer `."""
    parameter: str = ""
    optional: bool = False


class Service(Immutable, kw_only=True):
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
        raise MissingKey(f"{name} needs a key: set {key.variable}, or name an engine that needs none, as wikipedia")
    if not is_valid_key(value):
        raise SetupError(f"the key in {key.variable} has characters no key has; copy it again")
    return Credential(key=value, header=key.header, scheme=key.scheme, parameter=key.parameter)


class _ErrorResponse(Immutable):
    status: int
    text: str
    retry_after: float | None


class ServiceClient:
    """A client of one service, within its rate limit; it belongs to the event loop it is first used in.

    Raises SetupError and UsageError as `resolve_endpoint` does.
    """

    def __init__(
        self, name: str, service: Service, environment: Mapping[str, str], rate_limit: RateLimit | None = None
    ) -> None:
        self._endpoint: Endpoint = resolve_endpoint(name, service, environment)
        self._client = HttpClient(rate_limit or service.rate_limit)
        self._label = f"{name} at {self._endpoint.display_url}"
        self._advice = service.refusal_advice

    @property
    def base_url(self) -> str:
        """Return the address of the service, without credentials."""
        return self._endpoint.display_url

    async def get(self, path: str, parameters: Mapping[str, str | int]) -> bytes:
        """Request a path with parameters and return the body of the response. Raises as `post` does."""
        return await self._send("GET", self._endpoint.url(path, parameters), None)

    async def post(self, path: str, body: Mapping[str, JsonValue]) -> bytes:
        """Send JSON to a path and return the body of the response.

        Raises ToolUnavailable when there is none after three attempts, ToolFailed when it refuses the request,
        SetupError when it refuses the key.
        """
        content = json.dumps(body, ensure_ascii=False).encode(errors="replace")
        return await self._send("POST", self._endpoint.url(path), content)

    def invalid_response(self, reason: InvalidResponse, body: bytes) -> ToolFailed:
        """Return the error for a response that cannot be read, with its beginning."""
        text = self._error_text(decode_text(body[:_MAX_ERROR_BYTES]))
        return ToolFailed(f"{self._label} gave an answer {reason}; it begins: {text}")

    async def close(self) -> None:
        """Close the connections."""
        await self._client.close()

    async def _send(self, method: str, url: httpx2.URL, content: bytes | None) -> bytes:
        for attempt in range(1, MAX_ATTEMPTS + 1):
            outcome = await self._attempt(method, url, content)
            if isinstance(outcome, bytes):
                return outcome
            asked = _asked_pause(outcome)
            if isinstance(outcome, _ErrorResponse) and asked is not None and _is_transient(outcome):
                self._client.pause_for(asked)  # every request to this service waits, not only this one
            if attempt == MAX_ATTEMPTS or not _is_transient(outcome) or (asked or 0) > MAX_WAIT_SECONDS:
                raise self._failure(outcome, attempt)
            await asyncio.sleep(backoff(f"{method} {url}", attempt, self._client.limit.backoff_seconds))
        raise AssertionError

    async def _attempt(self, method: str, url: httpx2.URL, content: bytes | None) -> bytes | _ErrorResponse | HttpError:
        headers = {**self._endpoint.headers, **({"content-type": "application/json"} if content else {})}
        try:
            async with self._client.send(method, url, headers, content) as response:
                if response.is_success:
                    return await read_body(response, MAX_RESPONSE_BYTES)
                text = self._error_text(await read_error_text(response, _MAX_ERROR_BYTES))
                return _ErrorResponse(response.status_code, text, parse_retry_after(response.headers))
        except HttpError as error:
            return error

    def _failure(self, outcome: _ErrorResponse | HttpError, attempts: int) -> ToolFailed | SetupError:
        attempted = f" (asked {attempts} times)" if attempts > 1 else ""
        if isinstance(outcome, BodyTooLarge | UndecodableBody):
            return ToolFailed(f"{self._label} {self._error_reason(outcome)}{attempted}")
        if isinstance(outcome, HttpError):
            return ToolUnavailable(f"{self._label} {self._error_reason(outcome)}{attempted}", _asked_pause(outcome))
        answered = f"{self._label} answered {outcome.status}"
        if _is_transient(outcome):
            message = f"{answered}{attempted}: {outcome.text}; try again later"
            return ToolUnavailable(message, _asked_pause(outcome))
        if outcome.status in _UNAUTHORIZED_STATUSES and self._endpoint.has_credentials:
            return SetupError(f"{answered}: {outcome.text}; {self._advice}")
        return ToolFailed(f"{answered}: {outcome.text}; {self._advice}")

    def _error_reason(self, error: HttpError) -> str:
        match error:
            case ResponseTimeout():
                return f"gave {error}"
            case UndecodableBody():
                return f"gave an answer that cannot be decoded ({self._error_text(str(error))})"
            case SlotTimeout():
                return f"is not asked now: {error}"
            case BodyTooLarge():
                return f"gave an answer of more than {MAX_RESPONSE_BYTES:,} bytes; ask for fewer hits"
            case _:
                return f"gave no answer, for the connection failed ({self._error_text(error.detail)})"

    def _error_text(self, text: str) -> str:
        return one_line(self._endpoint.redaction.redact(text)) or "nothing"


def _is_transient(outcome: _ErrorResponse | HttpError) -> bool:
    """Return whether another attempt is worth it: not after a time-out, which would be waited for again."""
    match outcome:
        case _ErrorResponse(status=status):
            return is_transient_status(status)
        case ResponseTimeout() | SlotTimeout() | UndecodableBody() | BodyTooLarge():
            return False
        case _:
            return True


def _asked_pause(outcome: _ErrorResponse | HttpError) -> float | None:
    """Return the seconds for which a service asks to be left alone, or None."""
    match outcome:
        case _ErrorResponse(retry_after=asked) | SlotTimeout(pause=asked):
            return asked
        case _:
            return None


ModelT = TypeVar("ModelT", bound=ResponseModel)


class ServiceEngine(ABC):
    """The base of the engines that ask a web service; a `SearchEngine`.

    Raises SetupError for a key or an address that the environment lacks, UsageError for an invalid address.
    """

    name: ClassVar[str]
    service: ClassVar[Service]

    def __init__(self, environment: Mapping[str, str], rate_limit: RateLimit | None = None) -> None:
        self._client = ServiceClient(self.name, self.service, environment, rate_limit)

    async def search(self, given: WebSearchInput) -> WebResults:
        """Return what the service finds, best first.

        Raises ToolFailed when it gives no answer that can be read, SetupError when it refuses the key.
        """
        hits = await self._find(given)
        if hits and not any(hit.url for hit in hits):
            raise ToolFailed(
                f"{self.name} gave {len(hits)} hits and no address of any; see whether its API has changed"
            )
        return filter_hits(hits, given)

    async def close(self) -> None:
        """Close the connections."""
        await self._client.close()

    @abstractmethod
    async def _find(self, given: WebSearchInput) -> Sequence[WebHit]:
        """Ask the service; the caller filters the hits."""

    def _parse(self, model: type[ModelT], body: bytes) -> ModelT:
        try:
            return parse_json(model, body)
        except InvalidResponse as error:
            raise self._client.invalid_response(error, body) from error
