"""The base of the payloads of events, and values whose contract only a codec knows."""

from typing import Annotated, ClassVar, Literal

from pydantic import GetCoreSchemaHandler, JsonValue
from pydantic_core import CoreSchema, core_schema

from quaestor.contracts.base import Contract
from quaestor.contracts.immutable import Immutable

QuestionKind = Literal["clarification", "plan_confirmation", "approval", "escalation"]
"""What a run waits for a person for."""
_BY_OWN_CLASS = core_schema.simple_ser_schema("any")


class AnyContract(Immutable):
    """A schema that admits instances of a class unchanged, and writes them by their own class."""

    kind: type[Contract]
    otherwise: object

    def __get_pydantic_core_schema__(self, source: object, handler: GetCoreSchemaHandler) -> CoreSchema:
        choices: list[CoreSchema | tuple[CoreSchema, str]] = [
            core_schema.is_instance_schema(self.kind),
            handler.generate_schema(self.otherwise),
        ]
        return core_schema.union_schema(choices, mode="left_to_right", serialization=_BY_OWN_CLASS)


Value = Annotated[JsonValue | Contract, AnyContract(Contract, JsonValue)]
"""A contract of a workflow or of a tool, or its JSON where no codec knows the class; both are stored as that JSON."""


class EventPayload(Contract):
    """The base of every event's content."""

    version: ClassVar[int] = 1
    from_person: ClassVar[bool] = False
    """A person's command led to it. It may come while no process holds the session, so it moves no clock."""

    def settles(self, kind: QuestionKind, ref: str) -> bool:
        """Return whether it answers the open question of this kind and ref, or makes it void."""
        del kind, ref
        return False

    @classmethod
    def upcast(cls, fields: dict[str, JsonValue]) -> tuple[str | None, dict[str, JsonValue]]:
        """Return the todo that a body of an older version names, and its fields as this version has them.

        Before the envelope had a `todo_id`, the bodies had one.
        """
        todo_id = fields.get("todo_id")
        rest = {name: value for name, value in fields.items() if name != "todo_id"}
        return todo_id if isinstance(todo_id, str) else None, rest


class WorkflowPayload(EventPayload):
    """The base of the payloads that one workflow has for itself; its codec reads them."""

    type: str
    has_document: ClassVar[bool] = False
    """It holds a document that a cycle ends with."""

    @property
    def document(self) -> Contract | None:
        """The document that it holds."""
        return None
