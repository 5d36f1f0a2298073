"""Snippets of Python in an interpreter that has no system below it: no files, no network, no programs."""

import asyncio
from dataclasses import dataclass
from importlib.util import find_spec
from typing import Literal

from quaestor.contracts.errors import MissingExtra, ToolFailed
from quaestor.contracts.sandbox import Allowance, Glued, Limit

_GRACE_SECONDS = 1
"""So much longer than allowed a snippet may take that is deep in one operation; then its process is killed."""
_LACKING = (ImportError, NotImplementedError, PermissionError)
_LACKED = ("module '", "'os.", "'time.")
"""How the words begin by which it refuses what a module of Python has, and its own has not."""
_EXCEEDED: dict[str, Limit] = {
    "feed time limit exceeded": "time",
    "sleep limit exceeded": "time",
    "memory limit exceeded": "memory",
}


class _Printed:
    """What a snippet prints, up to so many characters; then the snippet is ended."""

    def __init__(self, most: int) -> None:
        self.cut = False
        self.snippet: asyncio.Task[str] | None = None
        self._room = most
        self._loop = asyncio.get_running_loop()
        self._parts: list[str] = []

    @property
    def text(self) -> str:
        return "".join(self._parts)

    def __call__(self, _: Literal["stdout", "stderr"], text: str) -> None:
        self._parts.append(text[: self._room])
        self.cut = self.cut or len(text) > self._room
        self._room -= min(len(text), self._room)
        if self.cut and self.snippet:
            self._loop.call_soon_threadsafe(self.snippet.cancel)


@dataclass(frozen=True)
class _End:
    value: str | None = None
    error: str | None = None
    unsupported: bool = False
    limit: Limit | None = None


class Glue:
    """Runs snippets by pydantic-monty, each in a process of its own with an empty environment."""

    async def run(self, code: str, allowance: Allowance) -> Glued:
        """Run a snippet; what goes wrong in it is told, and no error of this.

        Of an allowance the disk and the processes do not matter: there are none. Raises MissingExtra without the extra
        `sandbox`, ToolFailed when the interpreter itself broke down.
        """
        if find_spec("pydantic_monty") is None:
            raise MissingExtra("snippets of Python need an extra: pip install 'quaestor[sandbox]'")
        now = asyncio.get_running_loop().time
        began = now()
        printed = _Printed(allowance.output_bytes)
        snippet = asyncio.create_task(_value(code, printed, allowance))
        printed.snippet = snippet
        try:
            await asyncio.wait({snippet})
        finally:
            snippet.cancel()
            await asyncio.wait({snippet})
        end = _End(limit="output") if printed.cut else _end(snippet, allowance.output_bytes)
        return Glued(
            stdout=printed.text,
            stdout_cut=printed.cut,
            value=end.value,
            error=end.error,
            unsupported=end.unsupported,
            limit=end.limit,
            seconds=now() - began,
        )


async def _value(code: str, printed: _Printed, allowance: Allowance) -> str:
    """Run a snippet and write down what its last expression gave."""
    from pydantic_monty import AsyncMonty, ResourceLimits  # noqa: PLC0415 -- an extra

    limits = ResourceLimits(
        max_feed_duration_secs=allowance.seconds,
        max_total_sleep_secs=allowance.seconds,
        max_memory=allowance.memory_bytes,
    )
    most = allowance.seconds + _GRACE_SECONDS
    async with (
        AsyncMonty(max_processes=1, request_timeout=most) as interpreters,
        interpreters.checkout(limits=limits) as session,
    ):
        return repr(await session.feed_run(code, print_callback=printed))


def _end(snippet: asyncio.Task[str], most: int) -> _End:
    from pydantic_monty import MontyCrashedError, MontyRuntimeError, MontySyntaxError  # noqa: PLC0415 -- an extra

    try:
        return _End(value=snippet.result()[:most])
    except (MontyRuntimeError, MontySyntaxError) as error:
        return _failed(error.exception(), str(error.display())[:most])
    except MontyCrashedError as error:
        if error.timed_out:
            return _End(error=str(error), limit="time")
        raise ToolFailed(f"the interpreter for snippets broke down: {error}") from error
    except OSError as error:  # its program is not where the package has put it
        raise ToolFailed(f"the interpreter for snippets cannot be started: {error}") from error


def _failed(raised: BaseException, shown: str) -> _End:
    words = str(raised)
    limit = next((limit for beginning, limit in _EXCEEDED.items() if words.startswith(beginning)), None)
    lacking = isinstance(raised, _LACKING) or words.startswith(_LACKED)
    return _End(error=shown, unsupported=lacking, limit=limit)
