"""Which words of a question a text holds: also those written otherwise, and no parts of other names."""

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations, pairwise
from urllib.parse import unquote

from quaestor.contracts.source import Source, TablePlace
from quaestor.evidence.hyphenated_words import joined_forms
from quaestor.evidence.retrieval.document_names import file_name
from quaestor.evidence.spelling import COMPOUNDING, SHORTEST_HEAD
from quaestor.evidence.stemming import detect_language, held_stems, stemmed_terms
from quaestor.evidence.stopwords import function_words_of
from quaestor.evidence.tokenization import Word, sentence_spans, terms, words
from quaestor.research.offline.words.aliases import Alias
from quaestor.research.offline.words.clock_times import holds_time
from quaestor.research.offline.words.dates import holds_date, parse_partial_date
from quaestor.research.offline.words.held_numbers import (
    dates_above,
    numbers_of_others,
    releases_held,
    versions_of_others,
)
from quaestor.research.offline.words.measures import asks_for_number, tells_number_of
from quaestor.research.offline.words.names import without_initials
from quaestor.research.offline.words.other_writings import (
    holds_decade,
    holds_degree,
    holds_numbered_release,
    holds_ordinal_name,
)
from quaestor.research.offline.words.row_words import is_in_two_cells, is_version_of_row, own_words
from quaestor.research.offline.words.wording import AskedWord, asked_language

_SPOKEN_NAME = re.compile(r"[^\W\d_](?:[^\W\d_]|[-'\u2019])*(?: [^\W\d_](?:[^\W\d_]|[-'\u2019])*){1,2}")
"""A name of two or three words of letters, as people have."""
_PARTING = re.compile(r"[,;:()|\u2013\u2014]|\b(?:and|et|y|e|en|i|or)\b|\n\s*(?:\n|[-*+\u2022>#]|\d+[.)])")
"""What stands between two names: also the end of a paragraph, and the beginning of an item."""
_NEAR_WORDS = 2
"""A word may stand between two of a name: "Ann M. Lee"."""
_SMALL_WORD = re.compile(r"(?<![^\W\d_])[^\W\d_A-Z\u00c0-\u00de][^\W\d_]*")
_NAME_PART = re.compile(r"[A-Z][a-z]+")
_CAPITAL_BEHIND = re.compile(r" [A-Z\u00c0-\u00de][a-z\u00df-\u00ff]")
_JOINED_NAME = re.compile(r"(?:[A-Z][a-z]+){2,}")
_CAPITAL_WITHIN = re.compile(r"[a-z][A-Z]")
_JOINS = re.compile(r"[\s_-]+")
"""Between the parts of a name that others write as one word."""
_ABBREVIATION = re.compile(r"(?<![\w-])[A-Z]{3,6}(?![\w-])")
_GROUP = 3
_GROUP_MARK = "[ .,'\u2019_\u00a0\u2009\u202f]"
_FILE_VERSION = re.compile(r"(?<!\d)(?<!\d[-_])\d{1,3}(?:[-_]\d{1,3})+(?![-_]?\d)")
"""As 2-0-10 in "version-2-0-10-released.md"; four digits are those of a year."""
OF_SERIES = re.compile(r"(?<![\w-])[A-Z]{2,}[- ]?0*(?P<number>\d{1,6})\Z")
"""How a name ends that is the number of a document: RFC 80, "block limits of SIMD-0256"."""
_NUMBER_FIRST = re.compile(r"(?!(?:19|20)\d\d\D)(?=\d{3,6}[-_. ])0*(?P<number>\d+)")
"""How the name of a file begins that has the number of its document: no year, and no place in a list of chapters."""
_ESCAPED = re.compile(r"\\([_*.-])")
"""As Markdown writes the marks within an identifier: x86\\_64."""


