"""Words of a query that no passage holds, and what is searched in the place of each.

That is the one word that it is near to, the same word written in two or in one, the verb of a participle, the last part
of a compound, or a compound that it begins.
"""

import re
from typing import NamedTuple

from quaestor.contracts.library import Library
from quaestor.contracts.tools import SimilarWord
from quaestor.evidence.common_words import is_common_word
from quaestor.evidence.spelling import (
    COMPOUNDING,
    SHORTEST_HEAD,
    allowed_distance,
    compound_heads,
    doubtful_words,
    find_parted,
    is_doubling,
    is_surely_meant,
    joined_words,
    may_be_meant,
    near_words,
    parted_words,
    participle_verbs,
    stem_distance,
    with_ending_of,
)
from quaestor.evidence.stemming import detect_language, stemmed_terms
from quaestor.evidence.tokenization import terms

_LETTERS = re.compile(r"[^\W\d_]+")
_MAX_WORDS = 6
"""Words of a query that are looked up."""
_MAX_STEMS = 20
"""Index terms whose words are looked at, the nearest and longest first."""
_FEW_PASSAGES = 20
_RARE = 4
"""A word in more than one of so many passages, and in more than a few, is common: one must surely mean it."""
_SHORTEST_BEGINNING = 6
"""Letters of the stem of a word that a compound may begin with: Herr begins Herrenrunde."""
_LONGEST_HEAD = 20
_CAPITALS = "de"
"""The language that writes all nouns with a capital."""
_SAMPLE = 3
"""Passages of an index term in which its words are looked for."""


