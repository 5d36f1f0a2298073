"""The log as traces of OpenTelemetry, sent to a collector by OTLP over HTTP."""

import asyncio
from collections.abc import Mapping, Sequence
from hashlib import sha256
from itertools import groupby
from pathlib import Path

from quaestor.contracts.errors import SetupError
from quaestor.contracts.follower import ReplicaPosition, ReplicaRow, row_to_event
from quaestor.storage.followers.otlp_client import OtlpClient
from quaestor.storage.followers.trace_fold import Span, TraceState, fold_trace
from quaestor.storage.followers.trace_messages import encode_spans
from quaestor.storage.followers.trace_progress import TraceProgress

_SPANS_PER_REQUEST = 500


class OtlpFollower:
    """An export of spans to one collector; a `Follower`. How far it is, is remembered in files of a folder.

    Raises UsageError for a URL that is none.
    """

    def __init__(self, url: str, environment: Mapping[str, str], state: Path | None) -> None:
        self._client = OtlpClient(url, "traces", environment)
        self.name = self._client.name
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
                await self._client.send(encode_spans(spans[start : start + _SPANS_PER_REQUEST]))
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
