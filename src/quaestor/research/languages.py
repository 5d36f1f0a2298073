"""The language of a report: that of its question, by its script or its commonest words, or the one asked for."""

import re
from collections import Counter
from collections.abc import Mapping
from functools import cache, lru_cache

from quaestor.evidence.normalization import normalize
from quaestor.evidence.stopwords import ENGLISH, LANGUAGES, word_set
from quaestor.evidence.tokenization import fold_letters
from quaestor.research.report_words import ENGLISH_CODE

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
_SHARES = 12
"""Of a small word, divided among the languages that have it."""
_LATIN_LETTER = re.compile(r"[A-Za-z\u00c0-\u024f]")
_ITALIAN = word_set(
    """
    alla allo anche chi che ci con cosa cui da dal dalla degli dei del della delle dello di dopo e era
    fu gli ha hanno i il in la le lo ma nel nella non o per perche piu qual quale quali quando quanti quanto
    questo se si sono
    sul sulla tra una uno
    """
)
_PORTUGUESE = word_set(
    """
    a ao aos as com como da das de do dos e em era essa esse esta este foi foram ha mais mas na nao nas no nos o onde os
    ou para pela pelo por porque quais qual quando quanta quantas quanto quantos que quem sao se ser seu sua uma um
    """
)
_DUTCH = word_set(
    """
    aan als bij dan dat de den deze dit een en er geen had heeft het hij hoe hoeveel ik is kan maar meer
    naar niet nog of om onder ook op over te tot tussen uit van voor waarom waar wanneer wat welk welke werd wie
    wordt ze zijn zou
    """
)

_OTHER_WORDS = {
    "de": word_set("die war hat man"),
    "es": word_set("son"),
    "fr": word_set("a t"),
    "it": word_set("l"),
    "nl": word_set("die"),
    "ru": word_set("каков какова каково каковы"),
}
"""Small words by which no language is known, as they mean something in others, or are rare."""


@lru_cache(maxsize=256)
def report_language(question: str) -> str:
    """Return the code of the language of a question; English where none is known.

    The script decides; of Latin text the commonest small words, each shared among the languages that have it, and of
    equals English.
    """
    counts = {} if question.isascii() else {code: len(re.findall(letters, question)) for code, letters in _SCRIPTS}
    latin = len(_LATIN_LETTER.findall(question))
    found = next((code for code, count in counts.items() if count), None)
    if found and sum(counts.values()) > latin // 2:
        return found
    said = [fold_letters(normalize(word)) for word in re.findall(r"[^\W\d_]+", question)]
    shares: Counter[str] = Counter()
    for holding in ([code for code, own in _latin_words().items() if word in own] for word in said):
        shares.update({code: _SHARES // len(holding) for code in holding})
    best = max(shares, key=lambda code: (shares[code], code == ENGLISH_CODE), default=ENGLISH_CODE)
    return best if shares[best] > shares[ENGLISH_CODE] else ENGLISH_CODE


def function_words(text: str) -> frozenset[str]:
    """Return the words of a question that carry no subject in its language, as they stand there.

    So does one whose parts between hyphens are all such words, as "a-t-elle".
    """
    language = report_language(text)
    own = _latin_words().get(language, LANGUAGES.get(language, ENGLISH)) | _OTHER_WORDS.get(language, frozenset())
    said = re.findall(r"[^\W\d_]+(?:-[^\W\d_]+)*", text)
    names = {word for word in said if len(word) > 1 and word.isupper()}  # "US" is not "us"
    return frozenset(word for word in said if own.issuperset(fold_letters(normalize(word)).split("-"))) - names


def text_direction(language: str) -> str:
    """Return the direction in which a language is written, as the attribute `dir` has it."""
    return "rtl" if language in _RIGHT_TO_LEFT else "ltr"


@cache
def _latin_words() -> Mapping[str, frozenset[str]]:
    others = {code: LANGUAGES[code] for code in ("de", "es", "fr", "tr")}
    return {"en": ENGLISH, **others, "it": _ITALIAN, "nl": _DUTCH, "pt": _PORTUGUESE}
