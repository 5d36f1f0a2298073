"""Which words with a capital stand side by side in German and are no one name, since every noun has a capital there."""

import re
from collections.abc import Iterator

from quaestor.evidence.months import month_number

_WORD = re.compile(r"\S+")
_YEAR = re.compile(r"(?:1[5-9]|20)\d\d")
_DAY = re.compile(r"\d{1,2}\.")
_DETERMINER = re.compile(
    r"\b(?:d(?:er|ie|as|en|em|es)|(?:k?ein|welch|dies|jed|unser|ihr|sein|mein|euer|dein)(?:e[rnms]?)?|i[nm]|am|zu[mr]|vom"
    r"|beim) \Z",
    re.IGNORECASE,
)
_PLAIN_NOUN = re.compile(r"[A-ZÄÖÜ][a-zäöüß]{2,}")
_LIKE_ADJECTIVE = re.compile(r"e[rnms]?\Z")
"""How a word ends that may describe the next one, as in "die Freie Schule"; a noun that ends so is left there."""
_OPEN_QUESTION = re.compile(r"\W*(?:wann|wie|wo|warum|seit|um|an|in)\b", re.IGNORECASE)
_HAS = re.compile(r"\b(?:ha(?:t|ben|tten?)|bekommt|nimmt|macht) \Z")


def part_nouns(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Return the places of the nouns that words with a capital from `start` to `end` of a question are.

    A month and a year before a noun are no part of it. A noun behind an article has the name of what it is behind it:
    "die Firma Huber". What somebody has when, is behind the name: "Wann hat Petra Huber Geburtstag?".
    """
    dated = _date_end(text, start, end)
    if dated > start:
        yield start, dated
        start = dated + 1
    found = list(_WORD.finditer(text, start, end))
    if len(found) > 1 and _is_noun(found[0][0]) and _DETERMINER.search(text, 0, start):
        yield found[0].span()
        yield found[1].start(), end
    elif len(found) > 1 and _HAS.search(text, 0, start) and _is_last_of_open_question(text, end):
        yield start, found[-2].end()
        yield found[-1].span()
    elif found:
        yield start, end


def _is_noun(word: str) -> bool:
    return _PLAIN_NOUN.fullmatch(word) is not None and not _LIKE_ADJECTIVE.search(word)


def _is_last_of_open_question(text: str, end: int) -> bool:
    return not text[end:].strip(" ?") and _OPEN_QUESTION.match(text) is not None


def _date_end(text: str, start: int, end: int) -> int:
    """Return where a year ends, or a month with its day and its year, that words begin with; `start` if with none."""
    found = list(_WORD.finditer(text, start, end))
    place = 1 if _DAY.fullmatch(found[0][0]) and len(found) > 1 else 0
    if month_number(found[place][0]) is None:
        return found[0].end() if _YEAR.fullmatch(found[0][0]) else start
    has_year = place + 1 < len(found) and _YEAR.fullmatch(found[place + 1][0])
    return found[place + 1 if has_year else place].end()
