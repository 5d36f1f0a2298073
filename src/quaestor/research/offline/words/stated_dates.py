"""Whether a sentence states on what date that happened which a question asks for, or only has its words and a date.

"The report on the flood was printed in 1910" does not date the flood, nor does "the bridge was to be opened in 1910".
Everything here declines: what a language has no entry for is judged by the rest.
"""

import re
from collections.abc import Iterable, Sequence

from quaestor.contracts.immutable import Immutable
from quaestor.evidence.stemming import held_stems
from quaestor.evidence.stopwords import function_words_of
from quaestor.evidence.tokenization import Word, fold_letters, words
from quaestor.research.offline.words.dates import PartialDate, is_date
from quaestor.research.offline.words.statement_words import StatementWords, statement_words
from quaestor.research.offline.words.wording import AskedWord

_TO_BE = re.compile(r"\b(?:to be|far from|instead of|rather than)\b|n['\u2019]t\b", re.IGNORECASE)
_MARKS = r"[,;:()\u2013\u2014]\s"
_SEASONS = """
    spring summer autumn winter year beginning end middle printemps été automne hiver primavera verano otoño invierno
    estate autunno inverno verão outono voorjaar zomer herfst
"""
"""What a year may be said of without being the date of something else."""
_POSSESSIVE = re.compile(r"['\u2019]s?\b")


class _Sentence(Immutable):
    """A sentence with its words, which of them are asked for, and the small words of its language."""

    text: str
    words: tuple[Word, ...]
    asked: tuple[bool, ...]
    language: str | None
    grammar: StatementWords

    def word(self, place: int) -> str:
        """Return a word, casefolded."""
        return self.words[place].text.casefold()

    def is_preposition(self, place: int) -> bool:
        """Return whether a word may be a preposition."""
        return self.word(place) in self.grammar.prepositions | self.grammar.possessive

    def is_article(self, place: int) -> bool:
        """Return whether a word may be an article."""
        return self.word(place) in self.grammar.articles

    def is_content(self, place: int) -> bool:
        """Return whether a word names something that is not asked for."""
        is_small = fold_letters(self.word(place)) in function_words_of(self.language) or self.is_preposition(place)
        return not (self.asked[place] or is_small or _is_of_date(self.word(place)))

    def is_parted(self, place: int) -> bool:
        """Return whether a mark stands between a word and the next one."""
        return bool(self.text[self.words[place].end : self.words[place + 1].start].strip(" '\u2019"))


def states_date(text: str, when: PartialDate, asked: Sequence[AskedWord], question: str, language: str | None) -> bool:
    """Return whether a sentence says without reserve that what is asked came about on a date.

    It holds the date and every word that is asked.
    """
    start = text.find(when.text)
    said = frozenset(word.text.casefold() for word in words(question))
    sentence = _read(text, asked, language)
    return (
        "|" not in text  # the cells of a row say under which header they stand, and that is looked up
        and not _has_reserve(sentence, said)
        and _is_point_in_time(sentence, start, said)
        and not any(_is_governed(sentence, word) for word in asked)
        and _holds_last(sentence, start, start + len(when.text), asked)
    )


def _read(text: str, asked: Iterable[AskedWord], language: str | None) -> _Sentence:
    found = tuple(words(text))
    terms = frozenset[str]().union(*map(_terms, asked))
    return _Sentence(
        text=text,
        words=found,
        asked=tuple(bool(terms & held_stems(word.text, language)) for word in found),
        language=language,
        grammar=statement_words(language),
    )


def _terms(word: AskedWord) -> frozenset[str]:
    return word.terms.union(*word.pieces)


def _has_reserve(sentence: _Sentence, said: frozenset[str]) -> bool:
    """Return whether a sentence denies, doubts, conditions or plans; a question may do the same in the same words."""
    spoken = frozenset(map(sentence.word, range(len(sentence.words))))
    return bool(spoken & sentence.grammar.reserves - said) or _TO_BE.search(sentence.text) is not None


def _is_point_in_time(sentence: _Sentence, start: int, said: frozenset[str]) -> bool:
    """Return whether what stands before a date makes it neither a bound nor the date of something else."""
    before = [place for place, word in enumerate(sentence.words) if word.end <= start]
    while before and (sentence.is_article(before[-1]) or _is_of_date(sentence.word(before[-1]))):
        before.pop()
    if not before:
        return True
    last = sentence.word(before[-1])
    if last in sentence.grammar.bounds and last not in said:
        return False
    return not (last in sentence.grammar.possessive and len(before) > 1 and sentence.is_content(before[-2]))


