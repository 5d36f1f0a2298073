import json
from collections.abc import Iterator, Mapping
from typing import Literal

import pytest
from pydantic import Field, JsonValue

from quaestor.contracts.base import Contract
from quaestor.contracts.roles import RoleInput
from quaestor.models.chat.schema import Schema, plain_schema, strict_schema, tool_name
from quaestor.research.contracts.optional_roles import CheckInput, DelegateSummaryInput
from quaestor.research.contracts.plan import PlanDraft
from quaestor.research.contracts.roles import Reading
from quaestor.research.contracts.writing import Frame

ROLES: list[type[RoleInput]] = [
    CheckInput,
    DelegateSummaryInput,
    *(kind for kind in RoleInput.__subclasses__() if kind.__module__.startswith("quaestor.")),
]
CONTRACTS = sorted({role.gives for role in ROLES}, key=lambda kind: kind.__name__)
KEPT = {
    "type",
    "description",
    "enum",
    "const",
    "anyOf",
    "items",
    "$defs",
    "properties",
    "required",
    "additionalProperties",
}


def nodes(schema: Schema) -> Iterator[Schema]:
    yield schema
    for key in ("properties", "$defs"):
        named = schema.get(key)
        if isinstance(named, dict):
            for part in named.values():
                assert isinstance(part, dict)
                yield from nodes(part)
    alternatives = schema.get("anyOf", [])
    assert isinstance(alternatives, list)
    for part in (schema.get("items"), *alternatives):
        if isinstance(part, dict):
            yield from nodes(part)


FREE = {"QuantReport", "TradePlan"}
"""Contracts with fields whose names a model chooses, which no strict schema can say."""


@pytest.mark.parametrize("contract", CONTRACTS)
def test_every_contract_of_a_role_with_fixed_names_has_a_strict_schema(contract: type[Contract]) -> None:
    schema = strict_schema(contract, ())
    assert bool(schema) is (contract.__name__ not in FREE)
    if schema is None:
        return
    for node in nodes(schema):
        assert node.keys() <= KEPT or node.keys() == {"$ref"}
        if node.get("type") == "object":
            properties = node["properties"]
            assert isinstance(properties, dict)
            assert node["required"] == list(properties)
            assert node["additionalProperties"] is False


@pytest.mark.parametrize("contract", CONTRACTS)
def test_the_plain_schema_differs_by_titles_alone(contract: type[Contract]) -> None:
    named = {key for node in nodes(plain_schema(contract, ())) for key in node}
    assert "title" not in named
    assert len(list(nodes(plain_schema(contract, ())))) == len(list(nodes(contract.model_json_schema())))


def test_a_field_called_title_stays() -> None:
    for schema in (strict_schema(Frame, ()), plain_schema(Frame, ())):
        assert schema
        assert isinstance(schema["properties"], dict)
        assert "title" in schema["properties"]


def test_limits_that_are_not_enforced_are_said() -> None:
    class Limited(Contract):
        """A number."""

        size: int = Field(ge=1, description="How large.")
        names: tuple[str, ...] = Field(default=(), max_length=3)

    schema = strict_schema(Limited, ())
    assert schema
    assert schema["properties"] == {
        "size": {"type": "integer", "description": 'How large. {"minimum": 1}'},
        "names": {"type": "array", "items": {"type": "string"}, "description": '{"maxItems": 3}'},
    }


def test_references_stay_and_stand_alone() -> None:
    schema = strict_schema(Reading, ())
    assert schema
    assert isinstance(schema["$defs"], dict)
    finding = schema["$defs"]["DraftFinding"]
    assert isinstance(finding, dict)
    assert isinstance(finding["properties"], dict)
    quotes = finding["properties"]["quotes"]
    assert isinstance(quotes, dict)
    assert quotes["items"] == {"$ref": "#/$defs/DraftQuote"}


class Cat(Contract):
    kind: Literal["cat"] = "cat"
    lives: int


class Dog(Contract):
    kind: Literal["dog"] = "dog"
    barks: bool


class Pet(Contract):
    pet: Cat | Dog = Field(discriminator="kind")


def test_a_choice_by_its_kind_becomes_a_choice() -> None:
    schema = strict_schema(Pet, ())
    assert schema
    assert schema["properties"] == {"pet": {"anyOf": [{"$ref": "#/$defs/Cat"}, {"$ref": "#/$defs/Dog"}]}}


class AnyJson(Contract):
    value: JsonValue


class AnyKeys(Contract):
    by_name: Mapping[str, int]


class Mixed(Contract):
    pair: tuple[int, str]


@pytest.mark.parametrize("contract", [AnyJson, AnyKeys, Mixed])
def test_what_no_strict_mode_can_say_has_no_strict_schema(contract: type[Contract]) -> None:
    assert strict_schema(contract, ()) is None


@pytest.mark.parametrize(
    ("name", "snaked"),
    [("PlanDraft", "plan_draft"), ("Clarity", "clarity"), ("Page[int]", "page_int"), ("HTTPPage2", "httppage2")],
)
def test_a_name_is_one_the_api_takes(name: str, snaked: str) -> None:
    assert tool_name(type(name, (Contract,), {})) == snaked


def test_a_schema_is_json() -> None:
    assert json.loads(json.dumps(strict_schema(PlanDraft, ()))) == strict_schema(PlanDraft, ())
