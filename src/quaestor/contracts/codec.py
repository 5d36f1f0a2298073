"""How events are stored, and how stored events become typed ones.

    storage --parse_payload (the core's payloads)--> Event --Codec.decode (of the session's workflow)--> typed Event

Storage knows the core alone: the payloads of a workflow come out of it as `UnknownPayload`, and contracts as JSON. A
codec decodes both once, where events are read, so that folds match classes and validate nothing.
"""

import json
from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType
from typing import NamedTuple, TypeVar

from pydantic import JsonValue, ValidationError

from quaestor.contracts.base import Contract
from quaestor.contracts.command import Command, UnknownCommand, UnreadableCommand, WorkflowCommand
from quaestor.contracts.errors import LogCorrupt
from quaestor.contracts.event import (
    CORE_PAYLOADS,
    ContractAccepted,
    Event,
    FactRecorded,
    KnownPayload,
    ToolRequested,
    ToolResponded,
    UnknownPayload,
)
from quaestor.contracts.faults import first_fault
from quaestor.contracts.immutable import Immutable, field
from quaestor.contracts.lazy import FallbackMapping
from quaestor.contracts.payload import EventPayload, Value, WorkflowPayload

P = TypeVar("P", bound=EventPayload)


def serialize_payload(payload: KnownPayload | UnknownPayload) -> tuple[str, int, str]:
    """Return what is stored of a payload: its type, its version, and its other fields as JSON."""
    if isinstance(payload, UnknownPayload):
        return payload.type, payload.stored_version, payload.body
    return payload.type, payload.version, payload.model_dump_json(exclude={"type"})


def parse_payload(
    kind: str, version: int, body: str, todo_id: str | None = None
) -> tuple[KnownPayload | UnknownPayload, str | None]:
    """Return the payload that was stored, and its todo; `todo_id` is what the stored envelope has.

    Raises ValueError for a body that its type and version do not allow.
    """
    known = CORE_PAYLOADS.get(kind)
    if known is None or version > known.version:
        return UnknownPayload(type=kind, stored_version=version, body=body), todo_id
    return _parse_as(known, version, body, todo_id)


def _parse_as(kind: type[P], version: int, body: str, todo_id: str | None) -> tuple[P, str | None]:
    if version == kind.version:
        return _validate_json(kind, body), todo_id
    fields = _load_json(body)
    if not isinstance(fields, dict):
        raise ValueError("its body is no JSON object")  # noqa: TRY004 -- what cannot be parsed is a ValueError
    named, fields = kind.upcast(fields)
    return kind.model_validate(fields), todo_id or named


def _validate_json(kind: type[P], body: str) -> P:
    try:
        return kind.model_validate_json(body)
    except ValidationError as error:
        if error.errors()[0]["type"] != "json_invalid":
            raise
        return kind.model_validate(_load_json(body))  # which follows brackets deeper


def _load_json(body: str) -> JsonValue:
    try:
        fields: JsonValue = json.loads(body)
    except RecursionError as error:
        raise ValueError("its brackets are too deep") from error
    return fields


class ToolTypes(NamedTuple):
    """The contracts of a tool's input and of its result."""

    input_type: type[Contract]
    output_type: type[Contract]


