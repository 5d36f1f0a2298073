"""The front matter of an agent's file: YAML between two lines of `---`, read with the line of every field."""

import re
from collections.abc import Iterator, Sequence
from typing import Annotated, NamedTuple

from pydantic import BeforeValidator, Field, StringConstraints, ValidationError

from quaestor.agents.page import Fault, Page, refuse, told
from quaestor.agents.vocabulary import DELEGATED, GIVENS, Givens, contracts
from quaestor.agents.written import Written, read_yaml
from quaestor.contracts.errors import UsageError
from quaestor.contracts.noun import Noun

MARK = "---"
_NAME = r"^[A-Za-z][A-Za-z0-9_-]*$"

Name = Annotated[str, StringConstraints(pattern=_NAME)]


def _names(value: object) -> object:
    return (value,) if isinstance(value, str) else value


class Config(Noun):
    """How the model is asked to write."""

    temperature: float | None = Field(default=None, ge=0, le=2, description="From 0, always the likeliest word, to 2.")
    max_output_tokens: int = Field(
        default=4096, ge=1, alias="maxOutputTokens", description="The most tokens of one reply."
    )


class Schemas(Noun):
    """The contracts that are taken or given, by name."""

    names: Annotated[tuple[str, ...], BeforeValidator(_names)] = Field(
        min_length=1, alias="schema", description="The name of a contract, or a list of names."
    )


class FrontMatter(Noun):
    """What an agent's file says of itself."""

    name: Name = Field(default="", description="The name of the file without `.prompt`; it can be left out.")
    description: Annotated[str, StringConstraints(pattern=r"^\S[^\n]*$", max_length=300)] = Field(
        description="One sentence: what the agent does. A planner chooses a delegate by it."
    )
    model: Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9_-]+:\S+$")] | None = Field(
        default=None, description="PROVIDER:NAME, if this agent is to be answered by another model than the run."
    )
    config: Config = Config()
    tools: tuple[Name, ...] = Field(default=(), description="The tools it may choose among in a tool pass.")
    input: Schemas = Field(description="What it can be given.")
    output: Schemas = Field(description="What it gives back: the contracts of what it is given.")
    delegate: bool = Field(default=False, description="True when a plan may delegate todos to it.")


class Split(NamedTuple):
    """A file parted into front matter and template; `line` is that of the template's first line."""

    front: FrontMatter
    template: str
    line: int


def split(page: Page, replaced: Sequence[str] = (), givens: Givens = GIVENS) -> Split:
    """Read the front matter of an agent, which takes at least what the one it replaces was given, out of `givens`.

    Raises UsageError that names the file, and the line and field of every fault.
    """
    lines = page.text.split("\n")
    marks = [place for place, line in enumerate(lines) if line.rstrip() == MARK]
    if marks[:1] != [0] or not marks[1:]:
        said = f"there is none; a file begins with fields between two lines of {MARK}"
        refuse(page.path, [Fault(1, "front matter", said)])
    end = marks[1]
    written = read_yaml(page.path, "\n".join(lines[:end]))
    try:
        front = FrontMatter.model_validate(written.value)
    except ValidationError as error:
        raise UsageError("\n".join(told(page.path, fault) for fault in _unfit(error, written))) from error
    refuse(page.path, _misnamed(front, page, written, givens))
    refuse(page.path, _mismatched(front, written, replaced, givens))
    return Split(front, "\n".join(lines[end + 1 :]), end + 2)


def _unfit(error: ValidationError, written: Written) -> Iterator[Fault]:
    for fault in error.errors():
        place = fault["loc"]
        match fault["type"]:
            case "extra_forbidden":
                said = "there is no such field; see docs/agents.md for those there are"
            case "missing":
                said = "is missing"
            case _:
                said = f"{fault['msg']}, not {fault['input']!r}"
        yield Fault(written.line(place), ".".join(map(str, place)) or "front matter", said)


def _misnamed(front: FrontMatter, page: Page, written: Written, givens: Givens) -> Iterator[Fault]:
    if not re.fullmatch(_NAME, page.path.stem):
        said = f"the file is called {page.path.name!r}; name it with letters, digits, - and _, a letter first"
        yield Fault(1, "name", said)
    if front.name not in {"", page.path.stem}:
        yield Fault(written.line(["name"]), "name", f"{front.name!r} is not the name of the file, {page.path.stem!r}")
    for given in front.input.names:
        if given not in givens:
            said = f"{given!r} is no schema that can be given; there are {', '.join(givens)}"
            yield Fault(written.line(["input", "schema"]), "input.schema", said)


def _mismatched(front: FrontMatter, written: Written, replaced: Sequence[str], givens: Givens) -> Iterator[Fault]:
    given = front.input.names
    kinds = [givens[name] for name in given]
    gives = contracts(kinds)
    if set(front.output.names) != set(gives):
        said = (
            f"{', '.join(given)} is answered by {', '.join(gives) or 'nothing'}, not by {', '.join(front.output.names)}"
        )
        yield Fault(written.line(["output", "schema"]), "output.schema", said)
    if missing := [one for one in replaced if one not in given]:
        said = f"the built-in agent of this name is given {', '.join(missing)} too; take it, or use another name"
        yield Fault(written.line(["input", "schema"]), "input.schema", said)
    if bool(front.tools) != ("ScoutGiven" in given):
        said = "an agent with tools takes ScoutGiven, for its tool passes, and one without does not"
        yield Fault(written.line(["tools"]), "tools", said)
    if front.delegate and len(DELEGATED.keys() & set(given)) != 1:
        said = f"a delegate takes one of {', '.join(DELEGATED)}, not {', '.join(given)}"
        yield Fault(written.line(["delegate"]), "delegate", said)
