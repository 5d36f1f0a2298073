"""What a brief tells of the days of its passages: what was so when they were written may be otherwise by now."""

from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType

from quaestor.contracts.source import Source
from quaestor.evidence.retrieval.document_names import file_name, told_file
from quaestor.evidence.tokenization import words as words_of
from quaestor.research.brief.record_items import Day, day_of, is_before, record_day, told_day, written_day
from quaestor.research.contracts.brief import BriefPassage
from quaestor.research.contracts.tools import LaterRecords
from quaestor.research.offline.words.dates import find_dates, find_partial_dates
from quaestor.research.offline.words.ending_words import asks_for_now
from quaestor.research.offline.words.language import AnswerKind
from quaestor.research.offline.words.question import Question
from quaestor.research.reports.fixed_words import ReportWords
from quaestor.research.reports.languages import language_of_question

_OF_PAST: Mapping[str, frozenset[str]] = MappingProxyType(
    {
        "en": frozenset(["did", "was", "were", "had"]),
        "de": frozenset(["war", "waren", "wurde", "wurden", "hatte", "hatten", "worden"]),
        "fr": frozenset(["était", "étaient", "avait", "avaient", "été", "fut", "furent"]),
        "es": frozenset(["fue", "fueron", "era", "eran", "había", "habían", "estaba", "estaban", "sido"]),
        "it": frozenset(["era", "erano", "fu", "furono", "aveva", "avevano", "stato", "stata", "stati", "state"]),
        "nl": frozenset(["was", "waren", "werd", "werden", "had", "hadden", "geweest"]),
        "pt": frozenset(["foi", "foram", "era", "eram", "estava", "estavam", "tinha", "tinham", "sido"]),
    }
)
"""Words by which a question in a language is on what was so."""
_SEVERAL = 2
"""Days of which one can be the latest."""


def told_days(
    question: Question,
    passages: Sequence[BriefPassage],
    sources: Mapping[str, Source],
    *,
    unshown: Sequence[Source],
    later: Sequence[LaterRecords],
    words: ReportWords,
) -> Iterator[str]:
    """Yield that it is asked what holds now, and that the best passage of a day is older than others, not shown.

    These are the `later` ones beside what was found, and those of the `unshown` ones that were found.
    """
    if asks_for_now(question.text):
        yield _asked_now(passages, sources, words)
    dated = [one for one in passages if written_day(sources[one.source])]
    best = next((one for one in dated if one.is_best), dated[0] if dated else None)
    if best and (own := written_day(sources[best.source])) and not _asks_for_time(question, own):
        days = ((record_day("", file_name(one.uri)), told_file(one.uri)) for one in unshown)
        others = [(told_day(day), name) for day, name in days if day and is_before(own, day)]
        told = next((one for one in later if one.source == best.source), None)
        if told or others:
            last_day, last = max([*others, *([(told.day, told.last)] if told else [])])
            yield words.later_records.format(
                number=best.number,
                day=told_day(own),
                count=len(others) + (told.number if told else 0),
                last=last,
                last_day=last_day,
            )


def _asked_now(passages: Sequence[BriefPassage], sources: Mapping[str, Source], words: ReportWords) -> str:
    """Return that what is shown may no longer hold, with the latest passage where several are of different days.

    A passage that names a later day than these may be of that one: nobody knows then which is the latest.
    """
    days = {one.number: day for one in passages if (day := day_of(sources[one.source]))}
    number = max(days, key=lambda one: (days[one], -one), default=0)
    named = (date for one in passages for date in find_dates(f"{one.heading}\n{one.context.text}") if date.month)
    if len({*days.values()}) < _SEVERAL or any(days[number] < (one.year, one.month, one.day) for one in named):
        return words.asked_now
    return " ".join((words.asked_now, words.latest_dated.format(number=number, day=told_day(days[number]))))


def _asks_for_time(question: Question, own: Day) -> bool:
    """Return whether it is asked what came about, and when, or what was so at a time: later documents change none."""
    named = find_partial_dates(question.text)
    is_of_day = any(one.month or 0 < one.year < own[0] for one in named)
    return is_of_day or question.wanted is AnswerKind.DATE or _asks_of_past(question.text)


def _asks_of_past(question: str) -> bool:
    said = {word.text.casefold() for word in words_of(question)}
    return not said.isdisjoint(_OF_PAST.get(language_of_question(question) or "", ()))
