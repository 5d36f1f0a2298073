"""Which responses are worth a retry, and how long to wait before it."""

from collections.abc import Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from hashlib import sha256

_MAX_BACKOFF_SECONDS = 60.0
_MAX_RETRY_AFTER_SECONDS = 86_400.0
MAX_WAIT_SECONDS = 120.0
"""A longer pause is not waited for; the error names it."""
_TRANSIENT_STATUSES = frozenset({408, 429})
_SERVER_ERROR = 500


def is_transient_status(status: int) -> bool:
    """Return whether the same request may succeed later: 408, 429 and every 5xx."""
    return status in _TRANSIENT_STATUSES or status >= _SERVER_ERROR


def backoff(key: str, failures: int, base: float) -> float:
    """Return the seconds to wait after so many failures: doubled each time, plus up to half, 60 at most.

    The jitter is derived from the key, so that calls which failed together do not return together, while the same call
    always waits the same time.
    """
    jitter = int.from_bytes(sha256(f"{key}:{failures}".encode()).digest()[:2]) / 0x10000
    # The bound on the exponent keeps a long row of failures from an overflow.
    return min(base * 2.0 ** min(failures - 1, 30) * (1 + jitter / 2), _MAX_BACKOFF_SECONDS)


def parse_retry_after(headers: Mapping[str, str]) -> float | None:
    """Return the seconds that `Retry-After` asks for, a day at most; None where it is missing or unreadable.

    It is a number of seconds or a date (RFC 9110, 10.2.3); a date is compared with the server's own, in `Date`.
    """
    value = headers.get("retry-after", "").strip()
    try:
        seconds = float(value) if value[:1].isdigit() else _seconds_between(headers.get("date", ""), value)
    except ValueError:
        return None
    return min(max(seconds, 0.0), _MAX_RETRY_AFTER_SECONDS)


def _seconds_between(start: str, end: str) -> float:
    return (_parse_http_date(end) - _parse_http_date(start)).total_seconds()


def _parse_http_date(text: str) -> datetime:
    return parsedate_to_datetime(text).replace(tzinfo=UTC)  # the dates of HTTP are always GMT
