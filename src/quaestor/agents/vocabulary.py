"""What an agent can be given, what it gives back for it, and by which words its template speaks of it."""

from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import NamedTuple

from quaestor.contracts.agent import DelegateContract
from quaestor.contracts.checking import CheckGiven
from quaestor.contracts.delegation import DigestGiven, ScoutGiven
from quaestor.contracts.roles import (
    ClarifyGiven,
    FrameGiven,
    Given,
    PlanGiven,
    QueriesGiven,
    ReadGiven,
    ReflectGiven,
    ReviewGiven,
    SectionGiven,
    Shown,
    SummarizeGiven,
)

GIVENS: Mapping[str, type[Shown]] = MappingProxyType(
    {
        kind.__name__: kind
        for kind in (
            ClarifyGiven,
            PlanGiven,
            QueriesGiven,
            ReadGiven,
            ReflectGiven,
            ReviewGiven,
            SummarizeGiven,
            SectionGiven,
            FrameGiven,
            CheckGiven,
            ScoutGiven,
            DigestGiven,
        )
    }
)
"""Everything that `input: {schema: ...}` may name."""

DELEGATED: Mapping[str, DelegateContract] = MappingProxyType(
    {"ReadGiven": "Reading", "DigestGiven": "Summary", "SectionGiven": "Section"}
)
"""What an agent is given for the output pass of a todo delegated to it, with what it gives back."""


def contract(given: str) -> str | None:
    """Give the contract of the reply to a given; None for a tool pass, which has none."""
    kind = GIVENS[given]
    return kind.gives.__name__ if issubclass(kind, Given) else None


def contracts(givens: Iterable[str]) -> tuple[str, ...]:
    """Give the contracts of the replies to these givens, each once, in their order."""
    return tuple(dict.fromkeys(name for given in givens if (name := contract(given))))


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
