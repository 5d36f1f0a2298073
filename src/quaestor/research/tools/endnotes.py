"""The notes of a book that stand in a file of their own beside its chapters: "the tablet is in error"."""

from collections.abc import Iterator, Sequence
from pathlib import PurePath

from quaestor.contracts.library import Library
from quaestor.contracts.source import DateRange, Source
from quaestor.research.brief.footnotes import note_numbers, numbered_note
from quaestor.research.contracts.tools import Correction, QuoteContext
from quaestor.research.offline.words.correction_words import MAY_CORRECT
from quaestor.research.offline.words.language import stems_of
from quaestor.research.tools.found_text import FoundText

_NAMES = frozenset(["endnotes", "footnotes", "notes", "anmerkungen", "fussnoten", "endnoten", "notas", "note", "noten"])
"""What a file of notes is called, as `casefold` writes it."""
_HITS = 20
"""Passages with such a word that are looked at."""


class Endnotes:
    """Looks for the notes to which quotes refer by a number alone."""

    def __init__(self, library: Library, corpus: str, dates: DateRange) -> None:
        self._library = library
        self._corpus = corpus
        self._dates = dates

    async def find(self, contexts: Sequence[QuoteContext], source: Source, text: str) -> tuple[Correction, ...]:
        """Return the notes of each quote of a text, and those that may correct what stands in its paragraph."""
        numbers = {one.quote: tuple(_numbers(text, one)) for one in contexts}
        if not self._corpus or not any(numbers.values()):
            return ()
        notes = await self._beside(source)
        if notes is None:
            return ()
        found: list[Correction] = []
        for quote, referred in numbers.items():
            for number, is_of_quote in referred:
                place = numbered_note(notes.words, number)
                if place and (is_of_quote or MAY_CORRECT.search(notes.words[slice(*place)])):
                    found.append(Correction(quote=quote, said=notes.quote(*place), title=notes.called(source)))
        return tuple(found)

    async def _beside(self, source: Source) -> FoundText | None:
        """Return the file of notes in the folder of a source."""
        folder = PurePath(source.uri).parent
        for name in sorted(stems_of(" ".join(_NAMES))):
            for hit in await self._library.search(self._corpus, [name], _HITS, (), self._dates):
                path = PurePath(hit.uri)
                if path.parent != folder or path == PurePath(source.uri) or path.stem.casefold() not in _NAMES:
                    continue
                found = await self._library.source(hit.passage.source)
                words = await self._library.text(hit.passage.source)
                if found and words:
                    return FoundText(found.revised(title=hit.title, uri=hit.uri), 0, words)
        return None


def _numbers(text: str, one: QuoteContext) -> Iterator[tuple[str, bool]]:
    """Yield the numbers of notes in the paragraph of a quote, each with whether the quote refers to it."""
    own = note_numbers(text, one.quote.start, one.quote.end)
    for number in dict.fromkeys(note_numbers(text, one.paragraph.start, one.paragraph.end)):
        yield number, number in own
