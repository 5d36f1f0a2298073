"""An agent: one `.prompt` file, with the partials it uses."""

from collections.abc import Collection, Sequence
from functools import cached_property
from hashlib import sha256
from pathlib import Path

from pydantic import Field

from quaestor.agents.front_matter import FrontMatter, InputTypes, ParsedAgent, delegate_role_inputs, parse_agent
from quaestor.agents.rendering import replace_unreadable
from quaestor.agents.source_file import Fault, SourceFile, format_fault, read_source
from quaestor.agents.template import Template, compile_template, partial_names
from quaestor.contracts.errors import UsageError
from quaestor.contracts.model import ModelRequest
from quaestor.contracts.roles import AgentCard, Message, Prompt, PromptInput

PARTIALS = Path(__file__).parent / "prompts"
"""The folder of the partials that every agent may use."""
SUFFIX = ".prompt"
MAX_REJECTED_LENGTH = 4000
"""The most characters of a rejected reply that are shown to the model that wrote it."""

_OMITTED = "[...]"


class RejectionInput(PromptInput):
    """The input for a model whose reply was rejected."""

    objections: tuple[str, ...]
    left_out: int = Field(ge=0, description="The characters of the reply, when it is too long to be shown.")


class Agent:
    """One file, read at its first use."""

    def __init__(self, path: Path, inputs: InputTypes, replaced: Sequence[str] = (), *, built_in: bool = False) -> None:
        self.name = path.stem
        self.built_in = built_in
        """Whether it came with the program."""
        self._path = path
        self._required_inputs = replaced
        self._input_types = inputs

    @cached_property
    def page(self) -> SourceFile:
        """Return the source file. Raises UsageError for one that cannot be read."""
        return read_source(self._path)

    @property
    def front(self) -> FrontMatter:
        """Return the front matter. Raises UsageError that names the file, and the line and field of every fault."""
        return self._parsed.front

    @cached_property
    def _parsed(self) -> ParsedAgent:
        return parse_agent(self.page, self._input_types, self._required_inputs)

    @property
    def source(self) -> str:
        """Return where it comes from, for messages."""
        return "built in" if self.built_in else str(self.page.path)

    @cached_property
    def sha256(self) -> str:
        """Return the hash over the bytes of the file and of its partials, in order of their first use."""
        pages = (self.page, *self._partials.values(), self._rejection_source)
        return sha256(b"".join(sha256(page.content).digest() for page in pages)).hexdigest()

    def compile(self) -> tuple[Template, Template]:
        """Compile its template, and the one for a rejected reply.

        Raises UsageError that names the file, and the line and tag of every fault.
        """
        return self._template, self._rejection_template

    def load(self) -> None:
        """Read and compile what a prompt needs. Raises UsageError as `compile` does."""
        _ = self.sha256, self.compile()

    def prompt(self, request: ModelRequest) -> Prompt:
        """Return the prompt of a request. Raises UsageError when the agent does not take its input."""
        kind = type(request.given).__name__
        if kind not in self.front.input.names:
            takes = ", ".join(self.front.input.names)
            raise UsageError(f"the agent {self.name} ({self.source}) takes {takes}, not {kind}; add it to input.schema")
        return Prompt(
            agent=self.name,
            sha256=self.sha256,
            messages=(*self._template.messages(request.given), *self._rejection_messages(request)),
            max_output_tokens=self.front.config.max_output_tokens,
            temperature=self.front.config.temperature,
        )

    def card(self, available: Collection[str]) -> AgentCard:
        """Return its card for planners. Raises UsageError when the run has none of the tools it declares."""
        tools = tuple(tool for tool in self.front.tools if tool in available)
        if self.front.tools and not tools:
            raise UsageError(
                f"the agent {self.name} ({self.source}) uses {', '.join(self.front.tools)}, "
                f"but this run has {', '.join(sorted(available)) or 'no tools'}; give the run one of them"
            )
        [role_input] = delegate_role_inputs(self._input_types[name] for name in self.front.input.names)
        return AgentCard(
            name=self.name, description=self.front.description, contract=role_input.gives.__name__, tools=tools
        )

    def _rejection_messages(self, request: ModelRequest) -> tuple[Message, ...]:
        if not request.objections:
            return ()
        rejected = request.rejected or ""
        long = len(rejected) > MAX_REJECTED_LENGTH
        reply = _OMITTED if long or not rejected.strip() else replace_unreadable(rejected)
        rejection = RejectionInput(objections=request.objections, left_out=len(rejected) if long else 0)
        return (Message(role="assistant", text=reply), *self._rejection_template.messages(rejection))

    @cached_property
    def _template(self) -> Template:
        kinds = [self._input_types[name] for name in self.front.input.names]
        return compile_template(self.page, self._parsed.template, self._parsed.line, kinds, self._partials)

    @cached_property
    def _rejection_template(self) -> Template:
        template = compile_template(self._rejection_source, self._rejection_source.text, 1, [RejectionInput], {})
        if template.system:
            message = "no system message can follow a reply; write it after the user's role"
            raise UsageError(format_fault(self._rejection_source.path, Fault(1, "role", message)))
        return template

    @cached_property
    def _partials(self) -> dict[str, SourceFile]:
        found = {name: self._find_partial(name) for name in partial_names(self._parsed.template)}
        return {name: read_source(path) for name, path in found.items() if path}

    @cached_property
    def _rejection_source(self) -> SourceFile:
        return read_source(self._find_partial("objections") or PARTIALS / f"_objections{SUFFIX}")

    def _find_partial(self, partial: str) -> Path | None:
        """Return the path of a partial, beside the file or else built in."""
        places = (folder / f"_{partial}{SUFFIX}" for folder in (self.page.path.parent, PARTIALS))
        return next((place for place in places if place.is_file()), None)