class Codec(Immutable):
    """What a workflow registers of its own: payloads by type, contracts by name, the types of tools, commands by kind.

    `contracts` are those of outputs and facts, under every name under which they were ever stored.
    """

    payloads: Mapping[str, type[WorkflowPayload]] = field(default_factory=lambda: MappingProxyType({}))
    contracts: Mapping[str, type[Contract]] = field(default_factory=lambda: MappingProxyType({}))
    tools: Mapping[str, ToolTypes] = field(default_factory=lambda: MappingProxyType({}))
    commands: Mapping[str, type[WorkflowCommand]] = field(default_factory=lambda: MappingProxyType({}))

    document_types: frozenset[str] = frozenset()
    """The types of the events that hold what a cycle ends with."""

    def extended(self, others: Callable[[], Iterable["Codec"]]) -> "Codec":
        """Return a codec that asks others for what it does not know: those of the workflows that carry out todos.

        What a todo ends with is no document of the session.
        """
        return Codec(
            payloads=FallbackMapping(self.payloads, lambda: (other.payloads for other in others())),
            contracts=FallbackMapping(self.contracts, lambda: (other.contracts for other in others())),
            tools=FallbackMapping(self.tools, lambda: (other.tools for other in others())),
            commands=self.commands,
            document_types=self.document_types,
        )

    def decode(self, event: Event) -> Event:
        """Return an event with its payload and its values typed; what cannot be decoded stays as it is.

        Raises LogCorrupt for a payload of this workflow whose body its type and version do not allow.
        """
        payload, todo_id = event.payload, event.todo_id
        if isinstance(payload, UnknownPayload):
            payload, todo_id = self._decode_own(event, payload)
        else:
            payload = self._map_value(payload, _decode_value)
        if payload is event.payload:
            return event
        return Event(
            session_id=event.session_id,
            seq=event.seq,
            cycle=event.cycle,
            at=event.at,
            state=event.state,
            todo_id=todo_id,
            payload=payload,
        )

    def parse_event(self, text: str) -> Event:
        """Parse an event as `events --json` prints it. Raises ValueError for what is no event of this workflow."""
        fields = json.loads(text)
        match fields:
            case {"payload": {"type": str(kind)} as payload} if kind in self.payloads:
                fields = {**fields, "payload": self.payloads[kind].model_validate(payload)}
            case _:
                pass
        return self.decode(Event.model_validate(fields))

    def decode_command(self, order: Command) -> Command:
        """Return a command of this workflow typed, unreadable if damaged; one of another workflow stays unknown."""
        known = self.commands.get(order.kind) if isinstance(order, UnknownCommand) else None
        if known is None or not isinstance(order, UnknownCommand):
            return order
        try:
            return known.model_validate_json(order.body)
        except ValidationError as error:
            return UnreadableCommand(body=order.body, reason=first_fault(error))

    def normalize(self, payload: KnownPayload) -> KnownPayload:
        """Return a new payload as `decode` returns it once it is stored, so that both are folded alike."""
        return self._map_value(payload, _normalize_value)

    def _map_value(
        self, payload: KnownPayload, change: Callable[[type[Contract] | None, Value], Value]
    ) -> KnownPayload:
        """Return a payload with its value changed, given the class that is registered for it."""
        match payload:
            case ContractAccepted(output=value):
                new = change(self.contracts.get(payload.contract), value)
                return payload if new is value else payload.revised(output=new)
            case FactRecorded(value=value):
                new = change(self.contracts.get(payload.contract), value)
                return payload if new is value else payload.revised(value=new)
            case ToolRequested(given=value):
                types = self.tools.get(payload.tool)
                new = change(types.input_type if types else None, value)
                return payload if new is value else payload.revised(given=new)
            case ToolResponded(result=value, error=None):
                types = self.tools.get(payload.tool)
                new = change(types.output_type if types else None, value)
                return payload if new is value else payload.revised(result=new)
            case _:
                return payload

    def _decode_own(self, event: Event, stored: UnknownPayload) -> tuple[KnownPayload | UnknownPayload, str | None]:
        known = self.payloads.get(stored.type)
        if known is None or stored.stored_version > known.version:
            return stored, event.todo_id
        try:
            return _parse_as(known, stored.stored_version, stored.body, event.todo_id)
        except ValueError as error:
            raise LogCorrupt(
                f"event {event.seq} of session {event.session_id} cannot be read: {error}; verify the session, and "
                "restore a backup"
            ) from error


CORE_CODEC = Codec()
"""For a workflow that registers nothing: its contracts stay JSON."""


def build_codec(
    *,
    payloads: Iterable[type[WorkflowPayload]] = (),
    contracts: Iterable[type[Contract]] = (),
    tools: Mapping[str, tuple[type[Contract], type[Contract]]] = MappingProxyType({}),
    commands: Iterable[type[WorkflowCommand]] = (),
    aliases: Mapping[str, type[Contract]] = MappingProxyType({}),
) -> Codec:
    """Return a codec of payload classes, contracts by their class names, and the input and result of tools by name.

    `aliases` are contracts by names that they had in earlier releases.
    """
    kept = tuple(payloads)
    return Codec(
        payloads={kind.model_fields["type"].default: kind for kind in kept},
        contracts={**aliases, **{contract.__name__: contract for contract in contracts}},
        tools={name: ToolTypes(*types) for name, types in tools.items()},
        commands={kind.model_fields["kind"].default: kind for kind in commands},
        document_types=frozenset(kind.model_fields["type"].default for kind in kept if kind.has_document),
    )


def _decode_value(kind: type[Contract] | None, value: Value) -> Value:
    if kind is None or isinstance(value, Contract):
        return value
    try:
        return kind.model_validate(value)
    except ValidationError:
        return value


def value_to_json(value: Value) -> JsonValue:
    """Return the JSON of a value, as it is stored."""
    if isinstance(value, Contract):
        parsed: JsonValue = value.model_dump(mode="json")
        return parsed
    return value


def _normalize_value(kind: type[Contract] | None, value: Value) -> Value:
    return value_to_json(value) if isinstance(value, Contract) and type(value) is not kind else value
