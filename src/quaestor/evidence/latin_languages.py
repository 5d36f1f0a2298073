"""The language of a text in Latin letters, by its small words."""

import re
import unicodedata
from collections import Counter
from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from functools import cache, lru_cache

from quaestor.evidence.normalization import normalize
from quaestor.evidence.stopwords import ENGLISH, LANGUAGES, OTHER_WORDS, word_set
from quaestor.evidence.tokenization import fold_letters

_ENGLISH_CODE = "en"
_LATIN = ("fr", "de", "es", "it", "nl", "pl", "pt", "tr")
"""Of those with as many of the words the first is taken: "des" and "les" are French before they are anything else."""
_SHARES = 60
"""Of a small word, divided among the languages that have it."""
_OTHER_SHARE = 15
"""Of one that means something in English: it tells between languages, and from English with a word that shows one."""
_MIN_SMALL_WORDS = 2
"""At least so many small words of a language show that a text is in it."""
_ACCENTED = {
    "de": word_set("für über während können könnte müssen möchte dürfen würde wäre darüber dafür"),
    "es": word_set(
        "él sí aquí así aún cuál cuáles cuándo cuánto cuánta cuántos cuántas cómo dónde más qué quién quiénes"
    ),
    "fr": word_set("à où là été être très après même dès étaient était"),
    "it": word_set("è più perché può già cioè né però"),
    "nl": word_set("één"),
    "pl": word_set("są się że też więc można dokąd skąd będzie która które których którym który którzy jeśli"),
    "pt": word_set("à às é lá são não até já só você vocês após porquê quê também"),
    "tr": word_set("için değil niçin çok"),
}
"""Small words that one language writes with these accents, where others have them with others or without."""
_SPANISH_MARK = re.compile("[¿¡]")
_SPANISH_ENDING = re.compile(r"\w{2}(?:[ai]d[oa]s?|ci[oó]n|dad)\b", re.IGNORECASE)
_ITALIAN_ELISION = re.compile(r"(?<![^\W_])(?:all|dall|dell|nell|sull|quell)['\u2019](?=[^\W\d_])", re.IGNORECASE)
"""An article that leaves its vowel off before another word: "all'ora", which is no "all"."""
_ADDRESS = re.compile(r"[\w.+-]{1,64}@[\w.-]+|\w{1,10}://\S+")
"""Its parts are no words: ".it", "to" and "in" end many."""
_WORD = re.compile(r"[^\W\d_]+")


def question_language(text: str) -> str | None:
    """Return the language of a question or a sentence; None for English and unknown ones.

    Each small word is shared among the languages that have it, as it is written if its accents tell, else without
    accents. Of equals English is taken, else the one that has more of the words.
    """
    words, elided = _ITALIAN_ELISION.subn(" ", text)
    said = _small_words(words)
    shares: Counter[str] = Counter({"it": elided * _SHARES} if elided else {})
    counts: Counter[str] = Counter()
    for word, times in said.items():
        for code in (holding := _holding(word)):
            shares[code] += times * _SHARES // len(holding)
            counts[code] += times
    if _SPANISH_MARK.search(text):
        shares["es"] += _SHARES
    elif shares["es"] and text.rstrip().endswith("?") and not _SPANISH_ENDING.search(text):
        shares["es"] -= 1  # of equals it is another one: a question in Spanish mostly begins with a mark
    english = shares.pop(_ENGLISH_CODE, 0)
    for code in shares:
        shares[code] += _OTHER_SHARE * _count_other(said, code)
    best = max(shares, key=lambda code: (shares[code], counts[code]), default=None)
    return best if best and shares[best] > english else None


def document_language(text: str) -> str | None:
    """Return the language of a whole text, which has two of its small words, also English; None for an unknown one.

    What is a small word in English as well is one of English alone: a long text in another language has others enough,
    and an English one may name titles and addresses. A short one with no word that English alone has is told as a
    sentence is: "am" twice and "der" are German.
    """
    words, elided = _ITALIAN_ELISION.subn(" ", _ADDRESS.sub(" ", text))
    shares: Counter[str] = Counter({"it": elided * _SHARES} if elided else {})
    counts: Counter[str] = Counter({"it": elided} if elided else {})
    said = _small_words(words)
    del said["per"]  # it is as small in Italian
    for word, times in said.items():
        holding = _holding(word)
        for code in (holding := (_ENGLISH_CODE,) if _ENGLISH_CODE in holding else holding):
            shares[code] += times * _SHARES // len(holding)
            counts[code] += times
    best = max(shares, key=lambda code: (shares[code], code == _ENGLISH_CODE, counts[code]), default=None)
    if best == _ENGLISH_CODE and len(shares) > 1 and (_ENGLISH_CODE,) not in map(tuple, map(_holding, said)):
        return question_language(text)
    return best if best and counts[best] >= _MIN_SMALL_WORDS else None


def _small_words(text: str) -> Counter[str]:
    """Return how often each word stands in a text that may be a small word of some language."""
    known, longest = _known_words(), _longest_word()
    said: Counter[str] = Counter()
    for written, times in Counter(_WORD.findall(unicodedata.normalize("NFC", text))).items():
        word = written.casefold()
        # Of a long text most words are none, and are not asked about again.
        if word in known or (not word.isascii() and len(word) <= longest):
            said[word] += times
    return said


def _count_other(said: Mapping[str, int], language: str) -> int:
    other = OTHER_WORDS.get(language, frozenset())
    return sum(times for word, times in said.items() if word in other)


def _holding(word: str) -> Sequence[str]:
    """Return the languages that have a small word; without accents the word itself is looked up."""
    return _languages_by_word().get(word, ()) if word.isascii() else _holding_accented(word)


@lru_cache(maxsize=1 << 14)
def _holding_accented(word: str) -> Sequence[str]:
    exact = [code for code, own in _ACCENTED.items() if word in own]
    return exact or _languages_by_word().get(fold_letters(normalize(word)), ())


@cache
def _known_words() -> AbstractSet[str]:
    """Return the small words of all languages and those that tell between two of them, as far as no accent tells."""
    return frozenset(_languages_by_word()).union(*OTHER_WORDS.values())


@cache
def _longest_word() -> int:
    return max(map(len, _languages_by_word()))


@cache
def _languages_by_word() -> Mapping[str, tuple[str, ...]]:
    lists = {_ENGLISH_CODE: ENGLISH, **{code: LANGUAGES[code] for code in _LATIN}}
    every = frozenset[str]().union(*lists.values())
    return {word: tuple(code for code, own in lists.items() if word in own) for word in every}
