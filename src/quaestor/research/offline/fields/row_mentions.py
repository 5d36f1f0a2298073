"""What prose calls a row of a table: its name, a part of the name of a person, or a value that no other row has."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache

from quaestor.contracts.immutable import Immutable, replace
from quaestor.evidence.irregular_forms import BASE_OF
from quaestor.evidence.tokenization import content_terms
from quaestor.research.offline.fields.cell_words import tokens
from quaestor.research.offline.fields.collections import Collection, Thing
from quaestor.research.offline.fields.yes_no import says_no, says_yes
from quaestor.research.offline.words.field_names import lists_people
from quaestor.research.offline.words.markup import strip_markup

_MIN_LETTERS = 2
_MIN_WORDS = 2
_MAX_HEAD_WORDS = 4
"""Words of a name whose end may stand for it; a longer one is a title, and its last word one of many."""
_PEOPLE = tokens("name member person player")
"""Words for columns that name people."""
_CODE = re.compile(r"[^\W\d_]+[ -]?\d+")
_REMARK = re.compile(r"\s*[(\[][^()\[\]]*[)\]]\W*\Z|[\s*\u2020]+\Z")
_IN_BRACKETS = re.compile(r"\(([A-ZÀ-Þ][^\W\d_]+)\)\Z")
_VALUE = re.compile(r"[^\W\d_]{3,}(?: [^\W\d_]{2,}){0,2}")
"""A value by which a row may be called: a longer one describes it, and a number is that of many things."""
_CALLS = 1 << 12
_MAX_NOTE_WORDS = 8
"""Words of a sentence that may be a note, which leaves articles out ("Toluene disposed of")."""
_LABEL = re.compile(r"\W*(?:[:=\u2192]|-+>)")
_ONE = re.compile(r" ones?(?!\w)", re.IGNORECASE)
"""Behind the beginning of a name, in place of the rest of it."""
_DEFINITE = re.compile(
    r"\b(?:the|no|der|die|das|dem|den|kein\w*|le|la|les|el|los|las|sin|il|lo|de|het|geen|o|os|sem"
    r"|our|my|his|her|their|\w+['\u2019]s) \Z",
    re.IGNORECASE,
)
_INDEFINITE = re.compile(r"\b(?:an?|one|eine?[mnr]?|une?|un[ao]|uma?|een) \Z", re.IGNORECASE)


class Call(Immutable):
    """What a row may be called; a part of a person's name is none where it is a word as well: Long, Black."""

    text: str
    is_part: bool = False
    is_value: bool = False
    """Whether it is a value of the column that is asked for, which may be that of other rows as well."""
    is_shared: bool = False
    """Whether other rows may have the value too, so that its loss is not theirs."""
    is_goods: bool = False
    """Whether it names what has a price, which prose writes as any noun: "tea one pound fifty"."""
    is_short: bool = False
    """Whether it is the end of a name, or a value of another column: the one thing that is so, as "the curry"."""
    is_beside: bool = False
    """Whether it is a value of another column, which prose may have for another thing."""
    is_label: bool = False
    """Whether it is the beginning of a name, by which prose may call it: "Cave: ten people", "the oak one"."""

    def find(self, sentence: str) -> re.Match[str] | None:
        """Return where a sentence calls a row so: by its name in other forms too, by a value in any case."""
        if self.is_value:
            other = _written(self.text[0].swapcase() + self.text[1:]).search(sentence)
            return other or _written(self.text).search(sentence)
        if self.is_part:
            return _written(self.text).search(sentence)
        if self.is_label:
            return _labelled(self.text, sentence)
        if self.is_short and (short := _find_the_one(self.text, sentence)):
            return short
        if self.is_goods and self.text.isalpha() and content_terms(self.text):
            return _inflected(self.text).search(sentence)
        return find_mention(self.text, sentence)


def is_telling_name(name: str) -> bool:
    """Return whether a name can be looked for: a bare number or a letter is in many sentences about something else."""
    return sum(map(str.isalpha, name)) >= _MIN_LETTERS or _CODE.fullmatch(name) is not None


def is_common_word(name: str) -> bool:
    """Return whether a name may be any word, as one in small letters."""
    return name.isalpha() and name.islower()


