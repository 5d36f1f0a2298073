"""Whether a corpus is also in other languages than a question: whose words were not looked for in translation."""

from quaestor.contracts.library import Library
from quaestor.evidence.stemming import LANGUAGE_KEYS
from quaestor.research.reports.languages import known_language

_FOREIGN_SHARE = 10
"""One passage in so many that is in another language is worth telling."""


async def has_other_languages(library: Library, question: str, corpus: str) -> bool:
    """Return whether many passages of a corpus are in a known language that the question is surely not in."""
    asked = known_language(question) if corpus else None
    if asked is None:
        return False
    counts = await library.frequencies(corpus, LANGUAGE_KEYS.values())
    others = sum(counts.of.get(key, 0) for code, key in LANGUAGE_KEYS.items() if code != asked)
    return 0 < counts.passages <= others * _FOREIGN_SHARE
