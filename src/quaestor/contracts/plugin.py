from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import Generic, TypeVar

from quaestor.contracts.base import Contract
from quaestor.contracts.codec import CORE_CODEC, Codec
from quaestor.contracts.options import RunOptions
from quaestor.contracts.roles import PromptInput, RoleInput
from quaestor.contracts.tools import AnyTool
from quaestor.contracts.workflow import Workflow

S = TypeVar("S")

OfflineRule = Callable[[RoleInput], Contract]
"""How a role is played without a model: what it is given -> what fulfils its contract."""


OfflineRules = Mapping[type[RoleInput], OfflineRule]
NO_OFFLINE_RULES: OfflineRules = MappingProxyType({})


def _no_tools(_: RunOptions) -> Sequence[AnyTool]:
    return ()


@dataclass(frozen=True, slots=True)
class WorkflowPlugin(Generic[S]):
    """Everything that a workflow of one's own brings; found by name in the entry points `quaestor.workflows`.

    `options` is what its sessions run with, `agents` a folder of `.prompt` files, `givens` what these may be given,
    `rules` how roles are played by the offline model, `tools` what its states may use, `codec` how its events are
    decoded.
    """

    workflow: Workflow[S]
    options: type[RunOptions] = RunOptions
    agents: Path | None = None
    input_types: tuple[type[PromptInput], ...] = ()
    rules: OfflineRules = field(default_factory=lambda: NO_OFFLINE_RULES)
    tools: Callable[[RunOptions], Sequence[AnyTool]] = _no_tools
    codec: Codec = CORE_CODEC
