"""A model tried once: one contract and one call of a tool."""

from time import monotonic
from typing import ClassVar, Literal

from pydantic import Field

from quaestor.app.settings.configuration import FileChange
from quaestor.app.settings.environment import current_credentials, current_settings
from quaestor.contracts.base import Contract
from quaestor.contracts.errors import ModelUnavailable, QuaestorError
from quaestor.contracts.model import ModelReply, ModelRequest, OutputMode, OutputRequest, ToolOffer, ToolsRequest
from quaestor.contracts.ports import Model
from quaestor.contracts.roles import Message, Prompt, PromptInput, RoleInput
from quaestor.contracts.settings import Settings
from quaestor.models.catalogue import ModelCatalogue
from quaestor.models.providers import parse_model_name
from quaestor.replies.parsing import ContractViolation, validate_reply
from quaestor.runtime.resources import open_catalogue

_MAX_OUTPUT_TOKENS = 200
_SECONDS = 60.0
_NO_FILE = "0" * 64


class Sum(Contract):
    """The reply to the probe."""

    total: int = Field(description="The sum of the two numbers.")


class SumInput(RoleInput):
    """What a model is asked to try it."""

    gives: ClassVar[type[Contract]] = Sum
    task: str = "Return the sum of 2 and 3."


class Attempt(Contract):
    """One request to a model; `reason` is why its reply cannot be used."""

    kind: Literal["contract", "tool"]
    ok: bool
    reason: str = ""


class ModelProbe(Contract):
    """What came of trying a model."""

    model: str
    attempts: tuple[Attempt, ...]
    seconds: float
    output: OutputMode | None = Field(default=None, description="How contracts are best asked for; None: as always.")

    @property
    def ok(self) -> bool:
        """Return whether the model fulfils contracts; one that calls no tools is usable for most roles."""
        return all(attempt.ok for attempt in self.attempts if attempt.kind == "contract")

    def setting(self) -> FileChange | None:
        """Return the setting that spares every run the refusals that this one met."""
        if self.output is None:
            return None
        return FileChange(("providers", parse_model_name(self.model).provider, "output"), self.output)


class _ProbePrompts:
    """The prompts of the probe; a `PromptBuilder`."""

    def prompt(self, request: ModelRequest) -> Prompt:
        task = "Call the tool `add` with 2 and 3." if isinstance(request, ToolsRequest) else SumInput().task
        messages = (Message(role="system", text="You answer briefly and exactly."), Message(role="user", text=task))
        return Prompt(agent="probe", sha256=_NO_FILE, messages=messages, max_output_tokens=_MAX_OUTPUT_TOKENS)


async def probe_model(name: str, settings: Settings | None = None) -> ModelProbe:
    """Ask a model for one contract and one tool call; a few dozen tokens.

    Raises UsageError for an unknown model, SetupError for a missing key, MissingExtra.
    """
    settings = settings or current_settings()
    patient = Settings.model_validate({**dict(settings), "call_seconds": _SECONDS})
    catalogue = open_catalogue(patient, current_credentials())
    began = monotonic()
    try:
        model = catalogue.model(name, _ProbePrompts(), None, _MAX_OUTPUT_TOKENS, tuple, reconnect=False)
        attempts = await _try(model)
        return ModelProbe(
            model=name, attempts=attempts, seconds=monotonic() - began, output=_downgraded(catalogue, name)
        )
    finally:
        await catalogue.close()


def _downgraded(catalogue: ModelCatalogue, name: str) -> OutputMode | None:
    mode = catalogue.known_mode(name)
    return mode.output if mode else None


async def _try(model: Model) -> tuple[Attempt, ...]:
    """Ask for a contract, and for a call of a tool unless the model is out of reach or out of order."""
    try:
        contract = await _try_contract(model)
    except ModelUnavailable as error:
        return (Attempt(kind="contract", ok=False, reason=str(error)),)
    return contract, await _try_tool(model)


async def _try_contract(model: Model) -> Attempt:
    request = OutputRequest(key="probe/contract", todo_id=None, role="probe", ordinal=1, attempt=1, given=SumInput())
    try:
        reply = await _answer(model, request)
        if reply.fault:
            return Attempt(kind="contract", ok=False, reason=reply.fault)
        validate_reply(SumInput(), reply.text)
    except ModelUnavailable:
        raise
    except (QuaestorError, ContractViolation) as error:
        return Attempt(kind="contract", ok=False, reason=str(error))
    return Attempt(kind="contract", ok=True)


async def _try_tool(model: Model) -> Attempt:
    numbers = {"type": "object", "properties": {"a": {"type": "integer"}, "b": {"type": "integer"}}}
    offer = ToolOffer.model_validate({"name": "add", "description": "Add two integers.", "takes": numbers})
    request = ToolsRequest(
        key="probe/tool", todo_id=None, role="probe", ordinal=1, attempt=1, given=PromptInput(), tools=(offer,)
    )
    try:
        reply = await _answer(model, request)
    except QuaestorError as error:
        return Attempt(kind="tool", ok=False, reason=str(error))
    called = any(call.tool == offer.name for call in reply.calls)
    return Attempt(kind="tool", ok=called, reason="" if called else "it called no tool; roles with tools need another")


async def _answer(model: Model, request: ModelRequest) -> ModelReply:
    return await model.answer(request, model.prepare(request))
