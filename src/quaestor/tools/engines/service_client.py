"""Requests to one web service: retries, the limit of a response, and errors that say what to do."""

import asyncio
import json
from collections.abc import Mapping
from dataclasses import dataclass

import httpx2
from pydantic import JsonValue

from quaestor.contracts.errors import SetupError, ToolFailed
from quaestor.http.body import decode_text, read_body, read_error_text
from quaestor.http.client import HttpClient
from quaestor.http.endpoint import Endpoint
from quaestor.http.errors import BodyTooLarge, HttpError, ResponseTimeout, UndecodableBody
from quaestor.http.limits import RateLimit
from quaestor.http.retry import backoff, is_transient_status, parse_retry_after
from quaestor.tools.engines.response import InvalidResponse
from quaestor.tools.engines.service import Service, resolve_endpoint
from quaestor.tools.engines.text_fields import one_line

MAX_RESPONSE_BYTES = 2 * 1024 * 1024
"""A longer response, counted after decompression, is refused."""
MAX_ATTEMPTS = 3
"""How often a request is sent at most."""

_MAX_ERROR_BYTES = 16 * 1024
_UNAUTHORIZED_STATUSES = frozenset({401, 403})


@dataclass(frozen=True, slots=True)
class _ErrorResponse:
    status: int
    text: str
    retry_after: float | None


class ServiceClient:
    """Sends requests to one service, within its rate limit; it belongs to the event loop it is first used in.

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

        Raises ToolFailed when there is none after three attempts, SetupError when the service refuses the key.
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
            if attempt == MAX_ATTEMPTS or not _is_transient(outcome):
                raise self._failure(outcome, attempt)
            if isinstance(outcome, _ErrorResponse) and outcome.retry_after is not None:
                self._client.pause_for(outcome.retry_after)  # every request to this service waits, not only this one
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
        if isinstance(outcome, HttpError):
            return ToolFailed(f"{self._label} {self._error_reason(outcome)}{attempted}")
        answered = f"{self._label} answered {outcome.status}"
        if _is_transient(outcome):
            return ToolFailed(f"{answered}{attempted}: {outcome.text}; try again later")
        if outcome.status in _UNAUTHORIZED_STATUSES and self._endpoint.has_credentials:
            return SetupError(f"{answered}: {outcome.text}; {self._advice}")
        return ToolFailed(f"{answered}: {outcome.text}; {self._advice}")

    def _error_reason(self, error: HttpError) -> str:
        match error:
            case ResponseTimeout():
                return f"gave {error}"
            case UndecodableBody():
                return f"gave an answer that cannot be decoded ({self._error_text(str(error))})"
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
        case ResponseTimeout() | UndecodableBody() | BodyTooLarge():
            return False
        case _:
            return True
