"""The names of fields: the words by which questions in several languages call them, and the forms of their keys."""

import re
from collections.abc import Set as AbstractSet
from functools import cache

from quaestor.evidence.tokenization import content_terms
from quaestor.research.offline.language import AUTHOR_WORDS, stems_of

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
