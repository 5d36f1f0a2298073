"""What a question is about, in the words of the question, fit for a heading."""

import re
from collections.abc import Iterator
from functools import cache

from quaestor.evidence.stopwords import word_set
from quaestor.evidence.tokenization import content_terms, terms, words
from quaestor.research.offline.language import AnswerKind, detect_language, join_names, stems_of
from quaestor.research.offline.names import IMPERATIVE_VERBS
from quaestor.research.offline.question import Question, core_words

_VERBS = word_set(
    """
    handle work support interact affect compare treat deal differ change behave carry mean need store find avoid
    cause help prevent cost happen look define describe explain list improve solve protect perform run exist apply
    propose reject accept introduce allow require replace start stop fail occur matter used say give wait add
    """
)
_TRAILING_PARTICIPLE = re.compile(r" \w+(?:ed|en)$")
_LEADING_PARTICIPLE = re.compile(r"^\w+ed (?=\w)")
_ARTICLE = re.compile(r"\bthe $", re.IGNORECASE)
_ARTICLE_FIRST = re.compile(r"^(?:an?|the) ", re.IGNORECASE)
_MAX_NAMES = 3


def subject_names(question: Question) -> tuple[str, ...]:
    """Return the titles and names a question is about or, if it is about neither, its first run of telling words.

    A name that only says where or to what ("to Python") stands behind the thing asked about, and is not the subject.
    What a question asks for before it ("which method uses averages") is no subject: then all its telling words are.
    """
    runs = [
        run
        for run in _content_runs(question.text)
        if not _is_facet_word(question, run[0]) and run[0].casefold() not in IMPERATIVE_VERBS
    ]
    if question.titles or not runs:
        return tuple(_quote_if_title(question, name) for name in question.anchors[:_MAX_NAMES])
    if not question.facets and question.wanted not in {AnswerKind.PROSE, AnswerKind.YES_NO}:
        return (core_words(question) or question.text.strip(),)
    first, start = runs[0]
    if any(name in first for name in question.names):
        return question.names[:_MAX_NAMES]
    phrase = _noun_phrase(first)
    article = "the " if _ARTICLE.search(question.text[:start]) else ""
    return (f"{article}{phrase}",)


def is_definition_of(claim: str, question: Question) -> bool:
    """Return whether a sentence defines the subject or describes what it does: "A jar is ...", "Jars hold"."""
    return any(_definition_pattern(name).match(claim) for name in subject_names(question))


@cache
def _definition_pattern(name: str) -> re.Pattern[str]:
    words_of_it = r"\W+".join(re.escape(part) for part in _ARTICLE_FIRST.sub("", name).split())
    return re.compile(
        rf"(?:an?|the)?\W*{words_of_it}(?:e?s)?\W+(?:\([^)]*\)\W+)?"
        r"(?:is|are|was|were|provides?|allows?|lets?|refers?|means?|represents?|enables?)\b",
        re.IGNORECASE,
    )


def subject_phrase(question: Question) -> str:
    """Name what a question is about in one phrase; of a language whose verbs are not known, with all telling words."""
    if question.titles or detect_language(question.text) == "en":
        return join_names(subject_names(question), question.text) or question.text.strip()
    return core_words(question) or question.text.strip()


def capitalize(text: str) -> str:
    """Begin a heading with a capital, unless it begins with a name that is written otherwise."""
    first = text.split(maxsplit=1)[0].rstrip(",:?") if text.strip() else ""
    plain = all(part.isalpha() and part.islower() for part in first.split("-")) and first[1:2].isalpha()
    return text[:1].upper() + text[1:] if plain else text


def _is_facet_word(question: Question, run: str) -> bool:
    sides = frozenset[str]().union(*(stems_of(facet.asked) for facet in question.facets))
    return sides.issuperset(terms(run))


def _noun_phrase(run: str) -> str:
    """Return the words before the first verb, without a participle at the end."""
    parts = run.split()
    cut = next((place for place, part in enumerate(parts) if place and part.casefold() in _VERBS), len(parts))
    phrase = _TRAILING_PARTICIPLE.sub("", " ".join(parts[:cut]))
    return _LEADING_PARTICIPLE.sub("", phrase)


def _quote_if_title(question: Question, name: str) -> str:
    return f'"{name}"' if name in question.titles else name


def _content_runs(text: str) -> Iterator[tuple[str, int]]:
    """Return the runs of neighbouring words that are not small words, with the places where they begin."""
    spans: list[tuple[int, int]] = []
    for word in words(text):
        if not content_terms(word.text):
            continue
        joined = spans and not text[spans[-1][1] : word.start].strip(" -/")
        spans[-1:] = [(spans[-1][0], word.end)] if joined else [*spans[-1:], (word.start, word.end)]
    yield from ((text[start:end], start) for start, end in spans)
