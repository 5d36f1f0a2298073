"""Titles and forms of address before a name, which are no part of it: Professor, Mrs, Herr, Señora."""

import re
from functools import lru_cache

from quaestor.evidence.tokenization import content_terms

_TITLES = (
    "prof|professor(?:in|a)?|professeure?|profesora?|professore|professoressa|dr|doctora?|doktor(?:in)?|docteure?"
    "|dottor(?:e|essa)?|doutora?|mr|mrs|ms|mister|messrs|sir|captain|herrn?|frau|fräulein|kapitän|mme|mlle|madame"
    "|mademoiselle|monsieur|capitaine|señor(?:a|ita)?|capitán|signor(?:e|a|ina)?|capitano|senhora?|capitão|meneer"
    "|mijnheer|mevrouw|kapitein|kapitan|профессор|доктор|господин|госпожа|капитан|president[ae]?|präsident(?:in|en)?"
    "|présidente?|prezydent|президент"
)
_WITH_FULL_STOP = "prof|dr|mr|mrs|ms|messrs|mme|mlle|capt|lt|sgt|rev|gen|hon|m|sr|sra|srta|sig|mevr|dhr"
_BEFORE_NAME = re.compile(
    rf"(?<![\w-])(?:(?:(?:{_TITLES})\s|(?:{_WITH_FULL_STOP})\.\s?)\s*)+(?=(?P<name>[^\W\d_]+))", re.IGNORECASE
)
_WORD = re.compile(r"[^\W\d_]+")
_GERMAN_ARTICLE = re.compile(r"\b(?:der|die|das|dem|den|des|eine?[mnrs]?)\s+\Z", re.IGNORECASE)
"""Behind it a title may be a noun of its own, as the next word with a capital is: "darf die Frau Hunde mitbringen?"."""


@lru_cache(maxsize=256)
def courtesy_title_starts(text: str) -> frozenset[int]:
    """Return where the words of titles and forms of address start that stand right before a name with a capital.

    A role that is asked for ("Who is the president of the club?") stands before no name, and is none.
    """
    return frozenset(
        word.start()
        for found in _BEFORE_NAME.finditer(text)
        if found["name"][0].isupper()
        and content_terms(found["name"])
        and not found[0].isupper()
        and not (found[0][0].isupper() and _GERMAN_ARTICLE.search(text, 0, found.start()))
        for word in _WORD.finditer(text, found.start(), found.end())
    )
