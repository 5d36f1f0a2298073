"""The language of a report: that of its question, by its script or its commonest words, or the one asked for."""

import re
from functools import lru_cache

from quaestor.evidence.latin_languages import document_language, question_language
from quaestor.evidence.normalization import normalize
from quaestor.evidence.stopwords import function_words_of
from quaestor.evidence.tokenization import fold_letters
from quaestor.research.reports.fixed_words import ENGLISH_CODE

_ELIDING = frozenset({"fr", "it"})
_RIGHT_TO_LEFT = frozenset({"ar", "fa", "he", "ur"})
_SCRIPTS: tuple[tuple[str, str], ...] = (
    ("ja", r"[\u3040-\u30ff]"),
    ("ko", r"[\uac00-\ud7af]"),
    ("zh", r"[\u3400-\u9fff]"),
    ("th", r"[\u0e00-\u0e7f]"),
    ("hi", r"[\u0900-\u097f]"),
    ("he", r"[\u0590-\u05ff]"),
    ("ur", r"[\u0679\u0688\u0691\u06ba\u06d2]"),
    ("fa", r"[\u067e\u0686\u0698\u06af]"),
    ("ar", r"[\u0600-\u06ff]"),
    ("el", r"[\u0370-\u03ff\u1f00-\u1fff]"),
    ("uk", r"[\u0456\u0457\u0454\u0491\u0406\u0407\u0404\u0490]"),
    ("ru", r"[\u0400-\u04ff]"),
)
"""Letters by which a language is known, those that fewer languages have first."""
_LATIN_LETTER = re.compile(r"[A-Za-z\u00c0-\u024f]")
_WORD = re.compile(r"[^\W\d_]+(?:[-'\u2019][^\W\d_]+)*")
_WORD_PIECES = re.compile(r"[-'\u2019]")
_ELISION = re.compile(r"([^\W\d_]+)['\u2019](?=[^\W\d_])")

_INVERTED = {
    "fr": re.compile(r"(?:-t)?-(?:ils?|elles?|on|ce|je|tu)\Z", re.IGNORECASE),
    "pt": re.compile(r"-(?:se|lhes?|[oa]s?|me)\Z", re.IGNORECASE),
}
"""Pronouns that hyphens join to a verb, by language."""


@lru_cache(maxsize=256)
def report_language(question: str) -> str:
    """Return the code of the language of a question; English where none is known.

    The script decides; of Latin text the small words.
    """
    counts = {} if question.isascii() else {code: len(re.findall(letters, question)) for code, letters in _SCRIPTS}
    latin = len(_LATIN_LETTER.findall(question))
    found = next((code for code, count in counts.items() if count), None)
    if found and sum(counts.values()) > latin // 2:
        return found
    return question_language(question) or ENGLISH_CODE


def known_language(text: str) -> str | None:
    """Return the code of the language that a text is surely in, by its script or two of its small words, or None."""
    by_script = report_language(text)
    if any(code == by_script for code, _ in _SCRIPTS):
        return by_script
    return document_language(text)


def language_of_question(question: str) -> str | None:
    """Return the code of the language that a question is surely in, told as a text and as a sentence alike, or None.

    The small words "a", "on" and "en" of a French one are in English as well.
    """
    known = known_language(question)
    return known if known == report_language(question) else None


@lru_cache(maxsize=256)  # it is asked at every beginning of a sentence of a text
def function_words(text: str) -> frozenset[str]:
    """Return the words of a question that carry no subject in its language, as they stand there.

    So does one whose parts between hyphens or apostrophes are all such words, as "a-t-elle" and "d'un", and what stands
    before the apostrophe of another one: the l of "l'usine".
    """
    language = report_language(text)
    own = function_words_of(language)
    said = _WORD.findall(text)
    names = {word for word in said if len(word) > 1 and word.isupper()}  # "US" is not "us"
    pieces = {word: _WORD_PIECES.split(fold_letters(normalize(word))) for word in said}
    elided = (word[: elided_length(word, language)] for word in said)
    small = (word for word in said if own.issuperset(pieces[word]))
    return frozenset((*small, *(word[:-1] for word in elided if word))) - names


def elided_length(word: str, language: str) -> int:
    """Return how many characters an elided small word takes before what it leads to: two in "l'usine"."""
    elided = _ELISION.match(word) if language in _ELIDING else None
    is_small = elided is not None and fold_letters(normalize(elided[1])) in function_words_of(language)
    return elided.end() if elided and is_small else 0


def without_joined_words(word: str, language: str) -> str:
    """Return a word without the small ones that an apostrophe or hyphens join to it: "coûte" of "coûte-t-il"."""
    bare = word[elided_length(word, language) :]
    inverted = _INVERTED[language].search(bare) if language in _INVERTED else None
    return (bare[: inverted.start()] if inverted else bare) or word


def text_direction(language: str) -> str:
    """Return the direction in which a language is written, as the attribute `dir` has it."""
    return "rtl" if language in _RIGHT_TO_LEFT else "ltr"