def held_terms(
    source: Source,
    heading: str,
    text: str,
    language: str | None,
    in_table: TablePlace | None = None,
    *,
    asked: Sequence[AskedWord] = (),
) -> frozenset[str]:
    """Return the terms of a text, of the heading above it and of what its document is called, with their stems.

    A row of a table holds what its columns are called, and nothing that the rows beside it say. A measure that is
    asked for is held only where its sentence holds something else that is asked: else it is the measure of another
    thing; an amount of money there tells a cost. A name that is asked in one word is held where it is written in
    several, and a month where it is a number. One of several words is none of two others: Ann Lee is not held by Ann
    Berg and Bo Lee. A small word of another language is no word of the question: in German "die" is an article.
    """
    name, called = re.split(r"[/\\]", source.uri)[-1], file_name(source.uri)
    name = name if name.startswith(called) else called
    columns = "\n".join(cell.column for cell in in_table.cells) if in_table else ""
    above = f"{source.title}\n{name}\n{_versions(name)}\n{heading}\n{columns}"
    text = _ESCAPED.sub(r"\1", unquote(text))
    other = _only_alike(f"{above}\n{text}", asked)
    around = held_stems(above, language) - dates_above(above, asked) - other
    text = own_words(text, in_table, source.uri) if in_table else text
    apart = [word for word in asked if not (in_table and is_in_two_cells(word.text, in_table))]
    stray = _stray_measures(text, asked, language) | _parts_of_other_names(text, apart, language, around)
    stray |= _small_elsewhere(text, asked, language) | numbers_of_others(text, asked, language, above)
    stray |= versions_of_others(f"{above}\n{text}", asked)
    own = (held_stems(text, language) - stray - other) | releases_held(f"{above}\n{text}", asked)
    dated = f"{source.title}\n{name}\n{heading}"
    written = (
        word
        for word in asked
        if _is_written_otherwise(word, text)
        or _is_joined(word, own, language)
        or _heads_compound(word, text, language)
        or is_dated(word, dated)
        or is_dated(word, text, f"{dated}\n{text}")
        or _is_told_by_number(word, text, asked, language)
        or _is_number_of(word, name)
        or (in_table and word.is_name and is_version_of_row(word.text, in_table))
    )
    return around.union(own, *(word.terms for word in (*written, *_abbreviated(text, asked))))


def _versions(name: str) -> str:
    """Return the versions in the name of a file as they are written elsewhere: 2.0.10."""
    return " ".join(re.sub("[-_]", ".", found) for found in _FILE_VERSION.findall(name))


def may_name(text: str, name: str, language: str | None) -> bool:
    """Return whether one sentence has all words of a person's name, and none before a capital that is another's.

    "Ruth and Max Cole" may name Ruth Cole, "The Okafors (Ada, Chidi)" Chidi Okafor, "Ann Berg and Bo Lee" no Ann Lee.
    """
    if not _SPOKEN_NAME.fullmatch(name):
        return False
    parts = [frozenset(stemmed_terms(part, language)) for part in name.split()]
    for start, end in sentence_spans(text):
        sentence = text[start:end]
        found = words(sentence)
        said = [held_stems(word.text, language) for word in found]
        lone = [
            held
            for place, held in enumerate(said)
            if not (_CAPITAL_BEHIND.match(sentence, found[place].end) and not parts[-1] & said[place + 1])
        ]
        if all(any(part <= held for held in lone) for part in parts):
            return True
    return False


def add_other_names(held: frozenset[str], task: str, others: Iterable[Alias]) -> frozenset[str]:
    """Return the terms of a text, with those of the names in a task for which it holds another one."""
    language = asked_language(task)
    return held.union(*(stemmed_terms(one.name, language) for one in others if held.issuperset(terms(one.other))))


def _parts_of_other_names(
    text: str, asked: Sequence[AskedWord], language: str | None, around: frozenset[str]
) -> frozenset[str]:
    """Return the last words of names that a text holds piece by piece, and nowhere with their pieces near each other.

    Of a name whose last word also stands around the text or in another name there, which hold it then, it is the one
    before. In German every noun is written as a name, and those of a question need not stand together.
    """
    spoken = [word for word in asked if word.is_name and _SPOKEN_NAME.fullmatch(without_initials(word.text))]
    if not spoken or language == "de":
        return frozenset()
    found = words(text)
    said = [held_stems(word.text, language) for word in found]
    scattered: list[list[frozenset[str]]] = []
    whole = around
    for name in spoken:
        parts = [frozenset(stemmed_terms(part, language)) for part in without_initials(name.text).split()]
        places = [[place for place, held in enumerate(said) if part <= held] for part in parts]
        is_near = (any(_are_one_name(text, found, a, b) for a in one for b in other) for one, other in pairwise(places))
        if all(places) and all(is_near):
            whole = whole.union(*parts)
        elif all(places):
            scattered.append(parts)
    lone = (next((part for part in reversed(parts) if not part <= whole), frozenset[str]()) for parts in scattered)
    return frozenset[str]().union(*lone).difference(*(word.terms for word in asked if word not in spoken))


