"""Whether the names of a sentence stand in its quotes: as they are, inflected, or by the letters they begin with."""

import re
from collections.abc import Collection, Iterable, Iterator, Sequence

from quaestor.evidence.months import month_number
from quaestor.evidence.stopwords import STOP_WORDS, word_set
from quaestor.evidence.tokenization import Word, content_terms, fold_letters, sentence_spans, terms, words
from quaestor.research.claims.dates import month_numbers
from quaestor.research.claims.numbers import find_numbers
from quaestor.research.reports.fixed_words import ENGLISH_CODE
from quaestor.research.reports.languages import report_language

_CAPITAL_NOUNS = "de"
"""The language that writes every noun with a capital, so that a capital is no sign of a name."""
_BEHIND_COLON = re.compile(r":\s+[\"'“”«(]*$")
_WORD_BEHIND = re.compile(r"[\s-]([^\W\d_])")
_CLAUSE_END = re.compile(r"[,;:]|[.!?](?=\s|$)")
_NO_NAMES = word_set(
    """
    mr mrs ms dr prof professor sir saint st section article chapter paragraph clause rule part page figure table
    appendix annex volume version number step item celsius fahrenheit kelvin yes
    """
)
"""Forms of address, labels of numbers, units, and "Yes": what has a capital without being a name."""
_ADJECTIVE = re.compile(r"(?:ian|an|ish|ese|ic|i|er)s?$")
_MIN_ROOT = 4
"""Letters that a country and what is named after it begin with alike: Norway and Norwegian."""
_MAX_ENDING = 5
"""Letters in which their ends may differ."""
_MIN_WORDS = 5
"""Of a text whose language can be told."""
_IRREGULAR = """
    britain british britons; denmark danish dane danes; france french; greece greek greeks; ireland irish;
    netherlands dutch; spain spanish spaniard; switzerland swiss; wales welsh; poland polish pole poles; turkey turkish;
    cyprus cypriot
"""
_RELATED = {word: frozenset(line.split()) for line in _IRREGULAR.split(";") for word in line.split()}


def missing_names(sentence: str, quotes: Sequence[str], context: Sequence[str]) -> Iterator[str]:
    """Return the names of a sentence that stand neither in its quotes nor in its context, which is titles and such.

    Where a quote is in another language or script names may be written otherwise, and only months are compared.
    """
    text = "\n".join((*quotes, *context))
    known = frozenset(terms(text))
    doubtful = _names(sentence, known)
    if not doubtful:
        return
    own = words(text)
    months = month_numbers(text, own)
    language = report_language(sentence)
    if language == _CAPITAL_NOUNS or any(_is_in_other(language, quote) for quote in quotes):
        yield from (word.text for word in doubtful if months and month_number(word.text) not in {None, *months})
        return
    forms = frozenset(fold_letters(word.text).casefold() for word in own if word.text[0].isupper())
    initials = _initials(own), _initials(word for word in own if word.text.lower() not in STOP_WORDS)
    spelled_out, counted = _spelled_out(sentence, own), _counted(text)
    for word in doubtful:
        is_known = (
            month_number(word.text) in months
            or word in spelled_out
            or word.text.lower() in counted
            or _is_abbreviation(word.text.removesuffix("s"), known, initials)
            or _is_form_of(fold_letters(word.text).casefold(), forms, is_inflected=language != ENGLISH_CODE)
        )
        if not is_known:
            yield word.text


def _is_in_other(language: str, quote: str) -> bool:
    """Return whether a text is in another language; a few words do not show theirs."""
    return len(words(quote)) >= _MIN_WORDS and report_language(quote) != language


def _is_abbreviation(word: str, known: Collection[str], initials: Iterable[str]) -> bool:
    """Return whether a word in capitals, its plural ending and dots cut, stands there or is made of first letters."""
    letters = word.replace(".", "").lower()
    return word.isupper() and (letters in known or any(letters in each for each in initials))


def _names(sentence: str, known: frozenset[str]) -> Sequence[Word]:
    """Return the words with a capital that are not known; at the start of a sentence any word has one."""
    own = words(sentence)
    named = [
        word
        for word in own
        if word.text[0].isupper()
        and known.isdisjoint(terms(word.text))
        and word.text.lower() not in _NO_NAMES
        and content_terms(word.text)
    ]
    if not named:
        return ()
    first = _first_words(sentence, own, named)
    numbers = [(number.start, number.end) for number in find_numbers(sentence) if number.is_spelled]
    is_number = {word for word in named if any(start <= word.start and word.end <= end for start, end in numbers)}
    return [word for word in named if word not in first and word not in is_number]


def _first_words(sentence: str, own: Sequence[Word], named: Iterable[Word]) -> Collection[Word]:
    """Return the words that begin a sentence, or behind a colon a clause: "Note: results differ", not "By: Vos"."""
    starts = (0, *(start for start, _ in sentence_spans(sentence)))  # markup at its beginning is no sentence
    first = {next((word for word in own if word.start >= start), own[-1]) for start in starts}
    behind_colon = (word for word in named if _BEHIND_COLON.search(sentence, 0, word.start))
    return first | {word for word in behind_colon if _is_clause(sentence, word)}


def _is_clause(sentence: str, first: Word) -> bool:
    """Return whether words from a first one on say something: one of them that is no small word has no capital."""
    end = _CLAUSE_END.search(sentence, first.end)
    following = words(sentence[first.end : end.start() if end else len(sentence)])
    return any(word.text[0].islower() and word.text not in STOP_WORDS for word in following)


def _is_form_of(name: str, forms: Iterable[str], *, is_inflected: bool) -> bool:
    """Return whether a name is a form of a known one: Norwegian of Norway, in other languages any ending."""
    related = _RELATED.get(name, ())
    return any(
        form in related
        or (_shares_root(name, form) and (is_inflected or bool(_ADJECTIVE.search(name) or _ADJECTIVE.search(form))))
        for form in forms
    )


def _shares_root(name: str, form: str) -> bool:
    shared = next((at for at, (own, other) in enumerate(zip(name, form, strict=False)) if own != other), None)
    shared = min(len(name), len(form)) if shared is None else shared
    return shared >= _MIN_ROOT and max(len(name), len(form)) - shared <= _MAX_ENDING


def _spelled_out(sentence: str, own: Iterable[Word]) -> Collection[Word]:
    """Return the words of names that a text abbreviates: World Health Organization, of one that says WHO."""
    short = {letters for word in own if len(letters := "".join(filter(str.isupper, word.text))) > 1}
    if not short:
        return ()
    capital = [word for word in words(sentence) if word.text[0].isupper()]
    runs: set[Word] = set()
    for first in range(len(capital)):
        for last in range(first + 2, min(len(capital), first + 8) + 1):
            run = capital[first:last]
            between = words(sentence[run[0].start : run[-1].end])
            small = [word for word in between if word not in run and not word.text[0].isupper()]
            is_run = all(word.text.lower() in STOP_WORDS for word in small)
            if is_run and "".join(word.text[0] for word in run) in short:
                runs.update(run)
    return runs


def _counted(text: str) -> Collection[str]:
    """Return the words behind numbers as they are abbreviated: q3 of "third quarter"."""
    following = ((number, _WORD_BEHIND.match(text, number.end)) for number in find_numbers(text))
    return {f"{word[1].lower()}{number.value}" for number, word in following if word}


def _initials(found: Iterable[Word]) -> str:
    """Return the first letters of words in order, so that an abbreviation can be found among them."""
    return "".join(word.text[0].lower() for word in found if word.text[0].isalpha())
