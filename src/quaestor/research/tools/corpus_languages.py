"""Whether a corpus is also in other languages than a question: whose words were not looked for in translation."""

from pathlib import PurePath

from quaestor.contracts.library import Library
from quaestor.contracts.source import DateRange
from quaestor.evidence.retrieval.document_names import file_name
from quaestor.evidence.stemming import LANGUAGE_KEYS
from quaestor.research.brief.record_items import record_day
from quaestor.research.reports.languages import known_language, language_of_question

_FOREIGN_SHARE = 5
"""One passage in so many that is in another language is worth telling."""
_HITS = 100
"""Passages in other languages of whose documents the newest are named."""
_NEWEST = 3


async def other_languages(library: Library, question: str, corpus: str, dates: DateRange) -> tuple[str, ...] | None:
    """Return what the newest documents are called of many that are in another known language than a question.

    Only those that have a day in their name or title and are in that language as a whole; None where a question or a
    corpus is not surely in two languages.
    """
    asked = language_of_question(question) if corpus else None
    if asked is None:
        return None
    keys = [key for code, key in LANGUAGE_KEYS.items() if code != asked]
    counts = await library.frequencies(corpus, keys)
    if not 0 < counts.passages <= sum(counts.of.get(key, 0) for key in keys) * _FOREIGN_SHARE:
        return None
    hits = {hit.passage.source: hit for hit in await library.search(corpus, keys, _HITS, (), dates)}
    names = {sha256: hit.title or PurePath(hit.uri).name for sha256, hit in hits.items()}
    days = {sha256: record_day(names[sha256], file_name(hit.uri)) for sha256, hit in hits.items()}
    newest: list[str] = []
    for _, sha256 in sorted(((day, sha256) for sha256, day in days.items() if day), reverse=True):
        if known_language(await library.text(sha256) or "") not in {None, asked}:
            newest.append(names[sha256])
        if len(newest) == _NEWEST:
            break  # the texts of older ones need not be read
    return tuple(newest)
