"""JSON Schemas of contracts, as they are sent to models."""

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache
from typing import Any

from pydantic import JsonValue

from quaestor.contracts.base import Contract
from quaestor.contracts.roles import FieldChoice

Schema = Mapping[str, JsonValue]

_MAPPING_KEYWORDS = {"$defs", "properties"}
_LIST_KEYWORDS = {"anyOf", "oneOf", "allOf", "prefixItems"}
_SINGLE_KEYWORDS = {"items", "additionalProperties"}
_ALLOWED_KEYWORDS = {"type", "description", "enum", "const", "anyOf", "items", "$defs", "properties", "required"}
_DROPPED_KEYWORDS = {"default", "title", "discriminator"}  # to a model that must give every field
_TYPE_KEYWORDS = {"$ref", "type", "enum", "const", "anyOf", "oneOf"}


@cache
def strict_schema(contract: type[Contract], choices: tuple[FieldChoice, ...]) -> Schema | None:
    """Return the contract's schema in the subset of every strict mode; None when it has a place for free JSON.

    It is narrowed to the choices. Every property is required and no other is allowed. The keywords kept are those that
    OpenAI's strict mode, Anthropic's and the grammar engines have in common. Other limits are appended to the
    description, as JSON.
    """
    schema = _narrow_schema(contract, choices)
    return None if _allows_free_json(schema) else _to_strict(schema)


@cache
def plain_schema(contract: type[Contract], choices: tuple[FieldChoice, ...]) -> Schema:
    """Return the contract's schema, narrowed to the choices, without the titles, which only repeat the names."""
    return _without_titles(_narrow_schema(contract, choices))


@cache
def _contract_schema(contract: type[Contract]) -> str:
    """Return the schema as text: it takes long to build, and is changed in place."""
    return json.dumps(contract.model_json_schema())


def _narrow_schema(contract: type[Contract], choices: Iterable[FieldChoice]) -> Schema:
    """Return the contract's schema with the values of the choices in the place of the patterns of their fields."""
    schema: dict[str, Any] = json.loads(_contract_schema(contract))
    for choice in choices:
        owner = schema if choice.contract == contract.__name__ else schema["$defs"][choice.contract]
        allowed = owner["properties"][choice.field]
        allowed.pop("pattern", None)
        allowed["enum"] = list(choice.values)
    return schema


@cache
def tool_name(contract: type[Contract]) -> str:
    """Return the contract's name as the API accepts it: letters, digits, underscores, 64 at most, as `plan_draft`."""
    words = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", contract.__name__)
    return re.sub(r"[^a-z0-9]+", "_", words.lower()).strip("_")[:64]


def _to_strict(node: Schema) -> dict[str, JsonValue]:
    if "$ref" in node:
        return {"$ref": node["$ref"]}  # strict modes accept nothing beside a reference
    changed = _map_subschemas(node, _to_strict)
    if "oneOf" in changed:
        changed["anyOf"] = changed.pop("oneOf")
    kept = {key: value for key, value in changed.items() if key in _ALLOWED_KEYWORDS}
    if isinstance(properties := changed.get("properties"), dict):
        kept |= {"required": list(properties), "additionalProperties": False}
    if limits := {key: value for key, value in changed.items() if key not in kept.keys() | _DROPPED_KEYWORDS}:
        kept["description"] = f"{changed.get('description', '')} {json.dumps(limits)}".strip()
    return kept


def _without_titles(node: Schema) -> dict[str, JsonValue]:
    return {key: value for key, value in _map_subschemas(node, _without_titles).items() if key != "title"}


def _allows_free_json(node: Schema) -> bool:
    """Return whether some place has no list of properties: any JSON, a mapping, an array of mixed items."""
    free = not node.keys() & _TYPE_KEYWORDS
    match node.get("type"):
        case "object":
            free = "properties" not in node or node.get("additionalProperties", False) is not False
        case "array":
            free = not node.get("items")
        case _:
            pass
    return free or any(map(_allows_free_json, _subschemas(node)))


def _subschemas(node: Schema) -> Iterator[Schema]:
    """Yield the schemas directly within a schema."""
    for key, value in node.items():
        match value:
            case dict() if key in _MAPPING_KEYWORDS:
                yield from (part for part in value.values() if isinstance(part, dict))
            case list() if key in _LIST_KEYWORDS:
                yield from (part for part in value if isinstance(part, dict))
            case dict() if key in _SINGLE_KEYWORDS:
                yield value
            case _:
                pass


def _map_subschemas(node: Schema, change: Callable[[Schema], dict[str, JsonValue]]) -> dict[str, JsonValue]:
    """Return a schema with the schemas directly within it changed."""
    changed = dict(node)
    for key, value in node.items():
        match value:
            case dict() if key in _MAPPING_KEYWORDS:
                changed[key] = {name: change(part) for name, part in value.items() if isinstance(part, dict)}
            case list() if key in _LIST_KEYWORDS:
                changed[key] = [change(part) for part in value if isinstance(part, dict)]
            case dict() if key in _SINGLE_KEYWORDS:
                changed[key] = change(value)
            case _:
                pass
    return changed
