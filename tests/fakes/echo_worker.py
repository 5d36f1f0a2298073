"""A worker that answers as it is asked to: `python -m fakes.echo_worker`."""

import os
import sys
import time
from pathlib import Path

from quaestor.tools.worker.child import exit_with_input, read_frame, take_over_pipes, write_frames


def main() -> None:
    requests, responses = take_over_pipes()
    while (message := read_frame(requests, 1_000)) is not None:
        does, _, argument = message.decode().partition(" ")
        match does:
            case "exit":
                os._exit(int(argument))
            case "hang":
                time.sleep(600)
            case "linger":  # until its input ends; then it is interrupted, and says so in a file
                try:
                    exit_with_input(requests, interrupt_seconds=5)
                    while True:
                        time.sleep(0.01)
                except KeyboardInterrupt:
                    Path(argument).write_text("interrupted")
                    sys.exit(0)
            case "environment":
                write_frames(responses, ",".join(sorted(os.environ)).encode())
            case "pid" | "slow_pid":
                time.sleep(0.05 if does == "slow_pid" else 0)
                write_frames(responses, str(os.getpid()).encode())
            case _:
                write_frames(responses, message)


if __name__ == "__main__":
    main()
