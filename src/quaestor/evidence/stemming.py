"""Stems in the language of a text, beside its plain index terms: what inflected words have in common.

A text whose language is known is indexed by its plain terms and by its stems, and by one more term that names the
language. So a search knows which stems an index holds, and one that was made without any is searched by plain terms.
"""

import re
from collections.abc import Container, Mapping
from functools import lru_cache

from quaestor.evidence.german_verbs import opening_verbs, to_common_verb
from quaestor.evidence.latin_languages import document_language, question_language
from quaestor.evidence.normalization import INVISIBLE, normalize
from quaestor.evidence.snowball import snowball_stem
from quaestor.evidence.stopwords import ENGLISH, function_words_of
from quaestor.evidence.tokenization import content_terms, fold_letters, surface_terms, terms
from quaestor.evidence.written_forms import full_words

_ALGORITHMS: Mapping[str, str] = {
    "ar": "arabic",
    "de": "german",
    "el": "greek",
    "es": "spanish",
    "fr": "french",
    "hi": "hindi",
    "it": "italian",
    "nl": "dutch",
    "pt": "portuguese",
    "ru": "russian",
    "tr": "turkish",
}
_LATIN = r"A-Za-z\u00c0-\u024f"
_LETTERS: Mapping[str, str] = {
    "ar": r"\u0600-\u06ff",
    "el": r"\u0370-\u03ff\u1f00-\u1fff",
    "hi": r"\u0900-\u097f",
    "ru": r"\u0400-\u04ff",
}
"""The script of a language that is known by it; the rest are Latin, and known by their small words."""
_SCRIPTS = {code: re.compile(f"[{letters}]") for code, letters in _LETTERS.items()}
_LATIN_LETTER = re.compile(f"[{_LATIN}]")
_WORD = {code: re.compile(rf"[{_LETTERS.get(code, _LATIN)}\u0300-\u036f]+") for code in _ALGORITHMS}
_PIECES = re.compile(r"[\s.&'\u2019\u2010\u2011-]")
_INVISIBLE = re.compile(f"[{INVISIBLE}]")
_SAMPLE = 20_000
"""Characters at the beginning of a text by which its language is detected."""
_CACHE_SIZE = 1 << 17
"""How many words keep their stems in memory, as in tokenization."""
_ENGLISH_CODE = "en"
"""Its stems are the plain terms."""
LANGUAGE_KEYS: Mapping[str, str] = {code: f"=language+{code}" for code in (*_ALGORITHMS, _ENGLISH_CODE)}
"""The index terms that name languages; no word of a text equals one."""


def detect_language(text: str, *, is_question: bool = False) -> str | None:
    """Return the language of a text that has stems of its own, as an ISO 639-1 code; None for English and unknown ones.

    The most common script decides; of Latin text the small words, of which a question needs but one.
    """
    sample = text[:_SAMPLE]
    found = _script(sample) or (question_language(sample) if is_question else document_language(sample))
    return found if found in _ALGORITHMS else None


def told_language(text: str) -> str | None:
    """Return the language of a whole text of those that the index names, also English; None for an unknown one."""
    sample = text[:_SAMPLE]
    found = _script(sample) or document_language(sample)
    return found if found in LANGUAGE_KEYS else None


def _script(sample: str) -> str | None:
    """Return the language whose script most letters are of, of those that have one of their own."""
    if sample.isascii():
        return None
    letters = {code: len(script.findall(sample)) for code, script in _SCRIPTS.items()}
    script = max(letters, key=lambda code: letters[code])
    return script if letters[script] > len(_LATIN_LETTER.findall(sample)) else None


def query_language(text: str, held: Mapping[str, int], passages: int) -> str | None:
    """Return the language by whose stems a query is searched, of those that passages are stemmed in, or None.

    `held` counts the passages of each language. A few words without any stop word are taken for the language of most
    passages.
    """
    there = {code: count for code, count in held.items() if count and code in _ALGORITHMS}
    if not there:
        return None
    language = detect_language(text, is_question=True)
    if language is not None:
        return language if language in there else None
    main = max(there, key=lambda code: there[code])
    is_said_in_english = any(fold_letters(normalize(word)) in ENGLISH for word in re.findall(r"[^\W\d_]+", text))
    return None if is_said_in_english or 2 * there[main] <= passages else main


def added_stems(text: str, language: str | None) -> list[str]:
    """Return the stems of a text that are not among its plain terms, in order, repeats included; none of English."""
    if language not in _ALGORITHMS:
        return []
    said = " ".join((text, *opening_verbs(text))) if language == "de" else text
    return [stem for word, plain in surface_terms(said) for stem in _stems(word, language) if stem not in plain]


def held_stems(text: str, language: str | None) -> frozenset[str]:
    """Return the plain terms of a text and its stems in a language: what it holds of a query that is in it.

    It holds also the words that it writes in other signs, as kilograms of "412 kg", and wifi of "Wi-Fi"; and those with
    an accent as a question has them that leaves it off, whose stem is another one: garantia.
    """
    said = "\n".join((text, *full_words(text, language)))
    bare = "" if said.isascii() else " ".join(fold_letters(word) for word in said.split() if not word.isascii())
    return frozenset((*terms(said), *added_stems(said, language), *added_stems(bare, language)))


def stemmed_terms(text: str, language: str | None) -> list[str]:
    """Return the terms of a query that carry its subject, each once: stems where its language has them."""
    telling = content_terms(text) or terms(text)
    if language is None:
        return telling
    kept, small = set(telling), function_words_of(language)
    said = [(word, plain) for word, plain in surface_terms(text) if kept & set(plain)]
    own = [one for one in said if fold_letters(normalize(one[0])) not in small or _is_acronym(one[0])] or said
    found = (_stems(word, language) or plain for word, plain in own)
    return list(dict.fromkeys(term for group in found for term in group))


def plain_terms_of_unheld(text: str, language: str, held: Container[str]) -> tuple[str, ...]:
    """Return the plain terms of the words of a query of which no stem is held: texts in other languages have these."""
    said = ((plain, _stems(word, language)) for word, plain in surface_terms(text))
    return tuple(dict.fromkeys(term for plain, own in said if not any(stem in held for stem in own) for term in plain))


def _is_acronym(word: str) -> bool:
    return len(word) > 1 and word.isupper()


@lru_cache(maxsize=_CACHE_SIZE)
def _stems(word: str, language: str) -> tuple[str, ...]:
    """Return the stems of the pieces of a word; none where it is no plain word of the script of the language."""
    pieces = [piece for piece in _PIECES.split(_INVISIBLE.sub("", word)) if piece]
    if len(pieces) > 1:
        pieces = [piece for piece in pieces if len(piece) > 1]
    if not all(_WORD[language].fullmatch(piece) and not _is_mixed(piece) for piece in pieces):
        return ()
    stems = (fold_letters(snowball_stem(_base(piece, language), _ALGORITHMS[language])) for piece in pieces)
    return tuple(dict.fromkeys(stem for stem in stems if stem))


def _is_mixed(piece: str) -> bool:
    return any(letter.isupper() for letter in piece[1:]) and not piece.isupper()


def _base(piece: str, language: str) -> str:
    """Return a word in small letters; of a form of a German verb the one that all its forms share."""
    lowered = _lower(piece, language)
    return to_common_verb(lowered) if language == "de" and piece.islower() else lowered


def _lower(piece: str, language: str) -> str:
    dotted = piece.replace("İ", "i").replace("I", "\N{LATIN SMALL LETTER DOTLESS I}") if language == "tr" else piece
    return normalize(dotted)
