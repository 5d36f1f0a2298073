"""A client of one collector of OpenTelemetry: OTLP over HTTP, for traces or for metrics."""

from collections.abc import Mapping
from typing import Literal
from urllib.parse import unquote

import httpx2

from quaestor.contracts.errors import SetupError, UsageError
from quaestor.contracts.follower import FollowerUnavailable
from quaestor.http.body import read_body, read_error_text
from quaestor.http.client import HttpClient
from quaestor.http.endpoint import Redaction, build_endpoint, parse_base_url
from quaestor.http.errors import HttpError
from quaestor.http.limits import RateLimit
from quaestor.http.retry import is_transient_status
from quaestor.storage.followers.otlp_messages import count_rejected

HEADERS = "OTEL_EXPORTER_OTLP_HEADERS"
"""A variable of the environment with headers such as keys, as `name=value,name=value`; that of a signal comes first."""

_SCHEME = "otlp+"
_MAX_RESPONSE_BYTES = 64 * 1024
_MAX_REASON_CHARACTERS = 200
_CONTENT_TYPE = "application/x-protobuf"


class OtlpClient:
    """A sender of one signal to one collector. Raises UsageError for a URL that is none."""

    def __init__(self, url: str, signal: Literal["traces", "metrics"], environment: Mapping[str, str]) -> None:
        try:
            base = parse_base_url(url[len(_SCHEME) :])
            own = environment.get(f"OTEL_EXPORTER_OTLP_{signal.upper()}_HEADERS")
            headers = _parse_headers(own or environment.get(HEADERS, ""))
        except ValueError:
            raise UsageError(
                "the address of OTLP cannot be read; it is otlp+http://HOST:4318 or otlp+https://HOST/PATH, and "
                f"{HEADERS} is name=value,name=value with percent-encoded values"
            ) from None  # the reason may quote a password
        endpoint = build_endpoint(base)
        self.name = f"{_SCHEME}{endpoint.display_url.rstrip('/')}"
        self._items = "spans" if signal == "traces" else "points"
        self._url = endpoint.url(f"v1/{signal}")
        self._headers = {**endpoint.headers, **headers, "content-type": _CONTENT_TYPE}
        self._redaction = Redaction.of(*endpoint.redaction.spellings, *headers.values())
        self._http = HttpClient(RateLimit(in_flight=1))

    async def close(self) -> None:
        """Close the connections."""
        await self._http.close()

    async def send(self, content: bytes) -> None:
        """Send a message; the collector has acknowledged it when this returns.

        Raises FollowerUnavailable when trying again may help, SetupError for what the collector refuses.
        """
        try:
            async with self._http.send("POST", self._url, self._headers, content) as response:
                if not response.is_success:
                    raise self._refused(response, await read_error_text(response, _MAX_RESPONSE_BYTES))
                rejected, reason = count_rejected(await read_body(response, _MAX_RESPONSE_BYTES))
        except HttpError as error:
            raise FollowerUnavailable(f"{self.name} does not answer: {self._redaction.redact(str(error))}") from error
        except ValueError as error:
            raise SetupError(f"{self.name} is no collector: {error}; correct the address") from error
        if rejected:
            raise SetupError(f"{self.name} rejects {rejected} {self._items}: {self._shorten(reason)}; raise its limits")

    def _refused(self, response: httpx2.Response, reason: str) -> Exception:
        status = f"status {response.status_code} {self._shorten(reason)}".rstrip()
        if is_transient_status(response.status_code):
            return FollowerUnavailable(f"{self.name} did not take it: {status}")
        return SetupError(f"{self.name} refuses: {status}; correct the address, or the headers in {HEADERS}")

    def _shorten(self, reason: str) -> str:
        printable = "".join(each if each.isprintable() else " " for each in reason)
        return self._redaction.redact(printable)[:_MAX_REASON_CHARACTERS]


def _parse_headers(text: str) -> dict[str, str]:
    """Parse headers, as the specification of OpenTelemetry writes them. Raises ValueError."""
    headers: dict[str, str] = {}
    for pair in filter(None, (part.strip() for part in text.split(","))):
        name, separator, value = pair.partition("=")
        plain = unquote(value.strip())
        if not separator or not name.strip().isascii() or not (plain.isascii() and plain.isprintable()):
            raise ValueError(name)
        headers[name.strip().lower()] = plain
    return headers
