"""The inputs of agents, the contracts of their outputs, and the variables of their templates."""

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from quaestor.contracts.roles import PromptInput, RoleInput

InputTypes = Mapping[str, type[PromptInput]]
"""The inputs of agents, by the names that `input: {schema: ...}` may use."""


def delegate_tool_inputs(kinds: Iterable[type[PromptInput]]) -> tuple[type[PromptInput], ...]:
    """Return those of these inputs by which a delegate chooses tools."""
    return tuple(kind for kind in kinds if kind.for_delegates and not issubclass(kind, RoleInput))


def delegate_role_inputs(kinds: Iterable[type[PromptInput]]) -> tuple[type[RoleInput], ...]:
    """Return those of these inputs by which a delegate fulfils the contract of its todo."""
    return tuple(kind for kind in kinds if kind.for_delegates and issubclass(kind, RoleInput))


def contract_name(kind: type[PromptInput]) -> str | None:
    """Return the contract of the reply to an input; None for a tool pass, which has none."""
    return kind.gives.__name__ if issubclass(kind, RoleInput) else None


def contract_names(kinds: Iterable[type[PromptInput]]) -> tuple[str, ...]:
    """Return the contracts of the replies to these inputs, each once, in their order."""
    return tuple(dict.fromkeys(name for kind in kinds if (name := contract_name(kind))))


class TemplateVariables(NamedTuple):
    """The variables of a template: fields that are text, all other fields, and the names of the inputs themselves."""

    texts: frozenset[str]
    counts: frozenset[str]
    flags: frozenset[str]

    @property
    def conditions(self) -> frozenset[str]:
        """Return the names allowed after `#if`."""
        return self.texts | self.counts | self.flags

    @property
    def data(self) -> frozenset[str]:
        """Return the names allowed after `data`."""
        return self.texts | self.counts


def template_variables(kinds: Iterable[type[PromptInput]]) -> TemplateVariables:
    """Return the variables of a template for these types of input."""
    kinds = tuple(kinds)
    fields = {name: field.annotation for kind in kinds for name, field in kind.model_fields.items()}
    texts = frozenset(name for name, annotation in fields.items() if annotation in {str, str | None})
    return TemplateVariables(texts, frozenset(fields) - texts, frozenset(kind.__name__ for kind in kinds))
