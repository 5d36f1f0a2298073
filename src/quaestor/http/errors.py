"""What can go wrong between a request and the end of its response.

    HttpError
    ├── SlotTimeout              the request never got its turn: nothing was sent
    ├── ConnectionFailed         no connection was made: nothing was sent
    └── ResponseLost             the server may have acted on the request, but no whole response came back
        ├── ResponseTimeout      it did not come within the time limit
        ├── ConnectionCut        the connection ended before the response did
        ├── ProtocolViolation    the server broke the rules of HTTP, or closed the connection in the middle
        ├── UndecodableBody      the body has a content coding that was not asked for, or is damaged
        └── BodyTooLarge         the body is longer than the caller accepts

Which of them may be retried is the caller's decision: a search is repeated after a cut, a paid model call is not.
"""

from collections.abc import Iterator
from contextlib import contextmanager

import httpcore2
import httpx2


class HttpError(Exception):
    """A request without a usable response; `detail` holds the words of the library below, or is empty."""

    def __init__(self, message: str, detail: str = "") -> None:
        super().__init__(f"{message} ({detail})" if detail else message)
        self.detail = detail


class SlotTimeout(HttpError):
    """The turn would come too late; `pause` is the seconds that a running pause still lasts, if that is why."""

    def __init__(self, pause: float | None) -> None:
        asked = "" if pause is None else f", for its server asked for a pause of which {pause:.0f} s are left"
        super().__init__(f"the request could not be sent in time{asked}")
        self.pause = pause


class ConnectionFailed(HttpError):
    """No connection was made, so nothing was sent."""


class ResponseLost(HttpError):
    """The request may have been received, but no whole response came back."""


class ResponseTimeout(ResponseLost, TimeoutError):
    """No whole response within the time limit."""

    def __init__(self, seconds: float) -> None:
        super().__init__(f"no answer within {seconds:g} s")


class ConnectionCut(ResponseLost):
    """The connection ended before the response did."""


class ProtocolViolation(ResponseLost):
    """The server broke the rules of HTTP."""


class UndecodableBody(ResponseLost):
    """The body has a content coding that was not asked for, or cannot be decompressed."""


class BodyTooLarge(ResponseLost):
    """The body is longer than the caller accepts."""

    def __init__(self, max_bytes: int) -> None:
        super().__init__(f"it has more than {max_bytes:,} bytes")


@contextmanager
def translated_errors() -> Iterator[None]:
    """Raise the errors of httpx2, and of httpcore2 below it, as an HttpError."""
    try:
        yield
    except (
        *(httpx2.ConnectError, httpx2.ConnectTimeout),
        *(httpcore2.ConnectError, httpcore2.ConnectTimeout),
    ) as error:
        raise ConnectionFailed("no connection", _detail(error)) from error
    except (httpx2.ProtocolError, httpcore2.ProtocolError) as error:
        raise ProtocolViolation("the server broke the rules of HTTP", _detail(error)) from error
    except httpx2.DecodingError as error:
        raise UndecodableBody("its content cannot be decoded", _detail(error)) from error
    except (httpx2.RequestError, httpcore2.TimeoutException, httpcore2.NetworkError) as error:
        raise ConnectionCut("the connection was cut", _detail(error)) from error


def _detail(error: Exception) -> str:
    return str(error) or type(error).__name__
