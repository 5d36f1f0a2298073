"""What the worker is asked and what it answers."""

from pydantic import TypeAdapter

from quaestor.contracts.noun import Noun
from quaestor.tools.reading.parsed import Parsed
from quaestor.tools.reading.reason import Reason

LARGEST_REQUEST = 100_000
LARGEST_DOCUMENT = 100_000_000
LARGEST_ANSWER = 22_000_000
"""Bytes: 20 MB of text, and what is said of it."""

Answer: TypeAdapter[Parsed | Reason] = TypeAdapter(Parsed | Reason)


class Request(Noun):
    """As what a document is read; its bytes follow in a message of their own."""

    media_type: str
    uri: str
    charset: str = ""
