from datetime import UTC, datetime, timedelta


class ManualClock:
    """A clock that a test moves by hand; every look moves it a millisecond, so that times are distinct."""

    def __init__(self) -> None:
        self._now = datetime(2026, 1, 1, tzinfo=UTC)

    def now(self) -> datetime:
        self._now += timedelta(milliseconds=1)
        return self._now

    def advance(self, seconds: float) -> None:
        self._now += timedelta(seconds=seconds)


class CountingIds:
    """Session ids s1, s2 ..."""

    def __init__(self) -> None:
        self._count = 0

    def session(self) -> str:
        self._count += 1
        return f"s{self._count}"
