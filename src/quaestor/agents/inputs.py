"""What an agent can be given, what it gives back for it, and by which words its template speaks of it."""

from collections.abc import Iterable, Iterator, Mapping
from importlib import import_module
from types import MappingProxyType
from typing import NamedTuple

from typing_extensions import override

from quaestor.contracts.agent import DelegateContract
from quaestor.contracts.roles import PromptInput, RoleInput

InputTypes = Mapping[str, type[PromptInput]]
"""What agents can be given, by name."""

_INPUT_MODULES = MappingProxyType(
    {
        "ClarifyInput": "quaestor.research.contracts.roles",
        "PlanInput": "quaestor.research.contracts.roles",
        "QueriesInput": "quaestor.research.contracts.roles",
        "ReadInput": "quaestor.research.contracts.roles",
        "ReflectInput": "quaestor.research.contracts.roles",
        "ReviewInput": "quaestor.research.contracts.roles",
        "SummarizeInput": "quaestor.research.contracts.roles",
        "SectionInput": "quaestor.research.contracts.roles",
        "FrameInput": "quaestor.research.contracts.roles",
        "CheckInput": "quaestor.research.contracts.optional_roles",
        "DelegateToolInput": "quaestor.research.contracts.optional_roles",
        "DelegateSummaryInput": "quaestor.research.contracts.optional_roles",
        "StrategyToolsInput": "quaestor.trading.contracts.decision",
        "StrategyInput": "quaestor.trading.contracts.decision",
        "QuantToolsInput": "quaestor.trading.contracts.decision",
        "QuantInput": "quaestor.trading.contracts.decision",
        "DecisionInput": "quaestor.trading.contracts.decision",
        "TaskPlanInput": "quaestor.longtask.contracts",
        "RoundInput": "quaestor.longtask.contracts",
    }
)
"""The module of contracts in which each is; those of other workflows are not imported by who does not name them."""


class _LazyInputTypes(InputTypes):
    """What the built-in workflows give, each imported when it is asked for, and what others give."""

    def __init__(self, others: Iterable[type[PromptInput]] = ()) -> None:
        self._others = {kind.__name__: kind for kind in others}

    @override
    def __getitem__(self, name: str) -> type[PromptInput]:
        if name in self._others:
            return self._others[name]
        kind: type[PromptInput] = getattr(import_module(_INPUT_MODULES[name]), name)
        return kind

    @override
    def __iter__(self) -> Iterator[str]:
        return iter((*_INPUT_MODULES, *self._others))

    @override
    def __len__(self) -> int:
        return len(_INPUT_MODULES) + len(self._others)


INPUT_TYPES: InputTypes = _LazyInputTypes()
"""Everything that `input: {schema: ...}` may name."""


def input_types(others: Iterable[type[PromptInput]]) -> InputTypes:
    """Give what agents can be given where other packages bring workflows of their own."""
    return _LazyInputTypes(others)


DELEGATE_CONTRACTS: Mapping[str, DelegateContract] = MappingProxyType(
    {"ReadInput": "Reading", "DelegateSummaryInput": "Summary", "SectionInput": "Section"}
)
"""What an agent is given for the output pass of a todo delegated to it, with what it gives back."""


def contract_name(kind: type[PromptInput]) -> str | None:
    """Give the contract of the reply to a given; None for a tool pass, which has none."""
    return kind.gives.__name__ if issubclass(kind, RoleInput) else None


def contract_names(kinds: Iterable[type[PromptInput]]) -> tuple[str, ...]:
    """Give the contracts of the replies to these givens, each once, in their order."""
    return tuple(dict.fromkeys(name for kind in kinds if (name := contract_name(kind))))


class TemplateVariables(NamedTuple):
    """The words of a template: fields that are text, all other fields, and the names of the givens themselves."""

    texts: frozenset[str]
    counts: frozenset[str]
    flags: frozenset[str]

    @property
    def conditions(self) -> frozenset[str]:
        """Give what may stand after `#if`."""
        return self.texts | self.counts | self.flags

    @property
    def data(self) -> frozenset[str]:
        """Give what may stand after `data`."""
        return self.texts | self.counts


def template_variables(kinds: Iterable[type[PromptInput]]) -> TemplateVariables:
    """Give the words a template may use that is given one of these."""
    kinds = tuple(kinds)
    fields = {name: field.annotation for kind in kinds for name, field in kind.model_fields.items()}
    texts = frozenset(name for name, annotation in fields.items() if annotation in {str, str | None})
    return TemplateVariables(texts, frozenset(fields) - texts, frozenset(kind.__name__ for kind in kinds))
