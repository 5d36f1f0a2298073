"""The names of fields: the words by which questions in several languages call them, and the forms of their keys."""

import re
from collections.abc import Set as AbstractSet
from functools import cache

from quaestor.evidence.tokenization import content_terms
from quaestor.research.offline.words.language import AUTHOR_WORDS, stems_of

_LIST_KEY = re.compile(r"[^\W\d_][\w -]*:")
"""A line with the key of a field whose values are the items of a list below it."""

_GROUPS = (
    "license licence licencia licenza lizenz лицензия лицензии 许可证",
    "created erstellt angelegt creado creada créé créée создан создана создано 创建",
    "status statut estado état статус 状态",
    "version versión версия 版本",
    "type typ tipo тип 类型",
    "maintainer betreuer mantenedor mainteneur",
)
"""Words of one group name the same field; the first is that of most keys."""
_FORMS = frozenset({"expression", "email", "mail", "name", "names", "identifier", "id"})
"""Words of a key that say in what form its value is given: "License-Expression" is a license."""
_PEOPLE = "maintainer email mail"
_SYMBOLS = "km|cm|mm|m|kg|mg|ft|lbs?|oz|ml|kwh?|[kmg]b|usd|eur|gbp|chf|jpy|cny|rub"
_MEASURED_IN = (
    r"(?:kilo|kiló|quilô|chilo|centi|centí|milli|milí)?(?:m[eèé]t(?:re|er|ro|ri)|metern|gram|gramm|gramme|gramo)"
    r"|foot|feet|inch|inches|yard|mile|meilen|milla|pie|pied|piedi|kilo|ton|tonne|tonnen|pound|ounce"
    r"|lit(?:re|er|ro|ri)|litern|second|minute|hour|day|week|month|year|sekunden|minuten|stunden|tage|wochen|monate|jahre"
    r"|jahren|segundo|minuto|hora|día|semana|mes|meses|año|seconde|heure|jour|semaine|mois|an|secondi|minuti|ore|giorni"
    r"|mesi|anni|dagen|weken|maanden|jaren|dollar|euro|cent|percent|prozent|celsius|fahrenheit|kelvin|[gt%]"
    r"|(?:кило|санти|милли)?(?:метрах|граммах)|тоннах|литрах|секундах|минутах|часах|днях|годах|рублях|долларах|евро"
)
_UNIT = re.compile(
    rf"(?<=[^\W_])[\W_]+(?:(?:in|en|em|à|a|в)[\W_]+(?:[^\W_]+[\W_]+)?(?:{_SYMBOLS}|(?:{_MEASURED_IN})s?)(?![^\W_]).*"
    rf"|(?:{_SYMBOLS})\Z)",
    re.IGNORECASE,
)
"""The unit at the end of a key: after a preposition, or its symbol alone; "birth year" has none."""
_MEASURES = (
    (re.compile(r"\b(?:how (?:high|tall)|wie (?:hoch|groß)|hoe hoog)\b", re.IGNORECASE), "height höhe hoogte"),
    (re.compile(r"\b(?:how long|wie lang|hoe lang)\b", re.IGNORECASE), "length länge lengte"),
    (re.compile(r"\b(?:how (?:wide|broad)|wie breit|hoe breed)\b", re.IGNORECASE), "width breite breedte"),
    (re.compile(r"\b(?:how deep|wie tief|hoe diep)\b", re.IGNORECASE), "depth tiefe diepte"),
    (re.compile(r"\b(?:how heavy|wie schwer|hoe zwaar)\b", re.IGNORECASE), "weight gewicht"),
    (re.compile(r"\b(?:how old|wie alt|hoe oud)\b", re.IGNORECASE), "age alter leeftijd"),
)
"""Questions by an adjective, and the keys of the fields that answer them."""
_WORD = re.compile(r"[^\W_]+")


def add_synonyms(asked: AbstractSet[str]) -> frozenset[str]:
    """Return the terms of a question with the other words for the fields that it names, but for authors."""
    return frozenset(asked).union(*(stems_of(group) for group in _GROUPS if asked & stems_of(group)))


def common_keys(asked: AbstractSet[str]) -> tuple[str, ...]:
    """Return the common keys of the fields that a question names by other words alone."""
    named = (group.partition(" ")[0] for group in (AUTHOR_WORDS, *_GROUPS) if asked & stems_of(group))
    return tuple(key for key in named if asked.isdisjoint(stems_of(key)))


@cache
def key_stems(key: str) -> frozenset[str]:
    """Return the terms of a key and of the other words for it."""
    stems = stems_of(key)
    authorship = stems_of(AUTHOR_WORDS)
    return add_synonyms(stems | authorship if stems & authorship else stems)


@cache
def key_without_unit(key: str) -> str:
    """Return a key without the unit of its values at its end, as "height" for "height in metres"; else as it is."""
    return _UNIT.sub("", key)


def name_measure(text: str) -> tuple[str, str]:
    """Return a question without its "how high" or the like, and the keys that this asks for; none without such words.

    What is asked by a noun in every language needs nothing of this.
    """
    for pattern, keys in _MEASURES:
        if pattern.search(text):
            return pattern.sub(" ", text, count=1), keys
    return text, ""


@cache
def key_without_form(key: str) -> frozenset[str]:
    """Return the terms of a key without the words for its form; none where it has no such words."""
    words = _WORD.findall(key)
    bare = [word for word in words if word.casefold() not in _FORMS]
    return frozenset(content_terms(" ".join(bare))) if 0 < len(bare) < len(words) else frozenset()


def lists_people(key: str) -> bool:
    """Return whether the values of a key are people, with or without their addresses."""
    return not stems_of(key).isdisjoint(stems_of(AUTHOR_WORDS) | stems_of(_PEOPLE))


@cache
def field_words() -> frozenset[str]:
    """Return the terms of all words that name fields."""
    return stems_of(AUTHOR_WORDS).union(*map(stems_of, _GROUPS))


def key_of_list(text: str, place: int) -> str:
    """Return the key of the field of which a line at a place is the first item, as in a list below "Authors:"."""
    above = text[:place].rstrip(" \t-*").splitlines()[-1:]
    return above[0].rstrip(":") if above and _LIST_KEY.fullmatch(above[0]) else ""
