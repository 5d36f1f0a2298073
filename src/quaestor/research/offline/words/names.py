"""Quoted titles, and names: capitalised words and identifiers, wherever they stand in a text."""

import re
from collections.abc import Iterator, Sequence

from quaestor.evidence.months import month_number
from quaestor.evidence.stopwords import ENGLISH
from quaestor.evidence.tokenization import content_terms
from quaestor.research.offline.words.courtesy_titles import courtesy_title_starts
from quaestor.research.offline.words.field_names import field_words
from quaestor.research.offline.words.german_nouns import part_nouns
from quaestor.research.reports.languages import function_words, report_language

QUOTE_MARKS = {
    '"': '"',
    "“": "”",
    "„": "“",
    "«": "»",
    "「": "」",
    "『": "』",
    "《": "》",
    "\u2018": "\u2019",
    "'": "'",
}
_OPENING_QUOTE = re.compile(f"[{''.join(QUOTE_MARKS)}]")
_THOUSANDS = r"\d{1,3}(?:,\d{3})+(?!\w)"
_CAPITAL = r"[A-Z\u00c0-\u00de]"
_INITIAL = rf"(?<!\w){_CAPITAL}\.(?= ?{_CAPITAL})"
_INITIALS = re.compile(rf"{_INITIAL} ?")
_AFTER_INITIAL = re.compile(rf"(?<!\w){_CAPITAL}\. ?\Z")
OPTION = r"(?<![\w-])--[a-z][a-z0-9]*(?:-[a-z0-9]+)*(?!\w)"
"""An option of a program as it is written on the command line."""
_TOKEN = re.compile(
    rf"{OPTION}|{_THOUSANDS}|(?<![\w:])\d{{1,2}}:\d\d(?![\w:])|{_INITIAL}|[^\W_][\w&]*(?:['\u2019.\-_/][^\W_]\w*)*(?:\(\))?"
)
_NAME_CONNECTOR = re.compile(r"(?: (?:of|de|del|van|von|der|da|di|du|the|la|and the))? |(?<=\.)")
_DOTTED = re.compile(r"\w{2}\.\w{2}")
_DAY_OF_WEEK = re.compile(
    r"(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)days?|(?:Mon|Diens|Donners|Frei|Sams|Sonn)tags?|Mittwochs?"
)
_DAY_OF_MONTH = re.compile(r"\d{1,2}")
_ON_A_DAY = re.compile(r"\b(?:on|this|next|last|every|each|am|diesen|jeden) \Z", re.IGNORECASE)
_ASKED_NOUN = re.compile(r"\b(?:which|what) $", re.IGNORECASE)
IMPERATIVE_VERBS = frozenset(
    [
        "explain",
        "describe",
        "compare",
        "list",
        "give",
        "find",
        "tell",
        "summarise",
        "summarize",
        "name",
        "show",
        "discuss",
        "outline",
    ]
)
_QUESTION_WORD_WIDTH = 7
_ABBREVIATION_LAST = re.compile(r"[^\W\d_]+\.\s*\Z")
_SMALL_WORDS = re.compile(r" (?:of|the|and|in|on|for)(?: the)? ")
_GERMAN_ARTICLES = re.compile(r" d(?:er|ie|as|es|em|en) ")
_YEAR_BEHIND = re.compile(r"(?P<name>\D+) (?P<year>(?:1[5-9]|20)\d\d)")
_FOREIGN_OF = re.compile(r"(?:von|vom|des|de|del|du|di) ")
_WORD = re.compile(r"\S+")
_IDENTIFIER = re.compile(rf"[\w.]*\w(?:_\w|\.[a-z])[\w.]*(?:\(\))?|{OPTION}")


def name_parts(name: str, language: str | None = None) -> tuple[str, ...]:
    """Return the names that stand side by side in one: "Delegate of PEP 566" names two, as does "ExitStack pop_all".

    In German every noun has a capital, so an article parts two of them.
    """
    joins = _GERMAN_ARTICLES.split(name) if language == "de" else (name,)
    parts = (part for one in joins for joined in _split_at_small_words(one) for part in _split_at_identifiers(joined))
    return tuple(part for part in parts if content_terms(part))


def parted_from_year(name: str, language: str | None = None) -> tuple[str, ...]:
    """Return a name of several words and the year behind it, in which something was: "Stefan Huber 2025".

    In German one word is enough, since every noun has a capital; but that of a month.
    """
    found = _YEAR_BEHIND.fullmatch(name)
    if found is None or (" " not in found["name"] and (language != "de" or month_number(found["name"]))):
        return (name,)
    return found["name"], found["year"]


def without_initials(name: str) -> str:
    """Return a name without the initials that many texts leave out: "Booker Washington"; "J. Hale" is whole."""
    bare = _INITIALS.sub("", name)
    return name if " " not in bare and name.count(".") == 1 else bare


def _split_at_small_words(name: str) -> list[str]:
    """Part a name at small words, at those of other languages only behind a word for a field: "Autor von"."""
    first, _, rest = name.partition(" ")
    of = _FOREIGN_OF.match(rest)
    if of and field_words().issuperset(content_terms(first)):
        return [first, *_SMALL_WORDS.split(rest[of.end() :])]
    return _SMALL_WORDS.split(name)


def _split_at_identifiers(name: str) -> Iterator[str]:
    """Yield the identifiers among the words of a name, and the words between them as they stand."""
    place = 0
    for match in _WORD.finditer(name):
        if _IDENTIFIER.fullmatch(match[0]):
            yield name[place : match.start()].strip()
            yield match[0]
            place = match.end()
    yield name[place:].strip()


