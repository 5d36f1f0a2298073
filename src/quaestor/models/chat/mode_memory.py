"""What is known of a model behind a server: the simplest request mode that it had to be asked in so far."""

from dataclasses import dataclass

from quaestor.models.chat.request import RequestMode


@dataclass(slots=True)
class ModeMemory:
    """The mode of one model at one server, shared by every caller in the process.

    A server that is out of order for a moment fails with the same status as one that does not know a feature. So what
    follows from a server error counts when it has happened twice.
    """

    mode: RequestMode | None = None
    _suspected: RequestMode | None = None

    def replace(self, before: RequestMode, after: RequestMode) -> None:
        """Remember `after`, unless another call has changed the mode since it was `before`."""
        if self.mode in {None, before}:
            self.mode = after

    def note_success(self, before: RequestMode, after: RequestMode, *, is_certain: bool) -> None:
        """Remember that a request which failed as `before` was answered as `after`, once that is certain."""
        if is_certain or self._suspected == after:
            self.replace(before, after)
        self._suspected = after
