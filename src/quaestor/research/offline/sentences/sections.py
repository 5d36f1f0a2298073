"""Where a passage stands: its document, and the headings above it."""

import re
from pathlib import PurePath

from quaestor.contracts.immutable import Immutable
from quaestor.contracts.source import Hit
from quaestor.evidence.retrieval.document_names import file_name
from quaestor.evidence.tokenization import terms

_NUMBER = re.compile(
    r"\s*(?:(?:step|chapter|section|part|article|appendix|schritt|kapitel|abschnitt|teil|artikel|étape|chapitre|partie"
    r"|paso|capítulo|sección)\s+|§\s*)?\d+(?:\.\d+)*[.:)]?\s+(?=\S)",
    re.IGNORECASE,
)
"""What stands before the name of a section: "Step 2.4: "."""


class Section(Immutable):
    """Where a passage stands: the terms of the last heading above it without its number, and of all that is above."""

    head: frozenset[str]
    above: frozenset[str]
    """With the title of the document."""

    def is_named(self, name: str) -> bool:
        """Return whether the heading is a name, as `copy` in the document `shutil` is `shutil.copy`."""
        return bool(self.head) and self.head <= frozenset(terms(name)) <= self.above


def heading_text(hit: Hit) -> str:
    """Return the context of a passage: the title and the file name of its document, and its heading."""
    return f"{document_name(hit)}\n{hit.passage.heading}"


def document_name(hit: Hit) -> str:
    """Return what the document of a passage is called: its title, and the name of its file."""
    return f"{hit.title}\n{file_name(hit.uri)}{PurePath(hit.uri).suffix}"


def section_of(title: str, heading: str) -> Section:
    """Return the section that a path of headings leads to in the document with a title."""
    last = heading.rpartition(" > ")[2]
    numbered = _NUMBER.match(last)
    head = last[numbered.end() :] if numbered else last
    return Section(frozenset(terms(head)), frozenset(terms(f"{title}\n{heading}")))
