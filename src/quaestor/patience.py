"""How long to wait before a request is sent again."""

from collections.abc import Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from hashlib import sha256

_LONGEST_BACKOFF = 60.0
_LONGEST_ASKED = 120.0


def backoff(key: str, times: int, base: float) -> float:
    """Give the seconds to wait after failing `times` times: twice as long each time, and up to half as much again.

    The share on top follows from the key, so calls that failed together do not come back together, and the same call
    always waits as long.
    """
    share = int.from_bytes(sha256(f"{key}:{times}".encode()).digest()[:2]) / 0x10000
    return min(base * 2.0 ** min(times - 1, 30) * (1 + share / 2), _LONGEST_BACKOFF)


def asked_to_wait(headers: Mapping[str, str]) -> float | None:
    """Give the seconds that `Retry-After` asks for, 120 at most; None where it is missing or unreadable.

    It is a number of seconds or a date (RFC 9110, 10.2.3); a date is compared with the server's own, in `Date`.
    """
    value = headers.get("retry-after", "").strip()
    try:
        seconds = float(value) if value[:1].isdigit() else _seconds_between(headers.get("date", ""), value)
    except ValueError:
        return None
    return min(max(seconds, 0.0), _LONGEST_ASKED)


def _seconds_between(now: str, then: str) -> float:
    return (_time(then) - _time(now)).total_seconds()


def _time(text: str) -> datetime:
    return parsedate_to_datetime(text).replace(tzinfo=UTC)  # the dates of HTTP are always GMT
