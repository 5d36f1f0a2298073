"""Rows as documents of MongoDB, and back. Pure; nothing here needs the driver.

A document has the fields of the row, and:

- `_id` is `SESSION:SEQ`, so that a row written twice is one document;
- `at` is a date, which holds milliseconds; `micros` are the microseconds above them;
- `payload` is a sub-document where every server of the protocol keeps it unchanged, else its JSON as a text;
- `parts` instead of `payload` counts the pieces of a text that is too long for one document (16 MiB). They are
  documents of their own.
"""

import json
import math
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta

from pydantic import JsonValue

from quaestor.contracts.follower import ReplicaRow, parse_row_payload, serialize_row_payload

MongoDocument = dict[str, object]

MAX_DOCUMENT_CHARACTERS = 2_000_000
"""Characters of JSON that become one document. As BSON that is 12 MB at most: of `1,` each gets 12 bytes."""

_MAX_DEPTH = 80
"""Levels of a sub-document; MongoDB takes 100 in all."""

_MICROSECONDS_PER_MILLISECOND = 1000
_INT64_RANGE = range(-(2**63), 2**63)


def row_to_document(row: ReplicaRow) -> MongoDocument:
    """Return the document that holds a row."""
    text = serialize_row_payload(row.payload)
    return {
        "_id": f"{row.session_id}:{row.seq}",
        "session_id": row.session_id,
        "seq": row.seq,
        "cycle": row.cycle,
        "state": row.state,
        "type": row.type,
        "version": row.version,
        "todo_id": row.todo_id,
        "hash": row.hash,
        "at": row.at,
        "micros": row.at.microsecond % _MICROSECONDS_PER_MILLISECOND,
        **(
            {"parts": len(_split_text(text))}
            if len(text) > MAX_DOCUMENT_CHARACTERS
            else {"payload": _payload(row, text)}
        ),
    }


def part_documents(row: ReplicaRow) -> list[MongoDocument]:
    """Return the documents that hold the text of a row which is too long for one; none for any other row."""
    text = serialize_row_payload(row.payload)
    if len(text) <= MAX_DOCUMENT_CHARACTERS:
        return []
    own = {"session_id": row.session_id, "seq": row.seq}
    return [
        {"_id": f"{row.session_id}:{row.seq}:{number}", **own, "part": number, "text": piece}
        for number, piece in enumerate(_split_text(text), 1)
    ]


def document_to_row(found: Mapping[str, object], texts: Sequence[str] = ()) -> ReplicaRow:
    """Return the row of a document, given the texts of its parts in order. Raises ValueError when there is none.

    Its date has to be in UTC.
    """
    fields = {name: value for name, value in found.items() if name in ReplicaRow.model_fields}
    match found:
        case {"at": datetime() as at, "micros": int(micros)}:
            if found.get("parts", 0) != len(texts):
                raise ValueError(f"it has {len(texts)} of its {found['parts']} parts")
            payload = "".join(texts) if texts else found.get("payload")
            plain = (
                parse_row_payload(payload) if isinstance(payload, str) else json.loads(json.dumps(payload))
            )  # no types of BSON
            return ReplicaRow.model_validate({**fields, "at": at + timedelta(microseconds=micros), "payload": plain})
        case _:
            raise ValueError("it has no time")


def _payload(row: ReplicaRow, text: str) -> dict[str, JsonValue] | str:
    return row.payload if isinstance(row.payload, dict) and _survives_round_trip(row.payload, _MAX_DEPTH) else text


def _split_text(text: str) -> list[str]:
    return [text[start : start + MAX_DOCUMENT_CHARACTERS] for start in range(0, len(text), MAX_DOCUMENT_CHARACTERS)]


def _survives_round_trip(value: JsonValue, levels: int) -> bool:
    """Return whether every server of the protocol returns a value unchanged.

    No key may have a dot, a NUL or a dollar in front; FerretDB has no array in an array, and no negative zero.
    """
    match value:
        case bool() | str() | None:
            return True
        case int():
            return value in _INT64_RANGE
        case float():
            return value != 0 or math.copysign(1, value) > 0
        case dict():
            return levels > 0 and all(
                _is_valid_key(key) and _survives_round_trip(part, levels - 1) for key, part in value.items()
            )
        case list():
            return levels > 0 and all(
                not isinstance(part, list) and _survives_round_trip(part, levels - 1) for part in value
            )


def _is_valid_key(key: str) -> bool:
    return key != "" and not key.startswith("$") and "." not in key and "\0" not in key
