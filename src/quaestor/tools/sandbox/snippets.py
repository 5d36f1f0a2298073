"""Snippets of Python in an interpreter that has no system below it: no files, no network, no programs."""

import asyncio
from importlib.util import find_spec
from typing import TYPE_CHECKING, Literal

from quaestor.contracts.errors import MissingExtra, ToolFailed
from quaestor.contracts.immutable import Immutable
from quaestor.contracts.lazy import LazyImport
from quaestor.contracts.sandbox import ResourceLimits, SandboxLimit, SnippetResult

if TYPE_CHECKING:
    from pydantic_monty import AsyncMonty, MontyCrashedError, MontyRuntimeError, MontySyntaxError
    from pydantic_monty import ResourceLimits as MontyLimits

_ASYNC_MONTY: "LazyImport[type[AsyncMonty]]" = LazyImport("pydantic_monty:AsyncMonty")
_MONTY_LIMITS: "LazyImport[type[MontyLimits]]" = LazyImport("pydantic_monty:ResourceLimits")
_MONTY_CRASHED: "LazyImport[type[MontyCrashedError]]" = LazyImport("pydantic_monty:MontyCrashedError")
_MONTY_RUNTIME_ERROR: "LazyImport[type[MontyRuntimeError]]" = LazyImport("pydantic_monty:MontyRuntimeError")
_MONTY_SYNTAX_ERROR: "LazyImport[type[MontySyntaxError]]" = LazyImport("pydantic_monty:MontySyntaxError")
_GRACE_SECONDS = 1
"""So much longer than allowed a snippet may take that is deep in one operation; then its process is killed."""
_UNSUPPORTED_ERRORS = (ImportError, NotImplementedError, PermissionError)
_UNSUPPORTED_PREFIXES = ("module '", "'os.", "'time.")
"""How the words begin by which it refuses what a module of Python has, and its own has not."""
_LIMIT_MESSAGES: dict[str, SandboxLimit] = {
    "feed time limit exceeded": "time",
    "sleep limit exceeded": "time",
    "memory limit exceeded": "memory",
}


class _OutputCapture:
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


class _SnippetOutcome(Immutable, dict=True):
    value: str | None = None
    error: str | None = None
    unsupported: bool = False
    limit: SandboxLimit | None = None


class SnippetRunner:
    """A runner for snippets by pydantic-monty, each in a process of its own with an empty environment."""

    async def run(self, code: str, allowance: ResourceLimits) -> SnippetResult:
        """Run a snippet; an error in it is part of the result, not raised.

        Of an allowance the disk and the processes do not matter: there are none. Raises MissingExtra without the extra
        `sandbox`, ToolFailed when the interpreter itself broke down.
        """
        if find_spec("pydantic_monty") is None:
            raise MissingExtra("snippets of Python need an extra", "sandbox")
        now = asyncio.get_running_loop().time
        began = now()
        printed = _OutputCapture(allowance.output_bytes)
        snippet = asyncio.create_task(_evaluate(code, printed, allowance))
        printed.snippet = snippet
        try:
            await asyncio.wait({snippet})
        finally:
            snippet.cancel()
            await asyncio.wait({snippet})
        end = _SnippetOutcome(limit="output") if printed.cut else _snippet_outcome(snippet, allowance.output_bytes)
        return SnippetResult(
            stdout=printed.text,
            stdout_cut=printed.cut,
            value=end.value,
            error=end.error,
            unsupported=end.unsupported,
            limit=end.limit,
            seconds=now() - began,
        )


async def _evaluate(code: str, printed: _OutputCapture, allowance: ResourceLimits) -> str:
    """Run a snippet and write down what its last expression gave."""
    limits = _MONTY_LIMITS.load()(
        max_feed_duration_secs=allowance.seconds,
        max_total_sleep_secs=allowance.seconds,
        max_memory=allowance.memory_bytes,
    )
    most = allowance.seconds + _GRACE_SECONDS
    async with (
        _ASYNC_MONTY.load()(max_processes=1, request_timeout=most) as interpreters,
        interpreters.checkout(limits=limits) as session,
    ):
        return repr(await session.feed_run(code, print_callback=printed))


def _snippet_outcome(snippet: asyncio.Task[str], most: int) -> _SnippetOutcome:
    crashed, failed, misspelt = _MONTY_CRASHED.load(), _MONTY_RUNTIME_ERROR.load(), _MONTY_SYNTAX_ERROR.load()
    try:
        return _SnippetOutcome(value=snippet.result()[:most])
    except (failed, misspelt) as error:
        return _error_outcome(error.exception(), str(error.display())[:most])
    except crashed as error:
        if error.timed_out:
            return _SnippetOutcome(error=str(error), limit="time")
        raise ToolFailed(f"the interpreter for snippets broke down: {error}") from error
    except OSError as error:  # its program is not where the package has put it
        raise ToolFailed(f"the interpreter for snippets cannot be started: {error}") from error


def _error_outcome(raised: BaseException, shown: str) -> _SnippetOutcome:
    words = str(raised)
    limit = next((limit for beginning, limit in _LIMIT_MESSAGES.items() if words.startswith(beginning)), None)
    lacking = isinstance(raised, _UNSUPPORTED_ERRORS) or words.startswith(_UNSUPPORTED_PREFIXES)
    return _SnippetOutcome(error=shown, unsupported=lacking, limit=limit)
