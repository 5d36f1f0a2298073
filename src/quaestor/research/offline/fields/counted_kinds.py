"""What prose says of the number of things of a kind, where rows of a table are counted: two ketches are no three."""

import re
from collections.abc import Iterator
from functools import lru_cache

from quaestor.contracts.immutable import Immutable
from quaestor.evidence.irregular_forms import BASE_OF
from quaestor.evidence.number_words import find_spelled_numbers
from quaestor.evidence.stemming import detect_language
from quaestor.research.offline.fields.reserve_words import COUNTED_ALL, DENIED_BEFORE, LEFT_OVER, MAY_BE
from quaestor.research.offline.words.dates import find_dates, holds_duration

_KINDS = 1 << 8
_NUMBER = re.compile(r"\d{1,6}")
_WORDS_BEFORE = 2
"""Words before a kind of which one may be its number: between them is at most an adjective."""
_WORDS_LEADING = 3
"""Words before a number that say whether it is that of all."""
_LIKE = 2
"""How many times as much another number of them may be: further off it is of other things that are called so."""


class CountedKind(Immutable):
    """The word for what is counted, and how many of them a table has; without a word nothing is looked for."""

    word: str = ""
    number: int = 0

    def is_named(self, text: str) -> bool:
        """Return whether a text has the word for these things."""
        return bool(self.word) and _forms(self.word).search(text) is not None

    def is_denied(self, sentence: str) -> bool:
        """Return whether a sentence has another number of these things, or says that none is left.

        A smaller number may be that of some of them, unless the sentence counts them all ("down to two ketches"), and
        what was on some date tells nothing of today.
        """
        for found in _forms(self.word).finditer(sentence) if self.word else ():
            before, behind = sentence[: found.start()], sentence[found.end() :]
            if DENIED_BEFORE.search(before) and (LEFT_OVER.match(behind) or not behind.strip(" .!")):
                return True
            for told, lead in _numbers_before(before, found[0]):
                is_of_all = COUNTED_ALL.search(lead) or LEFT_OVER.match(behind)
                if not MAY_BE.search(lead) and self._is_other(told, is_of_all=is_of_all is not None):
                    return not any(find_dates(sentence))
        return False

    def _is_other(self, told: int, *, is_of_all: bool) -> bool:
        if told > self.number:
            return is_of_all or told <= self.number * _LIKE
        return is_of_all and told < self.number <= told * _LIKE


UNCOUNTED = CountedKind()


@lru_cache(maxsize=_KINDS)
def _forms(kind: str) -> re.Pattern[str]:
    """Return what finds one or several things of a kind; its word is without the s of a plural."""
    irregular = [form for form, base in BASE_OF.items() if base == kind]
    forms = [f"{re.escape(kind)}(?:e?s|e?n|e)?", *irregular, *([f"{kind[:-1]}ies"] if kind.endswith("y") else ())]
    return re.compile(rf"(?<!\w)(?:{'|'.join(forms)})(?!\w)", re.IGNORECASE)


def _numbers_before(before: str, kind: str) -> Iterator[tuple[int, str]]:
    """Yield the numbers among the last words before a kind, in digits or in words, each with the words before it.

    Numbers of days or years are none.
    """
    language = detect_language(before) or "en"
    words = before.split()
    for place in range(max(len(words) - _WORDS_BEFORE, 0), len(words)):
        word, lead = words[place], " ".join(words[max(place - _WORDS_LEADING, 0) : place])
        if not holds_duration(f"{word} {kind}"):
            told = [int(word)] if _NUMBER.fullmatch(word) else find_spelled_numbers(word, language)
            yield from ((number, lead) for number in told)
