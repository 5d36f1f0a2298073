"""The folded state of a log as JSON and back, for a cache that is thrown away whenever it does not fit.

    state --encode--> JSON --decode--> the same state

Every object is written with its class, as the members of a union may have equal fields. Only classes are built that the
type of the state names, directly or through fields, so that no text makes this program load code; a digest of all
their fields says whether a text has this schema. Contracts are validated again as they are built.
"""

import json
import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import fields, is_dataclass
from datetime import date, datetime
from decimal import Decimal, InvalidOperation
from enum import Enum
from functools import lru_cache
from hashlib import sha256
from types import MappingProxyType
from typing import Generic, TypeVar, cast, get_args, get_origin, get_type_hints

from pydantic import BaseModel, JsonValue

from quaestor.contracts.immutable import NOT_STORED, Immutable

S = TypeVar("S")

_ADDRESS = re.compile(r" at 0x[0-9a-f]+")
_JSON_TYPES: frozenset[type] = frozenset({str, int, float, bool, type(None)})
"""What JSON has itself. Its arrays are tuples here, and everything else is an object of one key: its form."""
_TEXT_FORMS: Mapping[type, str] = {Decimal: "decimal", datetime: "datetime", date: "date"}
"""Types that are written as text, each under its form."""
_PARSERS: Mapping[str, Callable[[str], object]] = {
    "decimal": Decimal,
    "datetime": datetime.fromisoformat,
    "date": date.fromisoformat,
}

_MAX_SCHEMAS = 64
"""That are kept: one costs 50 ms of CPU, as much as reading a state."""


class UnsupportedStateError(Exception):
    """A state holds what its type does not name, or what has no form in JSON."""


class UnreadableStateError(Exception):
    """A text is no state of this type."""


class _Schema(Immutable):
    """The classes that some types name, with the types of their fields and their numbers, and a digest of all that."""

    fields: Mapping[type, Mapping[str, object]]
    kinds: Sequence[type]
    numbers: Mapping[type, str]
    digest: str


class StateCodec(Generic[S]):
    """The codec of what a log is folded to: an object, or a tuple of the states of several folds.

    `state_types` are the types of the states, `begin` is what they are before any event, from which every state gets
    the fields that are not stored. `others` are classes that the types leave open, as those behind protocols.
    """

    def __init__(self, state_types: Iterable[object], begin: S, others: Iterable[object] = ()) -> None:
        schema = _read_schema((*state_types, *others))
        self._fields, self._kinds, self._numbers = schema.fields, schema.kinds, schema.numbers
        self.digest = schema.digest
        self._begin: Mapping[type, Mapping[str, object]] = {
            type(each): {name: getattr(each, name) for name in _unstored_fields(type(each))} for each in _parts(begin)
        }
        self._count = len(_parts(begin))

    def encode(self, state: S) -> str:
        """Return a state as JSON. Raises UnsupportedStateError, also for what would not be read as it was."""
        try:
            text = json.dumps(self._pack(state), allow_nan=False, separators=(",", ":"))
            is_equal = self._unpack(json.loads(text)) == state
        except (ValueError, TypeError, RecursionError) as error:
            raise UnsupportedStateError(str(error)) from error
        if not is_equal:
            raise UnsupportedStateError("it would not be read as it was")
        return text

    def decode(self, text: str) -> S:
        """Return a state as it was encoded. Raises UnreadableStateError."""
        try:
            state = self._unpack(json.loads(text))
        except (ValueError, TypeError, LookupError, InvalidOperation, RecursionError) as error:
            raise UnreadableStateError(str(error)) from error
        parts = _parts(state)
        if len(parts) != self._count or not all(type(part) in self._fields for part in parts):
            raise UnreadableStateError("it is a state of something else")
        return cast("S", state)  # the digest of its text is that of this type

    def _pack(self, value: object) -> JsonValue:
        kind = type(value)
        if kind in _JSON_TYPES:
            return value  # type: ignore[return-value] # the types of JSON, as the line above has it
        if kind in self._numbers:
            return {self._numbers[kind]: self._pack_fields(value)}
        match value:
            case tuple():
                return [self._pack(item) for item in value]
            case list():
                return {"list": [self._pack(item) for item in value]}
            case frozenset():
                return {"frozenset": [self._pack(item) for item in value]}
            case Mapping():
                return {"map": [[self._pack(key), self._pack(item)] for key, item in value.items()]}
            case _ if kind in _TEXT_FORMS:
                return {_TEXT_FORMS[kind]: str(value)}
            case _:
                raise UnsupportedStateError(f"it has a {kind.__name__}, which its type does not name")

    def _pack_fields(self, value: object) -> JsonValue:
        match value:
            case Enum():
                return self._pack(value.value)
            case BaseModel():
                given = value.model_fields_set
                return {name: self._pack(getattr(value, name)) for name in type(value).model_fields if name in given}
            case _:
                return [self._pack(getattr(value, name)) for name in self._fields[type(value)]]

    def _unpack(self, packed: JsonValue) -> object:
        match packed:
            case list():
                return tuple(self._unpack(item) for item in packed)
            case dict():
                [(form, content)] = packed.items()
                return self._unpack_form(form, content)
            case _:
                return packed

    def _unpack_form(self, form: str, content: JsonValue) -> object:
        match content:
            case str() if form in _PARSERS:
                return _PARSERS[form](content)
            case list() if form == "list":
                return [self._unpack(item) for item in content]
            case list() if form == "frozenset":
                return frozenset(self._unpack(item) for item in content)
            case list() if form == "map":
                return dict(map(self._unpack_pair, content))
            case _:
                return self._build(self._kinds[int(form)], content)

    def _unpack_pair(self, pair: JsonValue) -> tuple[object, object]:
        match pair:
            case [key, value]:
                return self._unpack(key), self._unpack(value)
            case _:
                raise ValueError("a map has something that is no pair")

    def _build(self, kind: type, content: JsonValue) -> object:
        match content:
            case dict() if issubclass(kind, BaseModel):
                return kind.model_validate({name: self._unpack(value) for name, value in content.items()})
            case list() if not issubclass(kind, Enum):
                values = map(self._unpack, content)
                given = dict(zip(self._fields[kind], values, strict=True))
                return kind(**given, **self._begin.get(kind, {}))
            case _:
                return kind(self._unpack(content))


