"""JSON Schemas of contracts, as models are shown them."""

import json
import re
from collections.abc import Callable, Iterator, Mapping
from functools import cache

from pydantic import JsonValue

from quaestor.contracts.base import Contract

Schema = Mapping[str, JsonValue]

_MAPPING_KEYWORDS = {"$defs", "properties"}
_LIST_KEYWORDS = {"anyOf", "oneOf", "allOf", "prefixItems"}
_SINGLE_KEYWORDS = {"items", "additionalProperties"}
_ALLOWED_KEYWORDS = {"type", "description", "enum", "const", "anyOf", "items", "$defs", "properties", "required"}
_DROPPED_KEYWORDS = {"default", "title", "discriminator"}  # to a model that must give every field
_TYPE_KEYWORDS = {"$ref", "type", "enum", "const", "anyOf", "oneOf"}


@cache
def strict_schema(contract: type[Contract]) -> Schema | None:
    """Give the contract's schema within what every strict mode takes; None when it has a place for free JSON.

    Every property is required and no other is allowed. The keywords that are kept are those that OpenAI's strict mode,
    Anthropic's and the grammar engines have in common. The other limits are said in the description, as JSON.
    """
    schema = contract.model_json_schema()
    return None if _allows_free_json(schema) else _to_strict(schema)


@cache
def plain_schema(contract: type[Contract]) -> Schema:
    """Give the contract's schema without the titles, which only repeat the names."""
    return _without_titles(contract.model_json_schema())


@cache
def tool_name(contract: type[Contract]) -> str:
    """Give the contract's name as the API takes names, as `plan_draft`: letters, digits, underscores, 64 at most."""
    words = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", contract.__name__)
    return re.sub(r"[^a-z0-9]+", "_", words.lower()).strip("_")[:64]


def _to_strict(node: Schema) -> dict[str, JsonValue]:
    if "$ref" in node:
        return {"$ref": node["$ref"]}  # strict modes take nothing beside a reference
    made = _map_subschemas(node, _to_strict)
    if "oneOf" in made:
        made["anyOf"] = made.pop("oneOf")
    kept = {key: value for key, value in made.items() if key in _ALLOWED_KEYWORDS}
    if isinstance(properties := made.get("properties"), dict):
        kept |= {"required": list(properties), "additionalProperties": False}
    if limits := {key: value for key, value in made.items() if key not in kept.keys() | _DROPPED_KEYWORDS}:
        kept["description"] = f"{made.get('description', '')} {json.dumps(limits)}".strip()
    return kept


def _without_titles(node: Schema) -> dict[str, JsonValue]:
    return {key: value for key, value in _map_subschemas(node, _without_titles).items() if key != "title"}


def _allows_free_json(node: Schema) -> bool:
    """Say whether some place takes what no list of properties tells: any JSON, a mapping, an array of mixed items."""
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
    """Give the schemas directly within a schema."""
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
    """Give a schema with the schemas directly within it changed."""
    made = dict(node)
    for key, value in node.items():
        match value:
            case dict() if key in _MAPPING_KEYWORDS:
                made[key] = {name: change(part) for name, part in value.items() if isinstance(part, dict)}
            case list() if key in _LIST_KEYWORDS:
                made[key] = [change(part) for part in value if isinstance(part, dict)]
            case dict() if key in _SINGLE_KEYWORDS:
                made[key] = change(value)
            case _:
                pass
    return made
