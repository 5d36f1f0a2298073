from collections.abc import Callable
from hashlib import sha256

import pytest

from quaestor.contracts.ledger import Finding
from quaestor.contracts.source import Hit, Passage, Quote

HitOf = Callable[..., Hit]
FindingOf = Callable[..., Finding]


@pytest.fixture
def hit() -> HitOf:
    def make(text: str, title: str = "", heading: str = "", start: int = 0) -> Hit:
        source = sha256(f"{title}\n{text}".encode()).hexdigest()
        passage = Passage(source=source, start=start, end=start + len(text), text=text, heading=heading)
        return Hit(passage=passage, title=title, uri=f"/docs/{title}", score=1.0)

    return make


@pytest.fixture
def finding() -> FindingOf:
    def make(finding_id: str, claim: str, source: str = "a") -> Finding:
        quote = Quote(source=sha256(source.encode()).hexdigest(), start=0, end=len(claim), text=claim)
        return Finding(id=finding_id, claim=claim, quotes=(quote,))

    return make


@pytest.fixture
def old_note() -> str:
    authors = "Author: Ann Lee <ann@example.org>,\n  Bo Ek <bo@example.org>"
    return f"Note: 12\nTitle: Plain Jars\n{authors}\nCreated: 03-May-2001\n"


@pytest.fixture
def new_note() -> str:
    return "Note: 40\nTitle: Lidded Jars\nAuthor: Cy Fox\nStatus: Final\nCreated: 09-Jul-2010\nReplaces: 12\n"
