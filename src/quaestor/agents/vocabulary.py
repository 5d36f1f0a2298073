"""What an agent can be given, what it gives back for it, and by which words its template speaks of it."""

from collections.abc import Iterable, Iterator, Mapping
from importlib import import_module
from types import MappingProxyType
from typing import NamedTuple

from typing_extensions import override

from quaestor.contracts.agent import DelegateContract
from quaestor.contracts.roles import Given, Shown

Givens = Mapping[str, type[Shown]]
"""What agents can be given, by name."""

_HOMES = MappingProxyType(
    {
        "ClarifyGiven": "roles",
        "PlanGiven": "roles",
        "QueriesGiven": "roles",
        "ReadGiven": "roles",
        "ReflectGiven": "roles",
        "ReviewGiven": "roles",
        "SummarizeGiven": "roles",
        "SectionGiven": "roles",
        "FrameGiven": "roles",
        "CheckGiven": "checking",
        "ScoutGiven": "delegation",
        "DigestGiven": "delegation",
        "LookGiven": "decision",
        "StrategyGiven": "decision",
        "StudyGiven": "decision",
        "QuantGiven": "decision",
        "DecisionGiven": "decision",
        "TaskPlanGiven": "task",
        "RoundGiven": "task",
    }
)
"""The module of contracts in which each is; those of other workflows are not imported by who does not name them."""


class _Known(Givens):
    """What the built-in workflows give, each imported when it is asked for, and what others give."""

    def __init__(self, others: Iterable[type[Shown]] = ()) -> None:
        self._others = {kind.__name__: kind for kind in others}

    @override
    def __getitem__(self, name: str) -> type[Shown]:
        if name in self._others:
            return self._others[name]
        kind: type[Shown] = getattr(import_module(f"quaestor.contracts.{_HOMES[name]}"), name)
        return kind

    @override
    def __iter__(self) -> Iterator[str]:
        return iter((*_HOMES, *self._others))

    @override
    def __len__(self) -> int:
        return len(_HOMES) + len(self._others)


GIVENS: Givens = _Known()
"""Everything that `input: {schema: ...}` may name."""


def givens(others: Iterable[type[Shown]]) -> Givens:
    """Give what agents can be given where other packages bring workflows of their own."""
    return _Known(others)


DELEGATED: Mapping[str, DelegateContract] = MappingProxyType(
    {"ReadGiven": "Reading", "DigestGiven": "Summary", "SectionGiven": "Section"}
)
"""What an agent is given for the output pass of a todo delegated to it, with what it gives back."""


def contract(kind: type[Shown]) -> str | None:
    """Give the contract of the reply to a given; None for a tool pass, which has none."""
    return kind.gives.__name__ if issubclass(kind, Given) else None


def contracts(kinds: Iterable[type[Shown]]) -> tuple[str, ...]:
    """Give the contracts of the replies to these givens, each once, in their order."""
    return tuple(dict.fromkeys(name for kind in kinds if (name := contract(kind))))


class Vocabulary(NamedTuple):
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


def vocabulary(kinds: Iterable[type[Shown]]) -> Vocabulary:
    """Give the words a template may use that is given one of these."""
    kinds = tuple(kinds)
    fields = {name: field.annotation for kind in kinds for name, field in kind.model_fields.items()}
    texts = frozenset(name for name, annotation in fields.items() if annotation in {str, str | None})
    return Vocabulary(texts, frozenset(fields) - texts, frozenset(kind.__name__ for kind in kinds))