@lru_cache(maxsize=_CALLS)
def called(name: str) -> re.Pattern[str]:
    """Return what finds a name: a single word as it is written, or with a capital where a sentence begins with it.

    "Standard" is no standard, and "nis" no NIS; names of several words are found in any case.
    """
    if " " in name:
        return re.compile(rf"(?<!\w){re.escape(name)}(?!\w)", re.IGNORECASE)
    return re.compile(rf"(?<!\w)[{re.escape(name[0] + name[0].upper())}]{re.escape(name[1:])}(?!\w)")


def find_mention(name: str, sentence: str) -> re.Match[str] | None:
    """Return where a sentence speaks of what has a name, also of several, or in small letters of the one that it is.

    "The heron was sold" may be said of the Heron, "a heron" is not; a name that is a common word must be a label.
    """
    if not is_common_word(name) and (exact := called(name).search(sentence)):
        return exact
    if not (name.isalpha() and name[1:].islower()):
        return None
    return next((one for one in _inflected(name).finditer(sentence) if _is_meant(name, sentence, one)), None)


def row_calls(
    table: Collection, things: Iterable[Thing], keys: frozenset[str], *, are_goods: bool = False
) -> Iterator[tuple[Thing, list[Call]]]:
    """Yield rows with what prose may call each, so that what it says of one changes the columns with these keys.

    Without keys it may change that there is such a row.
    """
    named = _count_parts(thing.name for thing in table.things)
    has_codes = any(map(str.isdigit, "".join(thing.name for thing in table.things)))
    often = Counter(thing.name for thing in table.things)
    people = _count_parts({cell.value for thing in table.things for cell in thing.cells.values()})
    alone = {key: _unique_values(table, key) for key in table.keys if key not in table.naming}
    for thing in things:
        own = Call(_bare(thing.name), is_goods=are_goods)
        # Beside "Linux x86-64" a row that is called "Free-threaded CPython" is no person.
        calls = [own, *(() if has_codes else _parts(thing.name, named))] if often[thing.name] == 1 else []
        calls += _short_calls(thing.name, table) if often[thing.name] == 1 else ()
        unique = ((key, values[thing.row]) for key, values in alone.items() if thing.row in values)
        calls += [
            replace(call, is_value=key in keys or not keys, is_short=not call.is_part, is_beside=key not in keys)
            for key, value in unique
            for call in (Call(value), *_parts(value, people))
        ]
        for value in (strip_markup(thing.cells[key].value) for key in keys if key in thing.cells):
            calls += [replace(call, is_value=True) for call in _value_calls(value, people)]
        yield thing, [one for one in calls if is_telling_name(one.text)]


def person_calls(values: Iterable[str]) -> Iterator[tuple[str, Call]]:
    """Yield the names of people among values, each with what it may be called."""
    different = frozenset(map(strip_markup, values))
    parts = _count_parts(different)
    for value in filter(is_person, sorted(different)):
        yield from ((value, call) for call in (Call(value), *_parts(value, parts)))


def is_name_of_value(value: str) -> bool:
    """Return whether prose that holds a value means it: a few words without a number, or a code with one."""
    return _VALUE.fullmatch(value) is not None or _CODE.fullmatch(value) is not None


def is_person(name: str) -> bool:
    """Return whether a name may be that of a person: several words with capitals, and nothing else."""
    words = name.split()
    return len(words) > 1 and all(word[0].isupper() and word.replace("-", "").isalpha() for word in words)


def _bare(name: str) -> str:
    return _REMARK.sub("", strip_markup(name))


def _parts(name: str, among: Mapping[str, int]) -> Iterator[Call]:
    """Yield the first and the last word of the name of a person which no other of some names has."""
    words = name.split() if is_person(name) else ()
    yield from (Call(word, is_part=True) for word in dict.fromkeys((*words[:1], *words[-1:])) if among[word] == 1)


