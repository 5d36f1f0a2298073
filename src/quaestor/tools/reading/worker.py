"""The process that reads HTML, PDF and Office files: `python -m quaestor.tools.reading.worker`.

It takes a request and a document from its standard input and writes the answer to its standard output, one after the
other. A document that takes too much ends it; its parent sees how it ended, and starts another.
"""

import os
import select
import sys
from collections.abc import Callable
from functools import partial
from typing import BinaryIO

from quaestor.tools.reading import frames
from quaestor.tools.reading.asking import LARGEST_ANSWER, LARGEST_DOCUMENT, LARGEST_REQUEST, Answer, Request
from quaestor.tools.reading.kinds import HTML, PDF
from quaestor.tools.reading.limits import allow_work, confine
from quaestor.tools.reading.parsed import Parsed
from quaestor.tools.reading.reason import Reason

_IDLE_SECONDS = 60
"""After so long without a document it ends; the next document starts another."""


def main() -> None:
    """Serve until the standard input ends, a document took all memory, or its reader cannot be imported."""
    requests, answers = _own_pipes()
    confine()
    while (request := _request(requests)) and (content := frames.receive(requests, LARGEST_DOCUMENT)) is not None:
        try:
            read = _reader(request)
            allow_work()
            answer = Answer.dump_json(read(content))
        except (ImportError, MemoryError) as error:
            reason = Reason.NO_READER if isinstance(error, ImportError) else Reason.TOO_MUCH_MEMORY
            frames.send(answers, Answer.dump_json(reason))
            return
        frames.send(answers, answer if len(answer) <= LARGEST_ANSWER else Answer.dump_json(Reason.TOO_MUCH_TEXT))


def _own_pipes() -> tuple[BinaryIO, BinaryIO]:
    """Give the two pipes, and leave nothing in their places that a library could read from or print to."""
    requests, answers = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    nothing = os.open(os.devnull, os.O_RDWR)
    os.dup2(nothing, 0)
    os.dup2(nothing, 1)
    return requests, answers


def _request(requests: BinaryIO) -> Request | None:
    if sys.platform != "win32" and not select.select([requests], [], [], _IDLE_SECONDS)[0]:
        return None
    asked = frames.receive(requests, LARGEST_REQUEST)
    return None if asked is None else Request.model_validate_json(asked)


def _reader(request: Request) -> Callable[[bytes], Parsed | Reason]:
    """Give what reads such a document; the first of its kind waits here for what is imported."""
    match request.media_type:
        case media_type if media_type == HTML:
            from quaestor.tools.reading.page import page, warm  # noqa: PLC0415 -- an extra, and slow to import

            warm()
            return partial(page, uri=request.uri, charset=request.charset)
        case media_type if media_type == PDF:
            from quaestor.tools.reading.pdf import pdf  # noqa: PLC0415 -- an extra

            return pdf
        case media_type:
            from quaestor.tools.reading.office import office  # noqa: PLC0415 -- an extra

            return partial(office, media_type=media_type)


if __name__ == "__main__":
    main()
