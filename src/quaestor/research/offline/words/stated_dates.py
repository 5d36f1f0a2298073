"""Whether a sentence states on what date that happened which a question asks for, or only has its words and a date.

From its first word to the last one that is asked, or the date, a sentence that states it has the words of the question,
the date and few others: those that change nothing of what they say. All else declines: "the report on the flood was
printed in 1910" does not date the flood. The sentence is shown all the same, so that declining costs little.
"""

import re
from collections.abc import Iterable, Sequence

from quaestor.contracts.immutable import Immutable
from quaestor.evidence.stemming import held_stems
from quaestor.research.offline.words.dates import PartialDate
from quaestor.research.offline.words.statement_words import StatementWords, statement_words
from quaestor.research.offline.words.wording import AskedWord

_WORD = re.compile(r"\w+")
_QUOTE = re.compile("[\"\u201c\u201d\u201e\u00ab\u00bb\u2018]|^'")
_STOP = re.compile(r"[:;|!\u2026]")
"""What parts two statements of one sentence, or the cells of a row, which are looked up under their headers."""
_MARK = re.compile(r"\s*[.,;:()]|\s[\u2013\u2014-]\s")
_REMARK = re.compile(r"\s*\([^()]*[^\W\d_]{2,}\s[^()]*\)")
"""A remark of several words behind a statement: "(see the postcard, which is a montage)"."""
_NEAR_DATE = re.compile(
    r"\b(?:spring|summer|autumn|winter|beginning|end|middle|year|printemps|été|automne|hiver|année|an|primavera|verano"
    r"|otoño|invierno|año|día|estate|autunno|inverno|anno|verão|outono|ano|dia|frühjahr|frühling|sommer|herbst|jahre?"
    r"|anfang|mitte|ende|voorjaar|zomer|herfst|jaar|(?:mon|tues|wednes|thurs|fri|satur|sun)day|(?:mon|diens|donners|frei|sams|sonn)tag"
    r"|mittwoch|lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche|lunes|martes|miércoles|jueves|viernes|sábado"
    r"|domingo),?(?: (?:of|de|del|van))?(?: (?:the|dem|den|le|el))? \Z",
    re.IGNORECASE,
)
"""A season, a year or a day of the week before a date; the date is not that of another thing."""
_YEAR_AFTER = re.compile(r"\s(?:году|года|г\.)")  # noqa: RUF001 (Russian)
_NAME = r"[A-Z\u00c0-\u00de][\w'\u2019-]*"
_ASIDE = re.compile(
    rf"\b(?:(?:by|von|vom|durch|par|por|door)\s(?:(?:the|der|dem|den|le|la|el|de|het)\s)?{_NAME}"
    rf"(?:\s(?:(?:of|von|de|van)\s)?{_NAME}){{0,4}}|(?:in|at|en|à|em|te)\s{_NAME}(?:\s{_NAME}){{0,2}})(?=\s)"
)
"""By whom or where it was done, in names alone, which tell of nothing else that was done."""
_GERMAN = "de"
_GERMAN_PRESENT = re.compile(r"wann (?!hat |ist )\w+t\b")
"""A verb that asks in the present, but for the few of the past that end so: wann beginnt, wann erhielt."""
_UNSAID = frozenset(
    {"do", "does", "did", "will", "when", "what", "which", "year", "date", "day", "month", "time", "at"}
)
"""What an English question has beside its first word and its statement has not."""


class _Question(Immutable):
    """What a question asks for, its own words casefolded, and the small words of its language."""

    asked: tuple[AskedWord, ...]
    said: tuple[str, ...]
    language: str | None
    small: StatementWords

    @property
    def asks_for_plan(self) -> bool:
        """Whether it asks for what is to come."""
        is_present = self.language == _GERMAN and _GERMAN_PRESENT.match(" ".join(self.said)) is not None
        return is_present or not self.small.planning.isdisjoint(self.said)

    def asks_for(self, word: str) -> bool:
        """Return whether a word of a sentence is one that is asked for, in whatever form."""
        terms = frozenset[str]().union(*(one.terms.union(*one.pieces) for one in self.asked))
        return bool(terms & held_stems(word, self.language))


class _Head(Immutable):
    """The beginning of a sentence up to the last of the date and the words that are asked."""

    text: str
    before: tuple[str, ...]
    """The words before the date, casefolded."""
    after: tuple[str, ...]
    """Those behind it."""
    order: tuple[AskedWord, ...]
    """What is asked, as it comes in the sentence."""

    @property
    def words(self) -> tuple[str, ...]:
        """The words but those of the date."""
        return self.before + self.after


def states_date(text: str, when: PartialDate, asked: Sequence[AskedWord], question: str, language: str | None) -> bool:
    """Return whether a sentence says without reserve that what is asked came about on a date.

    It holds the date and every word that is asked. What is to come is only planned: a later text may put it off in any
    words.
    """
    of = _Question(asked=tuple(asked), said=_words(question), language=language, small=statement_words(language))
    head = _read(text, when, of)
    return (
        not of.asks_for_plan
        and _holds_nothing_else(head, of)
        and _holds_small_verbs(head, of)
        and "?" not in text
        and (not _QUOTE.search(text) or _QUOTE.search(question) is not None)
        and _leads_to_date(head.before, of)
        and _keeps_order(head.order, of.asked)
        and _has_asked_forms(head.words, of)
        and _is_whole(text[len(head.text) :], of.small)
    )


