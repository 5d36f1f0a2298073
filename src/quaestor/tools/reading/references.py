"""The characters that XML writes as references, kept through a reader that loses them.

kreuzberg 4 drops every reference in a Word file, so that `R&amp;D` becomes `RD` (its issue 1242). Here they become
characters that need no reference, and those become what was meant in the text that was read.
"""

import io
import re
import zlib
from zipfile import BadZipFile, ZipFile

_NAMED = {b"amp": "&", b"lt": "<", b"gt": ">", b"quot": '"', b"apos": "'"}
_FIRST_STAND_IN = 0x10FF00
"""Of private use and in the last plane, where no font has a sign."""
_STAND_INS = {ord(sign): chr(_FIRST_STAND_IN + place) for place, sign in enumerate(_NAMED.values())}
_MEANT = {ord(stand_in): sign for sign, stand_in in _STAND_INS.items()}
_REFERENCE = re.compile(rb"&(?:(?P<name>amp|lt|gt|quot|apos)|#(?P<number>[0-9]{1,7})|#x(?P<hex>[0-9A-Fa-f]{1,6}));")
_ALLOWED = (range(0x9, 0xB), range(0xD, 0xE), range(0x20, 0xD800), range(0xE000, 0xFFFE), range(0x10000, 0x110000))
"""The characters of XML 1.0, section 2.2."""


class Broken(Exception):
    """A ZIP file cannot be read."""


def resolved(content: bytes) -> bytes:
    """Give a Word file whose XML holds no references any more. Raises Broken for what is no sound ZIP file."""
    try:
        with ZipFile(io.BytesIO(content)) as before:
            parts = {name: before.read(name) for name in before.namelist()}
    except (BadZipFile, EOFError, NotImplementedError, RuntimeError, zlib.error) as error:
        raise Broken(str(error)) from error
    after = io.BytesIO()
    with ZipFile(after, "w") as file:
        for name, part in parts.items():
            file.writestr(name, _REFERENCE.sub(_character, part) if name.endswith(".xml") else part)
    return after.getvalue()


def restored(text: str) -> str:
    """Give the text that was read from a resolved file, with the characters that were meant."""
    return text.translate(_MEANT)


def _character(reference: re.Match[bytes]) -> bytes:
    if name := reference["name"]:
        sign = _NAMED[name]
    else:
        code = int(reference["number"] or reference["hex"], 10 if reference["number"] else 16)
        sign = chr(code) if any(code in allowed for allowed in _ALLOWED) else "\ufffd"
    return sign.translate(_STAND_INS).encode()
