"""What a tool is, and the contracts of the search that every workflow knows."""

from abc import ABC, abstractmethod
from typing import Any, Generic, TypeAlias, TypeVar, get_args, get_origin

from pydantic import Field
from typing_extensions import override

from quaestor.contracts.base import Contract, PromptLine
from quaestor.contracts.cost import Spend
from quaestor.contracts.source import Hit

InputT = TypeVar("InputT", bound=Contract)
OutputT = TypeVar("OutputT", bound=Contract)


class TypedTool(ABC, Generic[InputT, OutputT]):
    """What has a tool's name and contracts; a subclass names these once: `Tool[FetchInput, Page]`."""

    name: str
    input_type: type[InputT]
    output_type: type[OutputT]

    @override
    def __init_subclass__(cls) -> None:
        """Read `input_type` and `output_type` from the type arguments."""
        super().__init_subclass__()
        for base in vars(cls).get("__orig_bases__", ()):
            match get_origin(base), get_args(base):
                case type() as generic, (type() as input_type, type() as output_type) if issubclass(generic, TypedTool):
                    cls.input_type, cls.output_type = input_type, output_type
                case _:
                    pass


class Tool(TypedTool[InputT, OutputT]):
    """One thing that is done outside the model."""

    aliases: frozenset[str] = frozenset()
    """Names of the tool in logs of earlier releases."""
    states: frozenset[str] | None = None
    """The states of the workflow that it belongs to, where it carries out todos of another one; None: it serves all."""
    description: str
    """One sentence for a model that may choose the tool."""
    repeatable: bool
    """True when running it twice changes nothing; a run caught in flight is then done again, else never."""
    pure: bool = False
    """True when it changes nothing, reaches nothing that others see and costs nothing: it may run again at any time."""
    computes: bool = False
    """True when a run only reads the library and computes: it may run in a thread, beside calls that wait."""
    spend: Spend = Spend(tool_calls=1)
    """What one run costs; nothing for a check that reaches nothing outside."""

    @abstractmethod
    async def run(self, given: InputT) -> OutputT:
        """Run it. Raises ToolFailed when it cannot do what it was asked."""

    def time_limit(self, given: InputT) -> float | None:
        """Return the longest that a run takes, in seconds; None for the limit that all tools of a run have."""
        del given
        return None


AnyTool: TypeAlias = Tool[Any, Any]
"""A tool whose contracts are known at run time alone; the executor checks what it takes and gives."""


class SearchInput(Contract):
    """For the search tool."""

    query: str = Field(min_length=1)
    limit: int = Field(default=6, ge=1, le=50)


class SimilarWord(PromptLine):
    """A word that no passage holds, and the one that was searched in its place."""

    word: str
    found: str

    @property
    @override
    def text(self) -> str:
        """Both words."""
        return f"{self.word}: {self.found}"

    @property
    def pair(self) -> tuple[str, str]:
        """Both words."""
        return self.word, self.found


class SearchResults(Contract):
    """The hits of one query, best first."""

    hits: tuple[Hit, ...] = ()
    similar: tuple[SimilarWord, ...] = Field(default=(), description="Words in whose place others were searched.")
    notes: tuple[str, ...] = Field(default=(), description="What the search had to do without, and why.")
