"""Words of a query that no passage holds, and the one word of the documents that each is near to."""

from quaestor.contracts.library import Library
from quaestor.contracts.tools import SimilarWord
from quaestor.evidence.spelling import allowed_distance, doubtful_words, is_surely_meant, near_words, stem_distance
from quaestor.evidence.stemming import detect_language, stemmed_terms
from quaestor.evidence.tokenization import terms

_MAX_WORDS = 6
"""Words of a query that are looked up."""
_MAX_STEMS = 20
"""Index terms whose words are looked at, the nearest and longest first."""
_FEW_PASSAGES = 20
_RARE = 4
"""A word in more than one of so many passages, and in more than a few, is common: one must surely mean it."""
_SAMPLE = 3
"""Passages of an index term in which its words are looked for."""


async def find_similar_words(library: Library, corpus: str, text: str, language: str | None) -> tuple[SimilarWord, ...]:
    """Return the words of a query that no passage of a corpus holds, with the word there that is nearest to each.

    `language` is the one by whose stems the corpus is searched; a query in another one is spelt as it should be.
    """
    if language is None and detect_language(text) is not None:
        return ()
    doubtful = doubtful_words(text)
    own = {word: _own_terms(word, language) for word in doubtful}
    counts = await library.frequencies(corpus, {term for held in own.values() for term in held})
    absent = [word for word in doubtful if not any(counts.of.get(term) for term in own[word])]
    few = max(_FEW_PASSAGES, counts.passages // _RARE)
    found = [await _nearest(library, corpus, word, few) for word in absent[:_MAX_WORDS]]
    return tuple(one for one in found if one)


def _own_terms(word: str, language: str | None) -> frozenset[str]:
    """Return the index terms of a word by which it is known; the parts of a name in one word are other words."""
    whole, *parts = terms(word)
    return frozenset([whole] if parts else [whole, *stemmed_terms(word, language)])


async def _nearest(library: Library, corpus: str, word: str, few: int) -> SimilarWord | None:
    reach = allowed_distance(word)
    start = terms(word)[0][:1]
    known = await library.vocabulary(corpus, start, (max(len(word) - 5, 3), len(word) + reach))
    stems = {term: far for term in known if (far := stem_distance(term, word)) is not None}
    # Of its forms one as the word is written: with a capital where it need not have one it would be taken for a name.
    near: dict[str, tuple[int, bool, str]] = {}
    for stem in sorted(stems, key=lambda term: (stems[term], -len(term), term))[:_MAX_STEMS]:
        for hit in await library.search(corpus, [stem], _SAMPLE):
            text = f"{hit.title}\n{hit.passage.heading}\n{hit.passage.text}"
            for distance, other in near_words(text, word):
                if stem in terms(other) and (known[stem] <= few or is_surely_meant(word, other)):
                    form = distance, other[:1].isupper() != word[:1].isupper(), other
                    near[stem] = min(near.get(stem, form), form)
    least = min((distance for distance, *_ in near.values()), default=0)
    nearest = [stem for stem, (distance, *_) in near.items() if distance == least]
    base = min(nearest, key=len, default="")
    # Stems that begin with one of them are forms of one word: withdraw, withdrawn.
    is_one = all(stem.startswith(base) for stem in nearest)
    return SimilarWord(word=word, found=near[base][2]) if base and is_one else None
