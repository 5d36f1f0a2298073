"""The way in. It answers `--version` by itself, so that nothing else has to be imported for it."""

import gc
import os
import signal
import sys
from collections.abc import Sequence

from quaestor.version import __version__

_INTERRUPTED = 130


def _leave_at_once(*_: object) -> None:
    """Answer Ctrl-C while the program is still being loaded: nothing was begun, so there is nothing to clean up."""
    os.write(2, b"quaestor: interrupted before anything was begun\n")
    os._exit(_INTERRUPTED)


def main() -> None:
    """Run the program and exit with its code."""
    signal.signal(signal.SIGINT, _leave_at_once)
    if sys.argv[1:] != ["--version"]:
        from quaestor.faces.cli.streams import secure_streams  # noqa: PLC0415 -- keeps `--version` under 0.15 s

        secure_streams()
    code = run(sys.argv[1:])
    gc.freeze()  # else the interpreter looks three times for cycles among all that it is about to leave: 0.1 s
    sys.exit(code)


def run(argv: Sequence[str]) -> int:
    """Run one command line, without the program's name; return the exit code."""
    if list(argv) == ["--version"]:
        sys.stdout.write(f"quaestor {__version__}\n")
        return 0
    gc.disable()  # what a module makes stays: a twentieth of a start went into looking for cycles in it
    from quaestor.faces.cli.program import run as run_program  # noqa: PLC0415 -- keeps `--version` under 0.15 s

    gc.freeze()
    gc.enable()
    gc.set_threshold(100_000, 20, 20)  # a run makes many objects and little garbage
    if signal.getsignal(signal.SIGINT) is _leave_at_once:  # from here on Ctrl-C cancels what runs
        signal.signal(signal.SIGINT, signal.default_int_handler)
    return run_program(argv)


if __name__ == "__main__":
    main()
