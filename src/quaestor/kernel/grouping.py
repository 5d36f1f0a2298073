"""When an outcome may share a commit with the intents that follow from it.

Two commits a turn wait twice for the disk. But what an outcome leads to is folded and routed at once in a small
session, and slowly in a large one or beside a search, and an answer that cost something must not wait for that. So a
slow turn costs a credit of a hundred quick ones, and a run groups only while it can pay: one answer in a hundred waits
for a slow turn at most.
"""

from datetime import datetime, timedelta

QUICK_TURN = timedelta(milliseconds=2)
"""The longest turn for whose end an outcome may wait."""
SLOW_TURN_COST = 100
"""How many quick turns make up for a slow one."""
MAX_CREDIT = 2 * SLOW_TURN_COST
_NO_TIME = timedelta()


class CommitGrouping:
    """The credit of a run by its last turns, each from outcomes that came to the intents that follow from them."""

    def __init__(self) -> None:
        self._began: datetime | None = None
        self._credit = 0

    @property
    def is_allowed(self) -> bool:
        """Whether an outcome may wait for the intents that follow from it."""
        return self._credit >= SLOW_TURN_COST

    def begin_turn(self, now: datetime) -> None:
        """Begin to measure a turn."""
        self._began = now

    def leave_out(self, commit: timedelta) -> None:
        """Leave a commit in the middle of a turn out of its length."""
        if self._began:
            self._began += commit

    def end_turn(self, now: datetime) -> None:
        """Count the turn that ends; one in which the clock was turned back is not quick."""
        if self._began:
            is_quick = _NO_TIME <= now - self._began <= QUICK_TURN
            # One slow turn outweighs a hundred quick ones: an answer that waits for a slow one may be paid a second
            # time.
            change = 1 if is_quick else -SLOW_TURN_COST
            self._credit = min(max(self._credit + change, 0), MAX_CREDIT)
        self._began = None
