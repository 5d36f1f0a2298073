"""What an agent can be given, what it gives back for it, and by which words its template speaks of it."""

from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import NamedTuple

from quaestor.contracts.agent import DelegateContract
from quaestor.contracts.roles import PromptInput, RoleInput

InputTypes = Mapping[str, type[PromptInput]]
"""What agents can be given, by the names that `input: {schema: ...}` may use."""

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
