"""Words of a query that no passage holds, and the one rare word of the documents that each is near to."""

from quaestor.contracts.library import Library
from quaestor.contracts.tools import SimilarWord
from quaestor.evidence.spelling import allowed_distance, doubtful_words, may_be_stem, near_words
from quaestor.evidence.stemming import stemmed_terms
from quaestor.evidence.tokenization import terms

_MAX_WORDS = 6
"""Words of a query that are looked up."""
_MAX_STEMS = 40
"""Index terms whose words are looked at, the most alike in length; a word with more is near to too many."""
_FEW_PASSAGES = 20
"""A word in more passages than so many, and than one in so many of them, is common: nobody means it by another."""
_SAMPLE = 3
"""Passages of an index term in which its words are looked for."""


async def find_similar_words(library: Library, corpus: str, text: str, language: str | None) -> tuple[SimilarWord, ...]:
    """Return the words of a query that no passage of a corpus holds and that are near to exactly one rare word there."""
    doubtful = doubtful_words(text)
    own = {word: frozenset((*terms(word), *stemmed_terms(word, language))) for word in doubtful}
    counts = await library.frequencies(corpus, {term for held in own.values() for term in held})
    absent = [word for word in doubtful if not any(counts.of.get(term) for term in own[word])]
    few = max(_FEW_PASSAGES, counts.passages // _FEW_PASSAGES)
    found = [await _nearest(library, corpus, word, few) for word in absent[:_MAX_WORDS]]
    return tuple(one for one in found if one)


async def _nearest(library: Library, corpus: str, word: str, few: int) -> SimilarWord | None:
    reach = allowed_distance(word)
    start = terms(word)[0][:1]
    known = await library.vocabulary(corpus, start, (max(len(word) - 5, 3), len(word) + reach))
    stems = [term for term, passages in known.items() if passages <= few and may_be_stem(term, word)]
    if len(stems) > _MAX_STEMS:
        return None
    near: dict[str, str] = {}
    for stem in stems:
        for hit in await library.search(corpus, [stem], _SAMPLE):
            text = f"{hit.title}\n{hit.passage.heading}\n{hit.passage.text}"
            for other in near_words(text, word):
                if stem in terms(other):
                    near.setdefault(stem, other)
    return SimilarWord(word=word, found=next(iter(near.values()))) if len(near) == 1 else None
