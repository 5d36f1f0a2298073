"""Which side of a comparison a passage names: the one that stands over it, none, or both.

A passage that was found for a side may be about the other one, or about a third thing that shares words with it.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from itertools import chain

from quaestor.contracts.source import Source
from quaestor.evidence.stemming import stemmed_terms
from quaestor.evidence.tokenization import surface_terms, terms
from quaestor.research.brief.own_numbers import documents_of_sides
from quaestor.research.brief.side_patterns import held_in, is_joined, literal_sides, numbered_sides
from quaestor.research.contracts.brief import BriefPassage
from quaestor.research.offline.words.status_words import DRAFT
from quaestor.research.offline.words.wording import asked_language

_YEAR = re.compile(r"(?<!\w)(?:1\d|20)\d{2}(?!\w)")
_DRAFT = re.compile(rf"(?<![^\W_])(?:{DRAFT})(?![^\W_])", re.IGNORECASE)
_TAIL = re.compile(r" (?:of|for|in|on|at) ")
_REMARK = re.compile(r"\s+\([^()]*\)\s*\Z")
_NEAR = 4
"""Words from one that a side has alone to one that it shares: "local, hierarchical and global labels"."""


def with_named_sides(
    passages: Sequence[BriefPassage], sides: Sequence[str], sources: Mapping[str, Source]
) -> Iterator[BriefPassage]:
    """Yield the passages of a comparison, each with the side that it names alone: an empty one, if it names none so.

    What names the other side alone was found for that one as well and is shown there, and what names none is left out
    where another passage names the side; but the best passage of each side stays. A passage that calls its side by a
    name of which no word is in the question keeps it.
    """
    documents = documents_of_sides(sides, sources)
    named = {
        one.number: _named_beside(one, sides, documents[one.source])
        if one.source in documents
        else _named(one, sides, sources[one.source])
        for one in passages
        if one.side
    }
    told = {one.part for one in passages if one.side in named.get(one.number, ())}
    for one in passages:
        if one.side is None or one.side in (own := named[one.number]):
            is_shared = one.side is not None and len(own) > 1
            yield one.revised(side="") if is_shared else one
        elif one.is_best or not (own or one.part in told):
            yield one.revised(side=own[0] if len(own) == 1 else "")


def _named_beside(passage: BriefPassage, sides: Sequence[str], own: str) -> tuple[str, ...]:
    """Return the sides that a passage of a numbered document tells of: its own, and those that its words name.

    What a document of another number says of one side alone is not what that says itself.
    """
    language = asked_language(passage.part)
    said = list(_words(passage.text, language))
    named = [side for side in sides if side == own or _Side(side, sides, language).is_named(said, frozenset())]
    return tuple(named) if own or len(named) > 1 else ()


def _named(passage: BriefPassage, sides: Sequence[str], source: Source) -> tuple[str, ...]:
    """Return the sides that the marked words name, else the nearest heading that names one, or the paragraph.

    In a section that is called by a side, words that name another one compare the two: "Same as Alpha" under "Beta".
    Of sides that are one thing with a number, as versions, a document that is called by one of them tells of that one.
    """
    language = asked_language(passage.part)
    told = [_Side(side, sides, language) for side in sides]
    years = frozenset(_YEAR.findall(passage.text))
    headings = passage.heading.split(" > ")
    above = [*reversed(headings), source.title, source.uri.rpartition("/")[2]]
    if years and all(side.is_of_year for side in told):
        beside = frozenset(chain.from_iterable(_words("\n".join((passage.context.text, *above)), language)))
        return _of_years(told, years, beside)
    if numbered := numbered_sides(sides):
        names = f"{source.title}\n{source.uri.rpartition('/')[2]}"
        texts = (names, *reversed(headings), passage.text)
        on_subject = (text for text in texts if numbered.of in f"{names}\n{text}".casefold())
        return next((found for text in on_subject if (found := held_in(text, numbered.sides))), ())
    around = [] if passage.in_table is not None else [passage.context.text]  # other rows are of other things
    if literal := literal_sides(sides):
        texts = (passage.text, *above, *around)
        return next((found for text in texts if (found := held_in(text, literal))), ())
    drafts = tuple(filter(_DRAFT.search, sides))
    if len(drafts) == 1:
        # What was adopted names its draft too: "This replaces the draft of April".
        if any(map(_DRAFT.search, above)):
            return drafts
        told = [side for side in told if side.name not in drafts]
    section = frozenset(terms(headings[-1]))
    for place, text in enumerate((passage.text, *above, *around)):
        said = list(_words(text, language))
        named = tuple(side.name for side in told if side.is_named(said, section))
        if place == 0 and named:
            return tuple(side.name for side in told if side.name in named or side.is_title(headings[-1]))
        if len(named) == 1 or (named and text is passage.context.text):
            return named
    own = next((side for side in told if side.name == passage.side), None)
    held = frozenset(chain.from_iterable(_words("\n".join((*above, *around)), language)))
    return (own.name,) if own and own.is_called_otherwise(held, passage.absent) else ()


def _of_years(sides: Sequence["_Side"], years: frozenset[str], held: AbstractSet[str]) -> tuple[str, ...]:
    """Return which of sides that are years words with these years are of, whatever stands above them.

    Of one thing in several years they are of none where no word of that thing is held.
    """
    of_year = tuple(side.name for side in sides if years.issuperset(_YEAR.findall(side.name)))
    return of_year if sides[0].is_shared_by(held) else ()


class _Side:
    """A side of a comparison with the terms that it has alone, and those that it shares."""

    def __init__(self, name: str, among: Iterable[str], language: str | None) -> None:
        own = _telling(name, language)
        others = frozenset(term for side in among if side != name for term in _telling(side, language))
        self.name = name
        self._alone = own - others
        self._shared = own & others
        self._language = language

    @property
    def is_of_year(self) -> bool:
        """Whether it differs from the others by a year alone: summer 2024."""
        return bool(self._alone) and all(map(_YEAR.fullmatch, self._alone))

    def is_named(self, said: Sequence[AbstractSet[str]], section: AbstractSet[str]) -> bool:
        """Return whether words name the side: all that it has alone, near to one that it shares.

        Or in a section whose heading holds all that it shares: "local ones" under "Labels".
        """
        places = {term: [at for at, word in enumerate(said) if term in word] for term in self._alone}
        if not self._alone or not all(places.values()):
            return False
        if not self._shared or self._shared <= section:
            return True
        near = (word for found in places.values() for at in found for word in said[max(0, at - _NEAR) : at + _NEAR + 1])
        return any(not self._shared.isdisjoint(word) for word in near)

    def is_shared_by(self, held: AbstractSet[str]) -> bool:
        """Return whether terms are about what all sides are of, if they are of anything: Christmas 1804 and 1805."""
        return not self._shared or not self._shared.isdisjoint(held)

    def is_title(self, heading: str) -> bool:
        """Return whether a heading is the name of the side, or its beginning, and no more but a remark in brackets."""
        names = (_telling(name, self._language) for name in (self.name, _TAIL.split(self.name, maxsplit=1)[0]))
        return bool(self._alone) and _telling(_REMARK.sub("", heading), self._language) in names

    def is_called_otherwise(self, held: AbstractSet[str], absent: Iterable[str]) -> bool:
        """Return whether a passage does not hold all words of the side, and none of these is told as absent from it."""
        told = frozenset(term for word in absent for term in stemmed_terms(word, self._language))
        return not self._alone or (not self._alone <= held and self._alone.isdisjoint(told))


def _telling(name: str, language: str | None) -> frozenset[str]:
    """Return the terms of a name that carry its subject."""
    return frozenset(stemmed_terms(name, language)).intersection(chain.from_iterable(_words(name, language)))


def _words(text: str, language: str | None) -> Iterator[AbstractSet[str]]:
    """Yield the terms of each word of a text; of an identifier of several words those of the whole."""
    for word, plain in surface_terms(text):
        yield frozenset(plain[:1] if is_joined(word) else (*plain, *stemmed_terms(word, language)))