async def find_similar_words(library: Library, corpus: str, text: str, language: str | None) -> tuple[SimilarWord, ...]:
    """Return the words of a query that no passage of a corpus holds, with the word there that is nearest to each.

    `language` is the one by whose stems the corpus is searched; a query in another one is spelt as it should be, and so
    is a common English word.
    """
    if language is None and detect_language(text) is not None:
        return ()
    pairs = _joinable(text)
    own = {word: _own_terms(word, language) for word in doubtful_words(text)}
    asked = {*(pair.joined_term for pair in pairs), *(term for pair in pairs for term in pair.part_terms)}
    counts = await library.frequencies(corpus, asked.union(*own.values()))
    joined = [
        SimilarWord(word=pair.written, found=pair.joined)
        for pair in pairs
        if counts.of.get(pair.joined_term) and not all(counts.of.get(term) for term in pair.part_terms)
    ]
    apart = {word for one in joined for word in _LETTERS.findall(one.word)}
    absent = [word for word, held in own.items() if word not in apart and not any(counts.of.get(term) for term in held)]
    few = max(_FEW_PASSAGES, counts.passages // _RARE)
    found = [
        await _parted(library, corpus, word)
        or (None if _is_spelt(word, language) else await _nearest(library, corpus, word, language, few))
        or await _related(library, corpus, word, language)
        for word in absent[:_MAX_WORDS]
    ]
    return (*joined, *(one for one in found if one))


def _is_spelt(word: str, language: str | None) -> bool:
    """Return whether a word is a common English one, or has the form of a German participle."""
    return is_common_word(word) if language is None else language == "de" and bool(participle_verbs(word))


class _Joinable(NamedTuple):
    """A word with a hyphen, or a pair of words, that passages may write as one word; each with its index terms."""

    written: str
    joined: str
    joined_term: str
    part_terms: tuple[str, ...]


def _joinable(text: str) -> list[_Joinable]:
    """Return what passages may write as one word, unless it is a term of its own already."""
    pairs = ((written, joined, terms(joined)[0]) for written, joined in dict(joined_words(text)).items())
    return [
        _Joinable(written, joined, term, tuple(terms(part)[0] for part in _LETTERS.findall(written)))
        for written, joined, term in pairs
        if term not in terms(written)
    ]


async def _parted(library: Library, corpus: str, word: str) -> SimilarWord | None:
    """Return a word as passages write it in two: taproom and tap room."""
    pairs = {(terms(one)[0], terms(two)[0]): (one, two) for one, two in parted_words(word)}
    counts = (await library.frequencies(corpus, {term for pair in pairs for term in pair})).of
    for pair, (one, two) in pairs.items():
        if all(counts.get(term) for term in pair):
            for hit in await library.search(corpus, pair, _SAMPLE):
                if found := find_parted(hit.passage.text, one, two):
                    return SimilarWord(word=word, found=found if word[:1].isupper() else found.casefold())
    return None


async def _related(library: Library, corpus: str, word: str, language: str | None) -> SimilarWord | None:
    """Return the verb of a German participle, else the longest last part of a compound that passages hold.

    So of gespendet spenden, whose stem Spende has too, and of Jahresbeitrag Beitrag.
    """
    if language not in COMPOUNDING:
        return None
    others = (participle_verbs(word) if language == "de" else ()) or compound_heads(word)
    found = {other: stemmed_terms(other, language)[0] for other in others}
    counts = (await library.frequencies(corpus, found.values())).of if found else {}
    held = next((SimilarWord(word=word, found=other) for other, term in found.items() if counts.get(term)), None)
    return held or await _begun(library, corpus, word, language)


async def _begun(library: Library, corpus: str, word: str, language: str | None) -> SimilarWord | None:
    """Return the compound in most passages that begins with a word: Kündigungsfrist for Kündigung."""
    start = stemmed_terms(word, language)[0]
    longer = (len(word) + SHORTEST_HEAD, len(word) + _LONGEST_HEAD)
    known = await library.vocabulary(corpus, start, longer) if len(start) >= _SHORTEST_BEGINNING else {}
    for term in sorted(known, key=lambda term: (-known[term], term))[:1]:
        for hit in await library.search(corpus, [term], _SAMPLE):
            for one in _LETTERS.findall(hit.passage.text):
                if term in terms(one):
                    return SimilarWord(word=word, found=one)
    return None


def _own_terms(word: str, language: str | None) -> frozenset[str]:
    """Return the index terms of a word by which it is known; the parts of a name in one word are other words."""
    whole, *parts = terms(word)
    return frozenset([whole] if parts else [whole, *stemmed_terms(word, language)])


async def _nearest(library: Library, corpus: str, word: str, language: str | None, few: int) -> SimilarWord | None:
    reach = allowed_distance(word)
    start = terms(word)[0][:1]
    known = await library.vocabulary(corpus, start, (max(len(word) - 5, 3), len(word) + reach))
    stems = {term: far for term in known if (far := stem_distance(term, word)) is not None}
    # Of its forms one as the word is written: with a capital where it need not have one it would be taken for a name.
    near: dict[str, tuple[int, bool, str]] = {}
    for stem in sorted(stems, key=lambda term: (stems[term], -len(term), term))[:_MAX_STEMS]:
        hits = await library.search(corpus, [stem], _SAMPLE)
        text = "\n".join(f"{hit.title}\n{hit.passage.heading}\n{hit.passage.text}" for hit in hits)
        # The form that is meant may be in none of the few passages that are read; but then nothing else is wrong.
        built = [one for one in near_words(with_ending_of(word, stem), word) if one[0] == 1]
        for distance, other in (*near_words(text, word), *built):
            is_meant = language is None or may_be_meant(word, other, has_capitals=language == _CAPITALS)
            if stem in terms(other) and is_meant and (known[stem] <= few or is_surely_meant(word, other)):
                near_by = 0 if is_doubling(word, other) else distance
                form = near_by, other[:1].isupper() != word[:1].isupper(), other
                near[stem] = min(near.get(stem, form), form)
    least = min((distance for distance, *_ in near.values()), default=0)
    nearest = [stem for stem, (distance, *_) in near.items() if distance == least]
    base = min(nearest, key=len, default="")
    # Stems that begin with one of them are forms of one word: withdraw, withdrawn.
    is_one = all(stem.startswith(base) for stem in nearest)
    return SimilarWord(word=word, found=near[base][2]) if base and is_one else None
