"""A worker that answers as it is asked to: `python -m fakes.echo_worker`."""

import os
import select
import sys
import time
from pathlib import Path
from typing import IO

from quaestor.tools.worker.child import exit_with_input, read_frame, take_over_pipes, write_frames


def main() -> None:
    requests, responses = take_over_pipes()
    while (message := read_frame(requests, 100_000)) is not None:
        does, _, argument = message.decode().partition(" ")
        match does:
            case "exit":
                os._exit(int(argument))
            case "hang":
                time.sleep(600)
            case "linger":
                _linger(requests, Path(argument))
            case "is_next_there":
                write_frames(responses, b"yes" if _is_next_there(requests, argument) else b"no")
            case "exit_once_next_is_there":
                os._exit(3 if _is_next_there(requests, argument) else 4)
            case "environment":
                write_frames(responses, ",".join(sorted(os.environ)).encode())
            case "pid" | "slow_pid":
                time.sleep(0.05 if does == "slow_pid" else 0)
                write_frames(responses, str(os.getpid()).encode())
            case _:
                write_frames(responses, message)


def _is_next_there(requests: IO[bytes], seconds: str) -> bool:
    return bool(select.select([requests], [], [], float(seconds))[0])


def _linger(requests: IO[bytes], ended: Path) -> None:
    """Wait until the input ends, and for the interrupt then; say so in a file."""
    try:
        exit_with_input(requests, interrupt_seconds=5)
        while True:
            time.sleep(0.01)
    except KeyboardInterrupt:
        ended.write_text("interrupted")
        sys.exit(0)


if __name__ == "__main__":
    main()
