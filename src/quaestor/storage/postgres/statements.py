"""The statements that the stores share, in the words of psycopg, and texts as Postgres can hold them."""

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache

from psycopg.abc import Buffer
from psycopg.adapt import Loader
from psycopg.types.string import StrDumperUnknown
from typing_extensions import override

from quaestor.storage.sql.database import Bindings

_PLACEHOLDER = re.compile(r"\?(\d*)")
_ESCAPED = re.compile(rb"\x01([\x01\x02])")
_CHARACTERS = {b"\x01": b"\x01", b"\x02": b"\0"}


@lru_cache(maxsize=1_000)
def translate(sql: str) -> bytes:
    """Return a statement with the placeholders of psycopg: `?` is `%s`, and `?1` is `%(p1)s`."""
    return _PLACEHOLDER.sub(lambda found: f"%(p{found[1]})s" if found[1] else "%s", sql.replace("%", "%%")).encode()


def bind(statement: bytes, bindings: Bindings) -> Sequence[object] | Mapping[str, object]:
    """Return the values of a translated statement as its placeholders name them."""
    if b"%(p1)s" in statement:
        return {f"p{place}": value for place, value in enumerate(bindings, 1)}
    return bindings


class TextDumper(StrDumperUnknown):
    """The writer of texts: Postgres holds no character 0, so that and the character 1 are written as two characters."""

    @override
    def dump(self, obj: str) -> Buffer:
        text = obj.encode()
        if b"\0" in text or b"\x01" in text:
            return text.replace(b"\x01", b"\x01\x01").replace(b"\0", b"\x01\x02")
        return text


class TextLoader(Loader):
    """The reader of texts."""

    @override
    def load(self, data: Buffer) -> str:
        text = bytes(data)
        if b"\x01" in text:
            text = _ESCAPED.sub(lambda found: _CHARACTERS[found[1]], text)
        return text.decode()
