"""Lists of links, which hold the words of much that is said elsewhere and say nothing of it."""

from collections.abc import Iterator, Sequence

from quaestor.research.offline.extracts import Extract
from quaestor.research.offline.markup import is_link


def without_repeating_links(extracts: Sequence[Extract], core: frozenset[str]) -> Iterator[Extract]:
    """Yield what was read without the links that hold no word of a task that sentences do not hold too."""
    links = [one for one in extracts if is_link(one.passage.text[one.start : one.end])]
    said = frozenset(term for one in extracts if one.is_prose for term in one.own)
    return (one for one in extracts if one not in links or not one.own & core <= said)
