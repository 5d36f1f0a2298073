"""One sentence of a passage, or one line, as it is read: its place, its words, and what it stands under."""

from quaestor.contracts.immutable import Immutable
from quaestor.contracts.source import Passage
from quaestor.research.offline.sentences.sections import Section


class Extract(Immutable):
    """One sentence: its place in its passage, how it reads on one line, and the index terms of it and around it.

    `standing` is 1 for a sentence that can be read alone and less for one that leans on others; `defined` holds the
    telling words of its document's title, if it says what that is, else none.
    """

    passage: Passage
    start: int
    end: int
    claim: str
    title: str
    """What its document is called, where it speaks of its own document."""
    rank: int
    place: int
    is_prose: bool
    """False for a line of a header, a table or code."""
    standing: float
    defined_title: frozenset[str]
    terms: tuple[str, ...]
    neighbor_terms: frozenset[str]
    surroundings: tuple[int, int]
    """Where the sentence with the one before it and the one after it begins and ends."""
    above: frozenset[str]
    """The terms of all that it stands under: title, headings, lead, the names of the columns of a row."""
    lead: frozenset[str]
    """Of an item the terms of what it is said of."""
    document: frozenset[str]
    """The terms of the title and the file name of its document."""
    heading: frozenset[str]
    section: Section
    is_opening: bool
    """It is the first of its passage."""
    is_row: bool = False
    key: frozenset[str] = frozenset()
    """Of a field of a header the terms of its key."""
    is_head: bool = False
    """It names the columns of a table, of whose rows none may say what they hold."""
    is_around_letter: bool = False
    """It is a salutation, a place with a day, a closing or a signature."""

    @property
    def source(self) -> str:
        """The hash of the text that it is from."""
        return self.passage.source

    @property
    def own(self) -> frozenset[str]:
        """The terms of the sentence, as a set."""
        return frozenset(self.terms)

    @property
    def said(self) -> frozenset[str]:
        """The terms of the sentence and of the title and heading above it."""
        return self.own | self.above