@lru_cache(maxsize=_MAX_SCHEMAS)
def _read_schema(types: tuple[object, ...]) -> _Schema:
    """Return the schema of some types: the same in every codec of them, of which each reader of a log makes its own."""
    found = _collect_fields(types)
    names = {f"{kind.__module__}:{kind.__qualname__}": kind for kind in found}
    kinds = tuple(names[name] for name in sorted(names))
    described = [(name, _describe(names[name], found[names[name]])) for name in sorted(names)]
    return _Schema(
        fields=found,
        kinds=kinds,
        numbers=MappingProxyType({kind: str(number) for number, kind in enumerate(kinds)}),
        digest=sha256(repr(described).encode()).hexdigest(),
    )


def _parts(state: object) -> tuple[object, ...]:
    """Return the states of several folds; one that is a named tuple is one."""
    return state if isinstance(state, tuple) and type(state) is tuple else (state,)


def _collect_fields(types: Iterable[object]) -> Mapping[type, Mapping[str, object]]:
    """Return the classes that some types name, directly or through fields, with the types of their fields."""
    found: dict[type, Mapping[str, object]] = {}
    waiting = list(types)
    while waiting:
        named = waiting.pop()
        kind = get_origin(named) or named
        waiting.extend(get_args(named))
        if isinstance(kind, type) and kind not in found and (own := _field_types(kind)) is not None:
            found[kind] = own
            waiting.extend(own.values())
    return MappingProxyType(found)


def _unstored_fields(kind: type) -> Sequence[str]:
    if issubclass(kind, Immutable):
        return [name for name, named in _annotations(kind).items() if _is_unstored(named)]
    return [each.name for each in fields(kind) if not each.compare] if is_dataclass(kind) else []


def _is_unstored(named: object) -> bool:
    return NOT_STORED in getattr(named, "__metadata__", ())


def _field_types(kind: type) -> Mapping[str, object] | None:
    """Return the types of the fields of a class that a state may have as an object; None for any other class."""
    if issubclass(kind, Enum):
        return {}
    if issubclass(kind, BaseModel):
        return {name: info.annotation for name, info in kind.model_fields.items()}
    if issubclass(kind, Immutable):
        types = _annotations(kind)
        return {name: types[name] for name in kind.__struct_fields__ if not _is_unstored(types[name])}
    if is_dataclass(kind):
        types = _annotations(kind)
        return {each.name: types[each.name] for each in fields(kind) if each.compare}
    if issubclass(kind, tuple) and hasattr(kind, "_fields"):
        types = _annotations(kind)
        return {name: types[name] for name in kind._fields}
    return None


def _annotations(kind: type) -> Mapping[str, object]:
    """Return the types of fields; open ones where they are named by what is imported for type checkers alone."""
    try:
        return get_type_hints(kind, include_extras=True)
    except NameError:
        return defaultdict(lambda: object)


def _describe(kind: type, types: Mapping[str, object]) -> object:
    """Return the schema of a class, the same in every process: without the addresses of validators in annotations."""
    if issubclass(kind, Enum):
        return [(each.name, each.value) for each in kind]
    return [(name, _ADDRESS.sub("", str(each))) for name, each in types.items()]
