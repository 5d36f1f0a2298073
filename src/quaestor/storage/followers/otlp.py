"""The log as traces of OpenTelemetry, sent to a collector by OTLP over HTTP."""

import asyncio
from collections.abc import Mapping, Sequence
from hashlib import sha256
from itertools import groupby
from pathlib import Path
from urllib.parse import unquote

import httpx2

from quaestor.contracts.errors import SetupError, UsageError
from quaestor.contracts.follower import FollowerUnavailable, ReplicaPosition, ReplicaRow, row_to_event
from quaestor.http.body import read_body, read_error_text
from quaestor.http.client import HttpClient
from quaestor.http.endpoint import Redaction, build_endpoint, parse_base_url
from quaestor.http.errors import HttpError
from quaestor.http.limits import RateLimit
from quaestor.http.retry import is_transient_status
from quaestor.storage.followers.trace_fold import Span, TraceState, fold_trace
from quaestor.storage.followers.trace_messages import count_rejected, encode_spans
from quaestor.storage.followers.trace_progress import TraceProgress

HEADERS_VARIABLES = ("OTEL_EXPORTER_OTLP_TRACES_HEADERS", "OTEL_EXPORTER_OTLP_HEADERS")
"""Variables of the environment with headers such as keys, as `name=value,name=value`; the first that is set counts."""

_SCHEME = "otlp+"
_PATH = "v1/traces"
_SPANS_PER_REQUEST = 500
_MAX_RESPONSE_BYTES = 64 * 1024
_MAX_REASON_CHARACTERS = 200
_CONTENT_TYPE = "application/x-protobuf"


class OtlpFollower:
    """An export of spans to one collector; a `Follower`. How far it is, is remembered in files of a folder.

    Raises UsageError for a URL that is none.
    """

    def __init__(self, url: str, environment: Mapping[str, str], state: Path | None) -> None:
        try:
            base = parse_base_url(url[len(_SCHEME) :])
            headers = _parse_headers(environment)
        except ValueError:
            raise UsageError(
                "the address of OTLP cannot be read; it is otlp+http://HOST:4318 or otlp+https://HOST/PATH, and "
                f"{HEADERS_VARIABLES[-1]} is name=value,name=value with percent-encoded values"
            ) from None  # the reason may quote a password
        endpoint = build_endpoint(base)
        self.name = f"{_SCHEME}{endpoint.display_url.rstrip('/')}"
        self._url = endpoint.url(_PATH)
        self._headers = {**endpoint.headers, **headers, "content-type": _CONTENT_TYPE}
        self._redaction = Redaction.of(*endpoint.redaction.spellings, *headers.values())
        self._client = HttpClient(RateLimit(in_flight=1))
        target = sha256(self.name.encode()).hexdigest()
        self._progress = TraceProgress(state / target if state else None)

    async def position(self, session_id: str) -> ReplicaPosition:
        """Return how far the export of a session is."""
        known = await self._read(session_id)
        return ReplicaPosition(known.seq, known.hash)

    async def copy(self, rows: Sequence[ReplicaRow]) -> None:
        """Export the spans that end with these events; the collector has acknowledged them when this returns.

        Events behind a gap are left for when it is filled.
        """
        for session_id, own in groupby(rows, lambda row: row.session_id):
            state = await self._read(session_id)
            spans: list[Span] = []
            for row in own:
                if row.seq == state.seq + 1:
                    state, ended = fold_trace(state, row_to_event(row), row.hash)
                    spans += ended
            for start in range(0, len(spans), _SPANS_PER_REQUEST):
                await self._send(encode_spans(spans[start : start + _SPANS_PER_REQUEST]))
            await self._advance(session_id, state)

    async def close(self) -> None:
        """Close the connections."""
        await self._client.close()

    async def _read(self, session_id: str) -> TraceState:
        try:
            return await asyncio.to_thread(self._progress.read, session_id)
        except OSError as error:
            raise self._unusable(error) from error

    async def _advance(self, session_id: str, state: TraceState) -> None:
        try:
            await asyncio.to_thread(self._progress.advance, session_id, state)
        except OSError as error:
            raise self._unusable(error) from error

    def _unusable(self, error: OSError) -> SetupError:
        return SetupError(f"what {self.name} has cannot be remembered at {error.filename}: {error.strerror}; free it")

    async def _send(self, content: bytes) -> None:
        try:
            async with self._client.send("POST", self._url, self._headers, content) as response:
                if not response.is_success:
                    raise self._refused(response, await read_error_text(response, _MAX_RESPONSE_BYTES))
                rejected, reason = count_rejected(await read_body(response, _MAX_RESPONSE_BYTES))
        except HttpError as error:
            raise FollowerUnavailable(f"{self.name} does not answer: {self._redaction.redact(str(error))}") from error
        except ValueError as error:
            raise SetupError(f"{self.name} is no collector: {error}; correct the address") from error
        if rejected:
            raise SetupError(f"{self.name} rejects {rejected} spans: {self._shorten(reason)}; raise its limits")

    def _refused(self, response: httpx2.Response, reason: str) -> Exception:
        status = f"status {response.status_code} {self._shorten(reason)}".rstrip()
        if is_transient_status(response.status_code):
            return FollowerUnavailable(f"{self.name} did not take it: {status}")
        return SetupError(
            f"{self.name} refuses: {status}; correct the address, or the headers in {HEADERS_VARIABLES[-1]}"
        )

    def _shorten(self, reason: str) -> str:
        printable = "".join(each if each.isprintable() else " " for each in reason)
        return self._redaction.redact(printable)[:_MAX_REASON_CHARACTERS]


def _parse_headers(environment: Mapping[str, str]) -> dict[str, str]:
    """Parse the headers of the environment, as the specification of OpenTelemetry writes them. Raises ValueError."""
    text = next((environment[name] for name in HEADERS_VARIABLES if environment.get(name)), "")
    headers: dict[str, str] = {}
    for pair in filter(None, (part.strip() for part in text.split(","))):
        name, separator, value = pair.partition("=")
        plain = unquote(value.strip())
        if not separator or not name.strip().isascii() or not (plain.isascii() and plain.isprintable()):
            raise ValueError(name)
        headers[name.strip().lower()] = plain
    return headers