def _only_alike(text: str, asked: Sequence[AskedWord]) -> frozenset[str]:
    """Return the index terms of options of programs, and of names with a capital within, that a text has not as such.

    "Global options" are not `--global-option`, "destinations" are no `--destination`, and PyPI is not PyPy.
    """
    options = {word for word in asked if word.text.startswith("--")}
    names = {word for word in asked if word.text.isalpha() and _CAPITAL_WITHIN.search(word.text)}
    said = text.casefold() if options or names else ""
    joined = _JOINS.sub("", said) if names else ""
    lone = [word.terms for word in options if not _has_word(said, word.text.removeprefix("--").casefold())]
    lone += [word.terms for word in names if word.text.casefold().removesuffix("s") not in joined]
    return frozenset[str]().union(*lone).difference(*(word.terms for word in asked if word not in options | names))


def _has_word(text: str, word: str) -> bool:
    return re.search(rf"(?<![^\W_]){re.escape(word)}(?![^\W_])", text) is not None


def _are_one_name(text: str, found: Sequence[Word], one: int, other: int) -> bool:
    """Return whether the words at two places are parts of one name in their order, or in that of a list: "Lee, Ann".

    In "Bo Lee, Ann Berg" they are of two.
    """
    if one == other:  # Brandt-Olsen
        return True
    if 0 < other - one <= _NEAR_WORDS:
        start, end = found[one].end, found[other].start
        return _PARTING.search(text, start, end) is None and (
            "\n" not in text[start:end] or _is_wrapped(text, start, end)
        )
    if one - other != 1 or text[found[other].end : found[one].start].strip() != ",":
        return False
    before = text[found[other - 1].start : found[other].start] if other else ""
    after = text[found[one].end : found[one + 1].end] if one + 1 < len(found) else ""
    return not any(_PARTING.search(beside) is None and beside.strip()[:1].isupper() for beside in (before, after))


def _is_wrapped(text: str, start: int, end: int) -> bool:
    """Return whether the lines that end between two places are those of prose: names alone are rows of a list."""
    lines = text[text.rfind("\n", 0, start) + 1 : start], text[end:].partition("\n")[0]
    return all(_SMALL_WORD.search(line) for line in lines)


def _small_elsewhere(text: str, asked: Sequence[AskedWord], language: str | None) -> frozenset[str]:
    """Return the index terms of words that are small ones in the language of a text, if that is another one."""
    spoken = detect_language(text)
    if spoken in {None, language}:
        return frozenset()
    small = function_words_of(spoken)
    return frozenset[str]().union(*(word.terms for word in asked if not word.is_name and word.terms <= small))


def is_dated(word: AskedWord, text: str, above: str = "") -> bool:
    """Return whether a text holds a date in any form: May 2016 by 2016-05-07, and by 22.06. where its year is above."""
    when = parse_partial_date(word.text)
    is_of_its_year = when is not None and re.search(rf"(?<!\d){when.year}(?!\d)", above) is not None
    return when is not None and holds_date(text, when, is_of_its_year=is_of_its_year)


def _is_number_of(word: AskedWord, name: str) -> bool:
    """Return whether a file begins with the number of a series that a word names: RFC 80 is 0080-lids.md."""
    asked, own = OF_SERIES.fullmatch(word.text), _NUMBER_FIRST.match(name)
    return asked is not None and own is not None and asked["number"] == own["number"]


