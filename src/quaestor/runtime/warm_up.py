"""What a session needs behind its first answer is loaded while it waits for that, not between two calls."""

import asyncio
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

from quaestor.contracts.action import Finish, Record, ToolRun
from quaestor.contracts.event import ContractAccepted, ModelResponded, SessionFinished, ToolRequested, ToolResponded
from quaestor.contracts.lazy import LazyImport
from quaestor.contracts.model import ModelReply
from quaestor.contracts.notice import Notice
from quaestor.contracts.result import Result
from quaestor.contracts.settings import RunOptions
from quaestor.contracts.signature import LogHead, SignedHead
from quaestor.replies.parsing import ParsedReply
from quaestor.runtime.registry import AnyPlugin

_BEGIN_SECONDS = 0.1
"""By then the first call of a session is under way, if it waits for anything."""
_FUNCTIONS = ("quaestor.runtime.ed25519:sign",)
_CONTRACTS = (
    ModelReply,
    ModelResponded,
    ParsedReply,
    ContractAccepted,
    Record,
    ToolRun,
    ToolRequested,
    ToolResponded,
    Finish,
    SessionFinished,
    LogHead,
    SignedHead,
    Notice,
    Result,
)


@contextmanager
def warming_up(plugin: AnyPlugin, options: RunOptions, of_calls: Sequence[Callable[[], object]] = ()) -> Iterator[None]:
    """Load what the steps and the calls of a workflow need later, a piece at a time between events of the loop."""
    task = asyncio.create_task(_warm_up(plugin, options, of_calls))
    try:
        yield
    finally:
        task.cancel()


async def _warm_up(plugin: AnyPlugin, options: RunOptions, of_calls: Sequence[Callable[[], object]]) -> None:
    await asyncio.sleep(_BEGIN_SECONDS)
    if own := plugin.warm_up(options):
        core = (*(LazyImport[object](name).load for name in _FUNCTIONS), *(each.model_rebuild for each in _CONTRACTS))
        for load in (*own, *of_calls, *core):
            load()
            await asyncio.sleep(0)
