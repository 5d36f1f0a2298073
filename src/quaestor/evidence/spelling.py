"""Words that may be misspelt, and the words of a text that they are near to."""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache

from quaestor.evidence.irregular_forms import BASE_OF
from quaestor.evidence.normalization import normalize
from quaestor.evidence.stopwords import word_set
from quaestor.evidence.tokenization import content_terms, fold_letters, terms

_WORD = re.compile(r"[^\W\d_]+")
_QUOTED = re.compile(r"\"[^\"]*\"|\u201c[^\u201d]*\u201d|\u00ab[^\u00bb]*\u00bb|\u201e[^\u201c]*\u201c")
_SHORTEST = 5
"""Letters; a shorter word is near to too many others, and one as short to all that differ in a letter."""
_LONG = 8
"""Letters from which on a word may differ twice."""
_VERY_LONG = 12
"""Letters from which on two edits make another word of no language."""
_SHORTEST_PART = 2
"""Letters of the first part of a word: re of re-apply."""
SHORTEST_HEAD = 5
"""Letters of the last part of a compound; shorter words end many others that are none of their kind."""
COMPOUNDING = frozenset({"de", "nl"})
"""Languages that write compounds as one word."""
_NEIGHBOURS = re.compile(
    r"(?<![\w'\u2019-])(?=(?P<one>[^\W\d_]+)(?P<mark>[ \u2010\u2011-])(?P<two>[^\W\d_]+)(?![\w-]))[^\W\d_]+"
)
_PARTICIPLE = re.compile(
    r"(?P<before>ab|an|auf|aus|bei|ein|fest|frei|her|hin|los|mit|nach|um|vor|weg|zu|zurück|zusammen)?"
    r"ge(?P<stem>[a-zäöüß]{3,}?)(?:e?t|en)"
)
"""A German participle: gespendet of spenden, angemeldet of anmelden."""
_ENDINGS = word_set(
    """
    able al ally ance ant ary ate ation ator ed ence ent er ers es ible ic ing ings ion ions ism ist ity ive ize ly ment
    ments ness or ors ory ous s ure
    """
)
"""What English words end in behind a stem; two words that differ in nothing else are two."""
_PREFIXES = frozenset({"ver", "ent", "zer", "miss", "ont"})
"""Beginnings of German and Dutch words that are no words: Versicherung is no kind of Sicherung."""
_REPEATED = re.compile(r"(.)\1+")
_MAX_ENDING = 5
"""Letters that the stem of a word may lack at its end."""


def doubtful_words(text: str) -> tuple[str, ...]:
    """Return the words of a text whose spelling may be doubted, each once; quoted words are taken as written."""
    bare = _QUOTED.sub(" ", text)
    found = (word for word in _WORD.findall(bare) if len(word) >= _SHORTEST and content_terms(word))
    return tuple(dict.fromkeys(found))


def allowed_distance(word: str) -> int:
    """Return in how many letters another word may differ from a word."""
    return 2 if len(word) >= _LONG else 1


def stem_distance(term: str, word: str) -> int | None:
    """Return how far an index term is from the beginning of a word; None where no word near to it has that term."""
    plain = _fold(word)
    if term[:1] != plain[:1] or not len(plain) - _MAX_ENDING <= len(term) <= len(plain) + allowed_distance(word):
        return None
    # The term is a stem: it is compared with every beginning of the word, since the ending was taken off; y became i.
    distance = min(*_last_row(term, plain), *(_last_row(term, f"{plain[:-1]}i") if plain.endswith("y") else ()))
    for form in _irregular_forms().get(term, ()):  # which have no ending
        distance = min(distance, _last_row(form, plain)[-1])
    return distance if distance <= allowed_distance(word) else None


@cache
def _irregular_forms() -> Mapping[str, Sequence[str]]:
    """Return the irregular forms of words by the index term that all forms of a word have."""
    forms: dict[str, list[str]] = defaultdict(list)
    for form in BASE_OF:
        forms[terms(form)[0]].append(form)
    return forms


def with_ending_of(word: str, term: str) -> str:
    """Return the form of an index term that ends as a misspelt word does: support and suporting make supporting.

    Of a name with a capital within it is the word, and so it is where nothing that ends a word is left: change and
    ChatGPT, there and tiered make nothing that anybody means.
    """
    row = _last_row(term, _fold(word))
    ending = word[row.index(min(row)) :]
    return f"{term}{ending}" if word[1:].islower() and (not ending or ending in _ENDINGS) else word


def near_words(text: str, word: str) -> Iterator[tuple[int, str]]:
    """Yield the words of a text that are near to a word, with the same first letter, each with its distance."""
    plain = _fold(word)
    most = allowed_distance(word)
    for other in dict.fromkeys(_WORD.findall(text)):
        folded = _fold(other)
        if folded[:1] == plain[:1] and abs(len(folded) - len(plain)) <= most and content_terms(other):
            distance = _last_row(folded, plain)[-1]
            if 0 < distance <= most and not _is_another_word(folded, plain, distance):
                yield distance, other


def is_surely_meant(word: str, other: str) -> bool:
    """Return whether a word is so near to another one that it stands for it even where that is a common word.

    A long word that differs once is, and one whose neighbours are swapped, or of which a letter is doubled or is not; a
    name is not, as another may be called so.
    """
    one, two = _fold(word), _fold(other)
    if not word.islower() or _last_row(two, one)[-1] != 1:
        return False
    return len(one) >= _LONG or (len(one) == len(two) and _replaced(one, two) != 1) or is_doubling(word, other)


def is_doubling(word: str, other: str) -> bool:
    """Return whether two words differ in nothing but letters that are doubled: acount and account."""
    one, two = (_REPEATED.sub(r"\1", _fold(each)) for each in (word, other))
    return one == two


