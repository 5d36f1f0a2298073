"""The services of a home without a home: for tests of what a plugin builds from them."""

from collections.abc import Mapping
from typing import cast

from fakes.time import ManualClock
from quaestor.contracts.ports import Clock, Library
from quaestor.contracts.settings import Settings
from quaestor.runtime.context import Connections, HomeContext


def run_context(clock: Clock | None = None, environment: Mapping[str, str] | None = None) -> HomeContext:
    """Return services over no library: what reads one fails."""
    return HomeContext(cast("Library", None), Settings(), environment or {}, clock or ManualClock(), Connections())
