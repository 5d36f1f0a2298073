"""The front matter of an agent: its inputs, its contract, its tools, and the variables of its template."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Annotated, NamedTuple

from pydantic import Field, StringConstraints, ValidationError

from quaestor.agents.source_file import Fault, LocatedYaml, SourceFile, format_fault, raise_faults, read_yaml
from quaestor.contracts.base import Contract, Texts
from quaestor.contracts.errors import UsageError
from quaestor.contracts.roles import PromptInput, RoleInput

DELIMITER = "---"
_NAME_PATTERN = r"^[A-Za-z][A-Za-z0-9_-]*$"
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


AgentName = Annotated[str, StringConstraints(pattern=_NAME_PATTERN)]


class Config(Contract):
    """Parameters of the model."""

    temperature: float | None = Field(default=None, ge=0, le=2, description="From 0, always the likeliest word, to 2.")
    max_output_tokens: int = Field(
        default=4096, ge=1, alias="maxOutputTokens", description="The most tokens of one reply."
    )


class ContractNames(Contract):
    """Names of contracts, of inputs or of outputs."""

    names: Texts = Field(min_length=1, alias="schema", description="The name of a contract, or a list of names.")


class FrontMatter(Contract):
    """The front matter of an agent's file."""

    name: AgentName = Field(default="", description="The name of the file without `.prompt`; it can be left out.")
    description: Annotated[str, StringConstraints(pattern=r"^\S[^\n]*$", max_length=300)] = Field(
        description="One sentence: what the agent does. A planner chooses a delegate by it."
    )
    model: Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9_-]+:\S+$")] | None = Field(
        default=None, description="PROVIDER:NAME, if this agent is to be answered by another model than the run."
    )
    config: Config = Config()
    tools: tuple[AgentName, ...] = Field(default=(), description="The tools it may choose among in a tool pass.")
    input: ContractNames = Field(description="What it can be given.")
    output: ContractNames = Field(description="What it gives back: the contracts of what it is given.")
    delegate: bool = Field(default=False, description="True when a plan may delegate todos to it.")


class ParsedAgent(NamedTuple):
    """A file split into front matter and template; `line` is that of the template's first line."""

    front: FrontMatter
    template: str
    line: int


def parse_agent(page: SourceFile, inputs: InputTypes, replaced: Sequence[str] = ()) -> ParsedAgent:
    """Parse the front matter of an agent, which must take at least the inputs of the built-in one it replaces.

    Raises UsageError that names the file, and the line and field of every fault.
    """
    lines = page.text.split("\n")
    marks = [place for place, line in enumerate(lines) if line.rstrip() == DELIMITER]
    if marks[:1] != [0] or not marks[1:]:
        message = f"there is none; a file begins with fields between two lines of {DELIMITER}"
        raise_faults(page.path, [Fault(1, "front matter", message)])
    end = marks[1]
    yaml = read_yaml(page.path, "\n".join(lines[:end]))
    try:
        front = FrontMatter.model_validate(yaml.value)
    except ValidationError as error:
        raise UsageError(
            "\n".join(format_fault(page.path, fault) for fault in _validation_faults(error, yaml))
        ) from error
    raise_faults(page.path, _name_faults(front, page, yaml, inputs))
    raise_faults(page.path, _contract_faults(front, yaml, replaced, inputs))
    return ParsedAgent(front, "\n".join(lines[end + 1 :]), end + 2)


def _validation_faults(error: ValidationError, yaml: LocatedYaml) -> Iterator[Fault]:
    for fault in error.errors():
        path = fault["loc"]
        match fault["type"]:
            case "extra_forbidden":
                message = "there is no such field; see docs/agents.md for those there are"
            case "missing":
                message = "is missing"
            case _:
                message = f"{fault['msg']}, not {fault['input']!r}"
        yield Fault(yaml.line(path), ".".join(map(str, path)) or "front matter", message)


def _name_faults(front: FrontMatter, page: SourceFile, yaml: LocatedYaml, inputs: InputTypes) -> Iterator[Fault]:
    if not re.fullmatch(_NAME_PATTERN, page.path.stem):
        message = f"the file is called {page.path.name!r}; name it with letters, digits, - and _, a letter first"
        yield Fault(1, "name", message)
    if front.name not in {"", page.path.stem}:
        yield Fault(yaml.line(["name"]), "name", f"{front.name!r} is not the name of the file, {page.path.stem!r}")
    for name in front.input.names:
        if name not in inputs:
            message = f"{name!r} is no schema that can be given; there are {', '.join(inputs)}"
            yield Fault(yaml.line(["input", "schema"]), "input.schema", message)


def _contract_faults(
    front: FrontMatter, yaml: LocatedYaml, replaced: Sequence[str], inputs: InputTypes
) -> Iterator[Fault]:
    names = front.input.names
    kinds = [inputs[name] for name in names]
    gives = contract_names(kinds)
    if set(front.output.names) != set(gives):
        message = (
            f"{', '.join(names)} is answered by {', '.join(gives) or 'nothing'}, not by {', '.join(front.output.names)}"
        )
        yield Fault(yaml.line(["output", "schema"]), "output.schema", message)
    if missing := [one for one in replaced if one not in names]:
        message = f"the built-in agent of this name is given {', '.join(missing)} too; take it, or use another name"
        yield Fault(yaml.line(["input", "schema"]), "input.schema", message)
    if bool(front.tools) != bool(delegate_tool_inputs(kinds)):
        tool_inputs = _names(delegate_tool_inputs(inputs.values()))
        message = f"an agent with tools takes {tool_inputs}, for its tool passes, and one without does not"
        yield Fault(yaml.line(["tools"]), "tools", message)
    if front.delegate and len(delegate_role_inputs(kinds)) != 1:
        message = f"a delegate takes one of {_names(delegate_role_inputs(inputs.values()))}, not {', '.join(names)}"
        yield Fault(yaml.line(["delegate"]), "delegate", message)


def _names(kinds: Iterable[type[PromptInput]]) -> str:
    return ", ".join(kind.__name__ for kind in kinds)
