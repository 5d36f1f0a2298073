from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import Generic, TypeVar

from quaestor.contracts.noun import Noun
from quaestor.contracts.options import RunOptions
from quaestor.contracts.ports import Tool
from quaestor.contracts.roles import Given, Shown
from quaestor.contracts.workflow import Workflow

S = TypeVar("S")

Rule = Callable[[Given], Noun]
"""How a role is played without a model: what it is given -> what fulfils its contract."""


Rules = Mapping[type[Given], Rule]
NO_RULES: Rules = MappingProxyType({})


def _no_tools(_: RunOptions) -> Sequence[Tool]:
    return ()


@dataclass(frozen=True, slots=True)
class Kit(Generic[S]):
    """Everything that a workflow of one's own brings; found by name in the entry points `quaestor.workflows`.

    `options` is what its sessions run with, `agents` a folder of `.prompt` files, `givens` what these may be given,
    `rules` how roles are played by the offline model, `tools` what its states may use.
    """

    workflow: Workflow[S]
    options: type[RunOptions] = RunOptions
    agents: Path | None = None
    givens: tuple[type[Shown], ...] = ()
    rules: Rules = field(default_factory=lambda: NO_RULES)
    tools: Callable[[RunOptions], Sequence[Tool]] = _no_tools
