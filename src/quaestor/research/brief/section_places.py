"""The section of a text in which a character stands, and the sections beside it."""

from functools import lru_cache

from quaestor.evidence.passages import PassageSpan, split_passages

_MAX_SECTION = 10_000
"""Characters above a place in which the beginning of its section is looked for."""


def section_start(text: str, media_type: str, start: int) -> int:
    """Return where the passages below one heading begin of which one holds a character, near enough to it."""
    found = 0
    heading: str | None = None
    for span in passages_of(text, media_type):
        if span.start > start:
            break
        if span.heading != heading:
            found, heading = span.start, span.heading
    return max(found, text.rfind("\n", 0, max(start - _MAX_SECTION, 0)) + 1)


def heading_at(text: str, media_type: str, start: int) -> str:
    """Return the path of the headings above a character; nothing where it stands under none."""
    spans = passages_of(text, media_type)
    return next((span.heading for span in spans if span.start <= start < span.end), "")


def headings_beside(text: str, media_type: str, start: int) -> tuple[list[str], frozenset[str]]:
    """Return the headings above a character, outermost first, and those of the sections beside its own."""
    spans = passages_of(text, media_type)
    own = heading_at(text, media_type, start).split(" > ")
    others = (heading.split(" > ") for heading in dict.fromkeys(span.heading for span in spans))
    parting = (next((pair for pair in zip(own, other, strict=False) if pair[0] != pair[1]), None) for other in others)
    return own, frozenset(pair[1] for pair in parting if pair)


@lru_cache(maxsize=4)
def passages_of(text: str, media_type: str) -> tuple[PassageSpan, ...]:
    """Return the passages of a text, remembered: rule after rule asks for those of the same ones."""
    return split_passages(text, media_type)