def _value_calls(value: str, people: Mapping[str, int]) -> Iterator[Call]:
    """Yield what a value is called: a person also by a part of the name, and "PE (Stark)" by either."""
    if is_person(value):
        yield from (Call(value), *_parts(value, people))
        return
    bare = _bare(value)
    if is_name_of_value(bare) and not (says_yes(bare) or says_no(bare)):
        yield Call(bare, is_shared=True)
    if (inner := _IN_BRACKETS.search(value)) is not None:
        yield Call(inner[1], is_part=True)


def _short_calls(name: str, table: Collection) -> Iterator[Call]:
    """Yield the ends and the beginning of a name of several words that no other row has; one of a person has none."""
    words = _bare(name).split()
    others = {word for one in table.things if one.name != name for word in tokens(one.name)} | table.nouns
    of_people = any(tokens(key) & _PEOPLE or lists_people(key) for key in table.naming)
    if len(words) < _MIN_WORDS or (of_people and is_person(name)):
        return
    ends = (words[-1:], words[-2:] if len(words) > _MIN_WORDS else []) if len(words) <= _MAX_HEAD_WORDS else ()
    for end in ends:
        if _is_noun(end) and not tokens(" ".join(end)) <= others:
            yield Call(" ".join(end), is_short=True)
    if words[0].isalpha() and content_terms(words[0]) and tokens(words[0]).isdisjoint(others):
        yield Call(words[0], is_label=True)


def _is_noun(words: Sequence[str]) -> bool:
    """Return whether words may be any noun: the curry; what has a capital within, as CPython, names one thing."""
    are_words = all(word.isalpha() and (word.islower() or word.istitle()) for word in words)
    return are_words and bool(content_terms(" ".join(words)))


def _count_parts(names: Iterable[str]) -> Counter[str]:
    return Counter(word for name in frozenset(names) for word in frozenset(name.split()))


def _unique_values(table: Collection, key: str) -> Mapping[int, str]:
    """Return by their rows the values of a column that no other row has."""
    values = {thing.row: strip_markup(thing.cells[key].value) for thing in table.things if key in thing.cells}
    often = Counter(values.values())
    return {row: value for row, value in values.items() if often[value] == 1 and _VALUE.fullmatch(value)}


@lru_cache(maxsize=_CALLS)
def _written(name: str) -> re.Pattern[str]:
    return re.compile(rf"(?<!\w){re.escape(name)}(?!\w)")


@lru_cache(maxsize=_CALLS)
def _inflected(name: str) -> re.Pattern[str]:
    """Return what finds a noun in any case, also of several: tea, bicycles, berries, children."""
    irregular = [form for form, base in BASE_OF.items() if base == name.casefold()]
    forms = [f"{re.escape(name)}(?:e?s)?", *irregular, *([f"{name[:-1]}ies"] if name.endswith("y") else ())]
    return re.compile(rf"(?<!\w)(?:{'|'.join(forms)})(?!\w)", re.IGNORECASE)


def _labelled(name: str, sentence: str) -> re.Match[str] | None:
    """Return where a sentence begins with a name as a label, or has it before "one"."""
    found = _inflected(name).finditer(sentence)
    return next((one for one in found if _is_label(sentence, one) or _ONE.match(sentence, one.end())), None)


def _find_the_one(name: str, sentence: str) -> re.Match[str] | None:
    """Return where a sentence has a name behind a definite article, or as a label."""
    found = _inflected(name).finditer(sentence)
    return next((one for one in found if is_definite(sentence, one) or _is_label(sentence, one)), None)


def _is_label(sentence: str, found: re.Match[str]) -> bool:
    is_first = not sentence[: found.start()].strip(" \t-*•")
    return is_first and _LABEL.match(sentence, found.end()) is not None


def is_definite(sentence: str, found: re.Match[str]) -> bool:
    """Return whether a word of a sentence follows a definite article, so that one thing is meant."""
    return _DEFINITE.search(sentence[: found.start()]) is not None


def _is_meant(name: str, sentence: str, found: re.Match[str]) -> bool:
    if _is_label(sentence, found):
        return True
    if is_common_word(name):
        return is_definite(sentence, found)
    if _INDEFINITE.search(sentence[: found.start()]):
        return False
    is_written = found[0][0].isupper() and found[0][1:].islower()
    return is_written or is_definite(sentence, found) or len(sentence.split()) <= _MAX_NOTE_WORDS
