"""How long to wait before a request is sent again."""

from collections.abc import Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from hashlib import sha256

_MAX_BACKOFF_SECONDS = 60.0
_MAX_RETRY_AFTER_SECONDS = 120.0


def backoff(key: str, times: int, base: float) -> float:
    """Give the seconds to wait after failing `times` times: twice as long each time, and up to half as much again.

    The share on top follows from the key, so calls that failed together do not come back together, and the same call
    always waits as long.
    """
    share = int.from_bytes(sha256(f"{key}:{times}".encode()).digest()[:2]) / 0x10000
    return min(base * 2.0 ** min(times - 1, 30) * (1 + share / 2), _MAX_BACKOFF_SECONDS)


def parse_retry_after(headers: Mapping[str, str]) -> float | None:
    """Give the seconds that `Retry-After` asks for, 120 at most; None where it is missing or unreadable.

    It is a number of seconds or a date (RFC 9110, 10.2.3); a date is compared with the server's own, in `Date`.
    """
    value = headers.get("retry-after", "").strip()
    try:
        seconds = float(value) if value[:1].isdigit() else _seconds_between(headers.get("date", ""), value)
    except ValueError:
        return None
    return min(max(seconds, 0.0), _MAX_RETRY_AFTER_SECONDS)


def _seconds_between(now: str, then: str) -> float:
    return (_parse_http_date(then) - _parse_http_date(now)).total_seconds()


def _parse_http_date(text: str) -> datetime:
    return parsedate_to_datetime(text).replace(tzinfo=UTC)  # the dates of HTTP are always GMT