def mask_quotes(text: str) -> str:
    """Blank out what is quoted, marks included, without moving anything."""
    for start, end in quoted_spans(text):
        text = text[:start] + "\0" * (end - start) + text[end:]
    return text


def quoted_spans(text: str) -> Iterator[tuple[int, int]]:
    """Return the spans of quoted text, marks included; what is quoted within a quote belongs to it."""
    place = 0
    while opening := _OPENING_QUOTE.search(text, place):
        start = opening.start()
        end = _closing_quote(text, start)
        if end is not None:
            yield start, end
        place = start + 1 if end is None else end


def _closing_quote(text: str, start: int) -> int | None:
    mark = QUOTE_MARKS[text[start]]
    if text[start] in "'\u2018" and start and text[start - 1].isalnum():
        return None
    end = text.find(mark, start + 1)
    while end > 0 and mark in "'\u2019" and text[end + 1 : end + 2].isalnum():
        end = text.find(mark, end + 1)
    return end + 1 if end > start + 1 else None


def find_names(text: str) -> Iterator[str]:
    """Return the names of a text: capitalised words with numbers and small words between them, and identifiers."""
    titles = courtesy_title_starts(text)
    tokens = [token for token in _TOKEN.finditer(text) if token.start() not in titles]
    run: list[re.Match[str]] = []
    for place, token in enumerate(tokens):
        first = _is_plain_sentence_start(text, tokens[place : place + 2])
        is_initial = token.group().endswith(".")
        is_name = is_initial or _is_name(token.group(), first=first)
        if run and not is_name:
            is_name = _goes_on(text, run[-1], token) or _is_dated(text, run[-1], token)
        if not is_name:
            continue
        if (
            not run
            and _ASKED_NOUN.search(text[max(0, token.start() - _QUESTION_WORD_WIDTH) : token.start()])
            and not text[token.end() :].lstrip()[:1].isdigit()
        ):
            continue
        if run and (_is_of_a_day(text, run, token) or not _is_joined(text, run[-1], token)):
            yield from _names_of_run(text, run)
            run = []
        run.append(token)
        if place + 1 == len(tokens):
            break
    if run:
        yield from _names_of_run(text, run)


def _goes_on(text: str, last: re.Match[str], token: re.Match[str]) -> bool:
    """Return whether a word with a capital right behind a name is its last one, though it is a small word elsewhere.

    Kim and Olan are such words in Turkish.
    """
    is_behind = text[last.end() : token.start()] == " " and token.group().istitle()
    return is_behind and token.group().casefold() not in ENGLISH


def _is_joined(text: str, last: re.Match[str], token: re.Match[str]) -> bool:
    """Return whether two words that may be a name stand together as one."""
    return _NAME_CONNECTOR.fullmatch(text, last.end(), token.start()) is not None or _is_dated(text, last, token)


def _is_dated(text: str, last: re.Match[str], token: re.Match[str]) -> bool:
    """Return whether a number is the day of the month behind it, as German writes it: "22. Juni"."""
    is_ordinal = _DAY_OF_MONTH.fullmatch(last.group()) and text[last.end() : token.start()] == ". "
    return bool(is_ordinal) and month_number(token.group()) is not None


def _is_of_a_day(text: str, run: Sequence[re.Match[str]], token: re.Match[str]) -> bool:
    """Return whether a name is but the day on which something is, and the next word another one: on Thursday Arabic.

    Black Friday and the Sunday Times are names; the number behind a day is that of the month.
    """
    if len(run) > 1 or _DAY_OF_WEEK.fullmatch(run[0].group()) is None:
        return False
    is_dated = token.group()[0].isdigit() and text[run[0].end() : token.start()] == " "
    return is_dated or _ON_A_DAY.search(text, 0, run[0].start()) is not None


def _names_of_run(text: str, run: Sequence[re.Match[str]]) -> Iterator[str]:
    start, end = run[0].start(), run[-1].end()
    is_german = len(run) > 1 and report_language(text) == "de"
    for first, last in part_nouns(text, start, end) if is_german else ((start, end),):
        yield re.sub(r"['\u2019]s$", "", text[first:last])


def _is_name(token: str, *, first: bool) -> bool:
    bare = re.sub(r"['\u2019]s$", "", token)
    if not content_terms(bare) or re.fullmatch(_THOUSANDS, bare):
        return False
    inner = bare.startswith("--") or any(letter.isupper() for letter in bare[1:])
    coded = any(letter.isdigit() for letter in bare) or "_" in bare or "()" in bare or _DOTTED.search(bare) is not None
    return inner or coded or (bare[0].isupper() and not first)


def _is_plain_sentence_start(text: str, tokens: Sequence[re.Match[str]]) -> bool:
    """Return whether a text is a mere first word of a sentence, and not the first word of a longer name."""
    if not _is_sentence_start(text, tokens[0].start()):
        return False
    if tokens[0].group() in function_words(text):
        return True
    name_goes_on = (
        len(tokens) > 1
        and text[tokens[0].end() : tokens[1].start()] == " "
        and _is_name(tokens[1].group(), first=False)
    )
    return not name_goes_on or tokens[0].group().casefold() in IMPERATIVE_VERBS


def _is_sentence_start(text: str, start: int) -> bool:
    if not text[:start].strip(" ¿¡("):
        return True
    if _AFTER_INITIAL.search(text, 0, start):
        return False
    return text[:start].rstrip()[-1:] in ".?!:" and not _follows_courtesy_title(text, start)


def _follows_courtesy_title(text: str, place: int) -> bool:
    before = _ABBREVIATION_LAST.search(text, 0, place)
    return before is not None and before.start() in courtesy_title_starts(text)
