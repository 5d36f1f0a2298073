"""Hits as a search gives them."""

from hashlib import sha256

from quaestor.contracts.source import Hit, Passage


def hit(text: str, title: str = "", uri: str = "", start: int = 0, source: str = "") -> Hit:
    """Return a hit; the source is named by its path, or by its text."""
    name = sha256((source or uri or text).encode()).hexdigest()
    passage = Passage(source=name, start=start, end=start + len(text), text=text)
    return Hit(passage=passage, title=title, uri=uri or f"/d/{name[:6]}.txt", score=1.0)
