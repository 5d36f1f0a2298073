"""What prose calls a row of a table, and whether prose tells that the thing in it is gone."""

import re
from collections.abc import Iterable

from quaestor.evidence.tokenization import sentence_spans
from quaestor.research.offline.fields.reserve_words import GONE

_MIN_LETTERS = 2
_NEAR = 40
"""Characters after a name in which its loss is told: further on it may be that of something else."""


def is_telling_name(name: str) -> bool:
    """Return whether a name can be looked for: a bare number or a letter is in many sentences about something else."""
    return sum(map(str.isalpha, name)) >= _MIN_LETTERS


def is_common_word(name: str) -> bool:
    """Return whether a name may be any word, as one in small letters."""
    return name.isalpha() and name.islower()


def called(name: str) -> re.Pattern[str]:
    """Return what finds a name: a single word as it is written, or with a capital where a sentence begins with it.

    "Standard" is no standard, and "nis" no NIS; names of several words are found in any case.
    """
    if " " in name:
        return re.compile(rf"(?<!\w){re.escape(name)}(?!\w)", re.IGNORECASE)
    return re.compile(rf"(?<!\w)[{re.escape(name[0] + name[0].upper())}]{re.escape(name[1:])}(?!\w)")


def find_loss(text: str, names: Iterable[str]) -> str:
    """Return the first of some names of which a sentence tells, soon after it, that what it names is gone; or none."""
    if not GONE.search(text):
        return ""
    lowered = text.casefold()
    told = [each for each in names if each.casefold() in lowered and is_telling_name(each) and not is_common_word(each)]
    sentences = [text[start:end] for start, end in sentence_spans(text)] if told else []
    return next((each for each in told if any(_tells_loss(sentence, called(each)) for sentence in sentences)), "")


def _tells_loss(sentence: str, pattern: re.Pattern[str]) -> bool:
    found = pattern.search(sentence)
    return (
        found is not None
        and "|" not in sentence
        and GONE.search(sentence, found.end(), found.end() + _NEAR) is not None
    )
