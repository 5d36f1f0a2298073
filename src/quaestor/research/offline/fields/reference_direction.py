"""Which way a question follows a reference: who asks what replaces note 12 asks for no note that this one replaces."""

import re
from collections.abc import Iterable

from quaestor.evidence.tokenization import terms, words
from quaestor.research.offline.words.language import stems_of

_BY = re.compile(r"[^a-z]by\Z", re.IGNORECASE)
_JOINED = r"[\s#_-]*0*"
"""Between the parts of a name, and before a number."""
_ARTICLE = r"(?:the\s+)?"


def is_asked_backwards(question: str, key: str, names: Iterable[str]) -> bool:
    """Return whether a question asks by the verb of a field the other way than the field of the named document tells.

    "What replaces note 12?" is answered by no field `Replaces` of note 12, "What is superseded by note 12?" by no field
    `Superseded-By` of it.
    """
    stems = stems_of(key) - {"by"}
    said = (re.escape(word.text) for word in words(question) if stems.intersection(terms(word.text)))
    verb = rf"\b(?:{'|'.join(said) or r'(?!)'})\b"
    name = rf"{_ARTICLE}(?:{'|'.join(map(_written, filter(None, names))) or r'(?!)'})\b"
    if _BY.search(key):
        backwards = rf"{verb}\s+by\s+{name}|\b(?:do|does|did)\s+{name}\s+{verb}"
    else:
        backwards = rf"{verb}\s+{name}|{name}\s+(?:\w+\s+)?{verb}\s+by\b"
    return re.search(backwards, question, re.IGNORECASE) is not None


def _written(name: str) -> str:
    """Return a pattern for a name as people write it: "NEP-0171" and "nep171" for "NEP 171"."""
    return _JOINED.join(re.escape(part.lstrip("0") if part.isdigit() else part) for part in name.split())
