from datetime import date

from pydantic import Field

from quaestor.contracts.noun import Noun
from quaestor.contracts.web import Link


class Parsed(Noun):
    """What a document says: its words as they can be stored and cited, and what it says of itself."""

    title: str = ""
    text: str
    published: date | None = Field(default=None, description="When it says it was last changed; None: unknown.")
    pages: tuple[int, ...] = Field(default=(), description="Where each page starts in the text, for what has pages.")
    links: tuple[Link, ...] = ()
