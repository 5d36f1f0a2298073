"""JSON Schemas of contracts, as models are shown them."""

import json
import re
from collections.abc import Callable, Iterator, Mapping
from functools import cache

from pydantic import JsonValue

from quaestor.contracts.noun import Noun

Schema = Mapping[str, JsonValue]

_NAMED = {"$defs", "properties"}
_LISTED = {"anyOf", "oneOf", "allOf", "prefixItems"}
_ALONE = {"items", "additionalProperties"}
_KEPT = {"type", "description", "enum", "const", "anyOf", "items", "$defs", "properties", "required"}
_NEEDLESS = {"default", "title", "discriminator"}  # to a model that must give every field
_DEFINING = {"$ref", "type", "enum", "const", "anyOf", "oneOf"}


@cache
def strict(contract: type[Noun]) -> Schema | None:
    """Give the contract's schema within what every strict mode takes; None when it has a place for free JSON.

    Every property is required and no other is allowed. The keywords that are kept are those that OpenAI's strict mode,
    Anthropic's and the grammar engines have in common. The other limits are said in the description, as JSON.
    """
    schema = contract.model_json_schema()
    return None if _has_free_place(schema) else _strict(schema)


@cache
def plain(contract: type[Noun]) -> Schema:
    """Give the contract's schema without the titles, which only repeat the names."""
    return _untitled(contract.model_json_schema())


@cache
def snake(contract: type[Noun]) -> str:
    """Give the contract's name as the API takes names, as `plan_draft`: letters, digits, underscores, 64 at most."""
    words = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", contract.__name__)
    return re.sub(r"[^a-z0-9]+", "_", words.lower()).strip("_")[:64]


def _strict(node: Schema) -> dict[str, JsonValue]:
    if "$ref" in node:
        return {"$ref": node["$ref"]}  # strict modes take nothing beside a reference
    made = _changed(node, _strict)
    if "oneOf" in made:
        made["anyOf"] = made.pop("oneOf")
    kept = {key: value for key, value in made.items() if key in _KEPT}
    if isinstance(properties := made.get("properties"), dict):
        kept |= {"required": list(properties), "additionalProperties": False}
    if limits := {key: value for key, value in made.items() if key not in kept.keys() | _NEEDLESS}:
        kept["description"] = f"{made.get('description', '')} {json.dumps(limits)}".strip()
    return kept


def _untitled(node: Schema) -> dict[str, JsonValue]:
    return {key: value for key, value in _changed(node, _untitled).items() if key != "title"}


def _has_free_place(node: Schema) -> bool:
    """Say whether some place takes what no list of properties tells: any JSON, a mapping, an array of mixed items."""
    free = not node.keys() & _DEFINING
    match node.get("type"):
        case "object":
            free = "properties" not in node or node.get("additionalProperties", False) is not False
        case "array":
            free = not node.get("items")
        case _:
            pass
    return free or any(map(_has_free_place, _parts(node)))


def _parts(node: Schema) -> Iterator[Schema]:
    """Give the schemas directly within a schema."""
    for key, value in node.items():
        match value:
            case dict() if key in _NAMED:
                yield from (part for part in value.values() if isinstance(part, dict))
            case list() if key in _LISTED:
                yield from (part for part in value if isinstance(part, dict))
            case dict() if key in _ALONE:
                yield value
            case _:
                pass


def _changed(node: Schema, change: Callable[[Schema], dict[str, JsonValue]]) -> dict[str, JsonValue]:
    """Give a schema with the schemas directly within it changed."""
    made = dict(node)
    for key, value in node.items():
        match value:
            case dict() if key in _NAMED:
                made[key] = {name: change(part) for name, part in value.items() if isinstance(part, dict)}
            case list() if key in _LISTED:
                made[key] = [change(part) for part in value if isinstance(part, dict)]
            case dict() if key in _ALONE:
                made[key] = change(value)
            case _:
                pass
    return made