def may_be_meant(word: str, other: str, *, has_capitals: bool) -> bool:
    """Return whether a word may stand for another one in a language whose common words are not known here.

    A short one that differs in one letter is rather a word of its own (halten, haften), also one of five letters that
    lacks one (coûté, côté), or of less than twelve that differs twice (commence, commune), and what is written with a
    capital is rather a name, unless all nouns are.
    """
    is_name = word.islower() and not other.islower() and not has_capitals
    one, two = _fold(word), _fold(other)
    if len(one) >= _LONG:
        is_own = len(one) < _VERY_LONG and _last_row(two, one)[-1] > 1
    else:
        is_own = _replaced(one, two) == 1 or (len(one) == _SHORTEST and len(one) != len(two))
    return not is_name and (not is_own or is_doubling(word, other))


def is_misspelt(word: str, meant: Iterable[str]) -> bool:
    """Return whether a word is one of others with a letter left out, or with two neighbours swapped: wich, waht.

    The first letter is right, and of a word of three letters none is left out.
    """
    plain = _fold(word)
    return any(one[:1] == plain[:1] and plain in _misspellings(one) for one in meant)


def _misspellings(word: str) -> Iterator[str]:
    for place in range(1, len(word)):
        if len(word) >= _SHORTEST - 1:
            yield word[:place] + word[place + 1 :]
        if place + 1 < len(word) and word[place] != word[place + 1]:
            yield word[:place] + word[place + 1] + word[place] + word[place + 2 :]


def joined_words(text: str) -> Iterator[tuple[str, str]]:
    """Yield two neighbours of a text, or the two parts of a word with a hyphen, and the word that both are as one."""
    for found in _NEIGHBOURS.finditer(_QUOTED.sub(" ", text)):
        one, mark, two = found["one"], found["mark"], found["two"]
        if mark != " " or (content_terms(one) and content_terms(two)):
            yield f"{one}{mark}{two}", f"{one}{two.casefold()}"


def parted_words(word: str) -> Iterator[tuple[str, str]]:
    """Yield the ways in which a word may be two."""
    return ((word[:place], word[place:]) for place in range(_SHORTEST_PART, len(word) - _SHORTEST_PART + 1))


def find_parted(text: str, one: str, two: str) -> str | None:
    """Return two words as they follow each other in a text, if both tell something: "not able" is not notable."""
    if min(len(one), len(two)) <= _SHORTEST_PART or not (content_terms(one) and content_terms(two)):
        return None
    found = re.search(rf"(?<!\w){re.escape(one)} {re.escape(two)}(?!\w)", text, re.IGNORECASE)
    return found[0] if found else None


def compound_heads(word: str) -> tuple[str, ...]:
    """Return the words that may end a compound, the longest first: Beitrag of Jahresbeitrag."""
    places = range(_SHORTEST_PART + 1, len(word) - SHORTEST_HEAD + 1)
    heads = (word[place:] for place in places if word[:place].casefold() not in _PREFIXES)
    return tuple(head.capitalize() if word[:1].isupper() else head for head in heads)


def participle_verbs(word: str) -> tuple[str, ...]:
    """Return the German verb of which a word in small letters has the form of a participle: ablehnen of abgelehnt."""
    found = _PARTICIPLE.fullmatch(word)
    ending = "n" if found and found["stem"].endswith(("er", "el")) else "en"
    return (f"{found['before'] or ''}{found['stem']}{ending}",) if found else ()


def replace_words(text: str, replaced: Iterable[tuple[str, str]]) -> str:
    """Return a text with other words in the place of some."""
    for word, other in replaced:
        text = re.sub(rf"(?<![^\W\d_]){re.escape(word)}(?![^\W\d_])", other, text)  # of letters alone
    return text


def _is_another_word(one: str, other: str, distance: int) -> bool:
    """Return whether two near words are rather two words: two letters are replaced, or one of a short word.

    Who misspells leaves out, doubles and swaps letters: "repeated" is not meant by "rejected".
    """
    if _are_derived(one, other):
        return True
    replaced = _replaced(one, other)
    return replaced == distance and (replaced > 1 or len(other) <= _SHORTEST)


def _are_derived(one: str, other: str) -> bool:
    """Return whether two words have another ending behind the same letters: connector, connection.

    Who misspells an ending writes it with another vowel: independant, visable.
    """
    apart = (place for place, (a, b) in enumerate(zip(one, other, strict=False)) if a != b)
    shared = next(apart, min(len(one), len(other)))
    ends = one[shared:], other[shared:]
    return ends[0][1:] != ends[1][1:] and _ENDINGS.issuperset(ends)


def _replaced(one: str, other: str) -> int:
    """Return in how many letters two words differ, each at the same place; 0 for words of other lengths."""
    return sum(a != b for a, b in zip(one, other, strict=True)) if len(one) == len(other) else 0


def _fold(word: str) -> str:
    return fold_letters(normalize(word))


def _last_row(one: str, other: str) -> list[int]:
    """Return the edit distances (insert, delete, replace, swap of neighbours) of a word to every beginning of another.

    The last is that to the whole word.
    """
    before: list[int] = []
    row = list(range(len(other) + 1))
    for place, letter in enumerate(one, 1):
        before, last, row = row, before, [place]
        for column, against in enumerate(other, 1):
            cost = min(before[column] + 1, row[column - 1] + 1, before[column - 1] + (letter != against))
            swapped = place > 1 and column > 1 and letter == other[column - 2] and one[place - 2] == against
            row.append(min(cost, last[column - 2] + 1) if swapped else cost)
    return row