def is_taken_back(beside: Iterable[str], language: str | None) -> bool:
    """Return whether a sentence beside a statement may take it back: "So says the plate", "and closed again in May"."""
    retelling = statement_words(language).retelling
    return any(not retelling.isdisjoint(_words(sentence)) for sentence in beside)


def is_fictional(above: Iterable[str], language: str | None) -> bool:
    """Return whether a heading or a title says that what is below it is a tale or a guess: "Dates still to check"."""
    fictional = statement_words(language).fictional
    return any(not fictional.isdisjoint(_words(heading)) for heading in above)


def _words(text: str) -> tuple[str, ...]:
    return tuple(_WORD.findall(text.casefold()))


def _read(text: str, when: PartialDate, of: _Question) -> _Head:
    start, end = _date_span(text, when)
    order: list[AskedWord] = []
    last = end
    for word in _WORD.finditer(text):
        held = held_stems(text[: word.end()], of.language)
        if new := [one for one in of.asked if one not in order and one.stands_in(held)]:
            order += new
            last = max(end, word.end())
    before, after = _without_asides(text[:start], text[end:last])
    return _Head(text=text[:last], before=_words(before), after=_words(after), order=tuple(order))


def _date_span(text: str, when: PartialDate) -> tuple[int, int]:
    start = text.find(when.text)
    end = start + len(when.text)
    near, year = _NEAR_DATE.search(text, 0, start), _YEAR_AFTER.match(text, end)
    return near.start() if near else start, year.end() if year else end


def _without_asides(before: str, after: str) -> tuple[str, str]:
    """Return what stands before and behind a date without an aside; one word may lead from that to the date."""
    for aside in _ASIDE.finditer(before):
        between = before[aside.end() :]
        if len(_words(between)) <= 1 and not _MARK.search(between):
            before = before[: aside.start()] + between
            break
    following = _ASIDE.match(after.lstrip())
    return before, after.lstrip()[following.end() :] if following else after


def _holds_nothing_else(head: _Head, of: _Question) -> bool:
    known = of.small.plain.union(of.small.articles, of.said)
    return not _STOP.search(head.text) and all(word in known or of.asks_for(word) for word in head.words)


def _holds_small_verbs(head: _Head, of: _Question) -> bool:
    """Return whether an English sentence also has the small verbs of a question, as "made" and "shown".

    "The picture was in Leland in 1910" does not tell when it was shown there.
    """
    needed = frozenset(of.said[1:]).difference(_UNSAID, of.small.plain, of.small.articles, _words(head.text))
    held = held_stems(head.text, None)
    return of.language is not None or all(held_stems(word, None) <= held for word in needed)


def _leads_to_date(before: Sequence[str], of: _Question) -> bool:
    """Return whether the word before a date makes it neither a bound nor the date of another thing.

    The question may ask for a bound with its first word: "until when".
    """
    word = next((word for word in reversed(before) if word not in of.small.articles), None)
    return word is None or word in {*of.small.plain, of.said[0]} or of.asks_for(word)


def _keeps_order(order: Sequence[AskedWord], asked: Sequence[AskedWord]) -> bool:
    """Return whether a sentence has the words in the order of the question, but for one that is no name, as a verb."""
    moved = [None, *(word for word in asked if not word.is_name)]
    return any([one for one in order if one is not word] == [one for one in asked if one is not word] for word in moved)


def _has_asked_forms(found: Sequence[str], of: _Question) -> bool:
    """Return whether a sentence has the words that are asked as the question has them: "leaves" tells nothing past.

    In English the verb has another form after "did", and "was open" is no form of it. In other languages the sentence
    has one of the small words of the question too, for a participle alone may be a present: "eröffnet".
    """
    others = [word for word in found if word not in of.said and of.asks_for(word)]
    if of.language is not None:
        shared = of.small.plain.intersection(of.said)
        return not others and (not shared or bool(shared.intersection(found)))
    if "did" in of.said:
        return bool(others) and not any(word.endswith("s") for word in others) and not {"was", "were"} & set(found)
    return not others or bool({"do", "does", "will"} & set(of.said))


def _is_whole(rest: str, small: StatementWords) -> bool:
    """Return whether what follows the head neither goes on with its last noun or verb nor takes anything back.

    "In 1902 the museum founded a school" does not date the museum; nor does a remark in brackets let it stand.
    """
    following = _words(rest)
    if (aside := _REMARK.match(rest)) and _words(aside[0])[0] not in small.followers:
        return False
    goes_on = bool(following) and not _MARK.match(rest)
    return not small.reserves & set(following) and (not goes_on or following[0] in small.followers)