def _is_of_date(word: str) -> bool:
    return word.isdigit() or word in _SEASONS.split() or is_date(word)


def _runs_of(sentence: _Sentence, word: AskedWord) -> list[tuple[int, int]]:
    """Return where a word that is asked stands in a sentence: the first and the last place of each run of its words."""
    runs: list[tuple[int, int]] = []
    for place, one in enumerate(sentence.words):
        if sentence.asked[place] and _terms(word) & held_stems(one.text, sentence.language):
            goes_on = runs and runs[-1][1] == place - 1
            runs[-1:] = [(runs[-1][0], place)] if goes_on else [*runs[-1:], (place, place)]
    return runs


def _is_governed(sentence: _Sentence, word: AskedWord) -> bool:
    """Return whether a word stands nowhere but as what something else is about: the sister of Ann, Ann's sister."""
    runs = _runs_of(sentence, word)
    return bool(runs) and all(_has_owner(sentence, first) or _is_owner(sentence, last) for first, last in runs)


def _has_owner(sentence: _Sentence, place: int) -> bool:
    """Return whether a preposition leads to a word from one that is not asked, over articles and one adjective."""
    unknown = 0
    for before in range(place - 1, -1, -1):
        if sentence.is_parted(before):
            return False
        if before and not sentence.is_parted(before - 1) and _leads_from(sentence, before):
            return True
        if sentence.is_article(before) or sentence.asked[before]:
            continue
        unknown += 1
        if unknown > 1 or not sentence.is_content(before):
            return False
    return False


def _leads_from(sentence: _Sentence, place: int) -> bool:
    """Return whether a word ties what follows to the noun before it; a German genitive has no preposition."""
    is_noun = sentence.is_content(place - 1)
    if sentence.is_preposition(place):
        return is_noun
    return (
        is_noun and sentence.word(place) in sentence.grammar.genitives and sentence.words[place - 1].text[0].isupper()
    )


def _is_owner(sentence: _Sentence, place: int) -> bool:
    """Return whether a word is followed by what is its own, and not asked: "Ann's sister"."""
    after = sentence.text[sentence.words[place].end :]
    return (
        place + 1 < len(sentence.words)
        and (sentence.words[place].text.endswith(("'s", "\u2019s")) or _POSSESSIVE.match(after) is not None)
        and not any(sentence.asked[place + 1 : place + 3])
    )


def _holds_last(sentence: _Sentence, start: int, end: int, asked: Sequence[AskedWord]) -> bool:
    """Return whether the part of a sentence that has the date holds the word that is asked last, as a rule the verb.

    What stands in another part has another date: "the old boiler was removed in 1910 and the new one ordered".
    """
    parts = _split(sentence, start, end)
    own = next(number for number, (_, ends) in enumerate(parts) if start < ends)
    first, last = parts[own]
    places = _within(sentence, first, last)
    if not any(sentence.asked[place] for place in places):
        opens = own == 0 and sentence.is_preposition(0)
        if len(parts) == 1 or not (opens or not any(map(sentence.is_content, places))):
            return False
        # A date that stands apart belongs to what follows it, at the end of a sentence to what is before it.
        other = parts[own + 1] if own + 1 < len(parts) else parts[own - 1]
        first, last = min(first, other[0]), max(last, other[1])
    return bool(_terms(asked[-1]) & held_stems(sentence.text[first:last], sentence.language))


def _split(sentence: _Sentence, start: int, end: int) -> list[tuple[int, int]]:
    """Return the parts of a sentence: it is cut at its marks and conjunctions, but not within a date or a list."""
    conjunctions = "|".join(map(re.escape, sentence.grammar.conjunctions))
    cuts = [
        found.span()
        for found in re.finditer(rf"{_MARKS}|\s(?:{conjunctions})\s", sentence.text, re.IGNORECASE)
        if not (start <= found.start() < end or _joins_asked(sentence, *found.span()))
    ]
    begins = [0, *(after for _, after in cuts)]
    ends = [*(before for before, _ in cuts), len(sentence.text)]
    return list(zip(begins, ends, strict=True))


def _joins_asked(sentence: _Sentence, start: int, end: int) -> bool:
    """Return whether words that are asked stand on both sides of a cut, as "Ann and Bob"."""
    before = [place for place, word in enumerate(sentence.words) if word.end <= start]
    after = [place for place, word in enumerate(sentence.words) if word.start >= end]
    return bool(before and after) and sentence.asked[before[-1]] and sentence.asked[after[0]]


def _within(sentence: _Sentence, first: int, last: int) -> list[int]:
    return [place for place, word in enumerate(sentence.words) if first <= word.start < last]
