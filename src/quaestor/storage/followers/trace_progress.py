"""What is remembered of traces between two exports, as no target of OTLP can be asked: a file for each session.

A file that is lost or torn counts as none: its session is exported again, and a span with the same id is the same span.
"""

from functools import cache
from hashlib import sha256
from io import FileIO
from pathlib import Path

from pydantic import TypeAdapter, ValidationError

from quaestor.contracts.follower import FollowerUnavailable
from quaestor.files import open_private, replace_private_file
from quaestor.storage.file_lock import FileInUseError, file_lock
from quaestor.storage.followers.trace_fold import TraceState

_LOCK = "lock"


class TraceProgress:
    """The progress of the sessions that are exported to one target; without a folder it ends with the process."""

    def __init__(self, folder: Path | None) -> None:
        self._folder = folder
        self._held: dict[str, TraceState] = {}

    def read(self, session_id: str) -> TraceState:
        """Return what is open of a session, up to the event that was exported last."""
        if self._folder is None:
            return self._held.get(session_id, TraceState())
        try:
            return _state().validate_json(self._file(self._folder, session_id).read_bytes())
        except (FileNotFoundError, ValidationError):
            return TraceState()

    def advance(self, session_id: str, state: TraceState) -> None:
        """Keep what is open of a session, unless another process came further. Raises OSError."""
        if self._folder is None:
            self._held[session_id] = state
            return
        self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        with FileIO(self._folder / _LOCK, "a+", opener=open_private) as lock:
            try:
                with file_lock(lock):
                    if self.read(session_id).seq < state.seq:
                        replace_private_file(self._file(self._folder, session_id), _state().dump_json(state).decode())
            except FileInUseError:
                raise FollowerUnavailable(f"{self._folder} is in use by another process for too long") from None

    @staticmethod
    def _file(folder: Path, session_id: str) -> Path:
        return folder / progress_file_name(session_id)


@cache
def _state() -> TypeAdapter[TraceState]:
    return TypeAdapter(TraceState)


def progress_file_name(session_id: str) -> str:
    """Return the name of the file that remembers the trace of a session."""
    return f"{sha256(session_id.encode(errors='surrogatepass')).hexdigest()}.json"
