"""A model for tests: replies per role in order, with latency and faults, from a YAML file.

    planner:
      - reply: {todos: [{task: Find A}, {task: Find B}]}
    reader:
      - {todo: t1, latency: 0.2}
      - {fault: garbage, times: 2}

Within one todo (or outside todos) the n-th call of a role takes its n-th entry. The count comes from the log, so a
restarted run continues where it was, whichever todo is faster. An entry without reply and fault, a call
past the last entry, and a role that is not listed are answered by the offline model.
"""

import asyncio
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Literal, Self

from pydantic import Field, JsonValue, TypeAdapter, ValidationError, model_validator

from quaestor.contracts.base import Contract
from quaestor.contracts.cost import Spend
from quaestor.contracts.errors import ModelFailed, ModelUnavailable, UsageError
from quaestor.contracts.faults import describe_faults
from quaestor.contracts.model import ModelReply, ModelRequest, PreparedCall
from quaestor.contracts.ports import Model
from quaestor.files import read_yaml


class ScriptEntry(Contract):
    """One entry of a script."""

    reply: dict[str, JsonValue] | None = None
    fault: Literal["error", "timeout", "outage", "garbage"] | None = None
    latency: float = Field(default=0, ge=0, description="Seconds before the reply or the fault.")
    todo: str | None = Field(default=None, description="Only for calls of this todo.")
    times: int = Field(default=1, ge=1)

    @model_validator(mode="after")
    def _reply_or_fault(self) -> Self:
        if self.reply is not None and self.fault is not None:
            raise ValueError("an entry has a reply or a fault, not both")
        return self


Script = Mapping[str, Sequence[ScriptEntry]]
_SCRIPT: TypeAdapter[Script] = TypeAdapter(dict[str, tuple[ScriptEntry, ...]])


def load(path: Path) -> Script:
    """Load a script. Raises UsageError that names the file and the position of every fault."""
    try:
        return _SCRIPT.validate_python(read_yaml(path, "script") or {})
    except ValidationError as error:
        raise UsageError(f"the script {path} is not a list of entries a role: {describe_faults(error)}") from error


def open_script(path: Path, otherwise: Model) -> Model:
    """Return the model of a script. Raises UsageError as `load` does."""
    return ScriptedModel(f"script:{path.name}", load(path), otherwise)


class ScriptedModel:
    """A model that answers from a script; a `Model`."""

    def __init__(self, name: str, script: Script, fallback: Model) -> None:
        self.name = name
        self._script = script
        self._fallback = fallback

    def prepare(self, request: ModelRequest) -> PreparedCall:
        """Prepare the call, which costs no money."""
        return self._fallback.prepare(request).revised(model=self.name, pure=False)

    async def answer(self, request: ModelRequest, prepared: PreparedCall) -> ModelReply:
        """Return the reply of the script to this call. Raises ModelFailed for a scripted fault."""
        entry = self._entry(request)
        await asyncio.sleep(entry.latency)
        match entry.fault:
            case "error" | "timeout":
                raise ModelFailed(f"the script answers call {request.ordinal} of {request.role} with: {entry.fault}")
            case "outage":
                raise ModelUnavailable(
                    f"the script answers call {request.ordinal} of {request.role} with: {entry.fault}"
                )
            case "garbage":
                return ModelReply(text='{"this": is not JSON', spend=Spend(model_calls=1))
            case None if entry.reply is not None:
                return ModelReply(text=json.dumps(entry.reply, ensure_ascii=False), spend=Spend(model_calls=1))
            case None:
                return await self._fallback.answer(request, prepared)

    def _entry(self, request: ModelRequest) -> ScriptEntry:
        entries = [
            entry
            for entry in self._script.get(request.role, ())
            if entry.todo in {None, request.todo_id}
            for _ in range(entry.times)
        ]
        return entries[request.ordinal - 1] if request.ordinal <= len(entries) else ScriptEntry()