def _is_written_otherwise(word: AskedWord, text: str) -> bool:
    """Return whether a text writes a word otherwise.

    Fitz Roy and FitzRoy, AGM and Annual General Meeting, 8.5.2024 and 8 May, the Eighth and VIII, eighties and 1980s,
    cheap and cheapest, 12000 and 12 000, Ember 6 and Ember v6.
    """
    if _is_spelled_out(word, text):
        return True
    if (
        _holds_grouped(text, word.text)
        or holds_time(text, word.text)
        or (word.is_name and (holds_ordinal_name(text, word.text) or holds_numbered_release(text, word.text)))
    ):
        return True
    if not word.is_name and (holds_decade(text, word.text) or holds_degree(text, word.text)):
        return True
    if not _JOINED_NAME.fullmatch(word.text):
        return False
    return re.search(rf"\b{'[ -]'.join(_NAME_PART.findall(word.text))}\b", text) is not None


def _abbreviated(text: str, asked: Sequence[AskedWord]) -> Iterator[AskedWord]:
    """Yield the words that follow each other in a question and whose initials a text has: "AGM"."""
    short = frozenset(_ABBREVIATION.findall(text))
    initials = ["".join(piece[0] for piece in word.text.split()).upper() for word in asked] if short else []
    for start, end in combinations(range(len(initials) + 1), 2):
        if "".join(initials[start:end]) in short:
            yield from asked[start:end]


def _is_spelled_out(word: AskedWord, text: str) -> bool:
    """Return whether a text has the name that an abbreviation is made of; small words are seldom one."""
    if not _ABBREVIATION.fullmatch(word.text):
        return False
    return re.search(rf"\b{'[ -]'.join(f'{initial}[a-z]+' for initial in word.text)}\b", text) is not None


def _holds_grouped(text: str, number: str) -> bool:
    """Return whether a text has a number of four digits or more with a mark between each three: 2 500 000, 12.000."""
    if not (number.isdigit() and len(number) > _GROUP):
        return False
    first = len(number) % _GROUP or _GROUP
    groups = (number[:first], *(number[at : at + _GROUP] for at in range(first, len(number), _GROUP)))
    return re.search(rf"(?<![\d.,]){_GROUP_MARK.join(groups)}(?![\d])", text) is not None


def _heads_compound(word: AskedWord, text: str, language: str | None) -> bool:
    """Return whether a text has a compound whose last part, its kind, is a word: Gewicht of Körpergewicht."""
    if language not in COMPOUNDING or not word.text.isalpha() or len(word.text) < SHORTEST_HEAD:
        return False
    return re.search(rf"[^\W\d_]{{3,}}{re.escape(word.text)}\b", text, re.IGNORECASE) is not None


def _is_joined(word: AskedWord, held: frozenset[str], language: str | None) -> bool:
    """Return whether a text with these index terms writes a word with a hyphen as one, as wifi of Wi-Fi."""
    joined = () if " " in word.text else joined_forms(word.text)
    return bool(joined) and held.issuperset(stemmed_terms(joined[0], language))


def _is_told_by_number(word: AskedWord, text: str, asked: Sequence[AskedWord], language: str | None) -> bool:
    """Return whether an amount of money tells a cost, or a number a telephone, beside another word that is asked.

    That stands in its sentence or the one before, as the label of an item does.
    """
    if not asks_for_number(word.text):
        return False
    others = frozenset[str]().union(*(other.terms for other in asked if other is not word))
    spans = sentence_spans(text)
    for before, (start, end) in zip((spans[:1] + spans)[:-1], spans, strict=True):
        if tells_number_of(word.text, text[start:end]) and held_stems(text[before[0] : end], language) & others:
            return True
    return False


def _stray_measures(text: str, asked: Sequence[AskedWord], language: str | None) -> frozenset[str]:
    """Return the measures asked for that stand in no sentence with another word that is asked."""
    others = frozenset[str]().union(*(word.terms - word.measures for word in asked))
    measures = frozenset[str]().union(*(word.measures for word in asked)) - others
    sentences = (held_stems(text[start:end], language) for start, end in (sentence_spans(text) if measures else ()))
    return measures.difference(*(held for held in sentences if held & others))
