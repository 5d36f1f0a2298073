"""The one date that the sentences of a brief state for what is asked, unless something that was read disputes it."""

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from pathlib import PurePath

from quaestor.contracts.immutable import Immutable
from quaestor.contracts.source import Quote, Source
from quaestor.evidence.stemming import held_stems
from quaestor.evidence.tables import find_tables
from quaestor.research.brief.disputed_dates import (
    AskedEvent,
    asked_event,
    disputes_date,
    is_remark,
    names_day,
    other_days,
    sentences_of,
)
from quaestor.research.brief.names_above import names_more
from quaestor.research.contracts.brief import BriefPassage
from quaestor.research.offline.words.correction_words import CORRECTION, DOUBT, OTHER_YEAR
from quaestor.research.offline.words.dates import PartialDate, find_dates, find_partial_dates
from quaestor.research.offline.words.stated_dates import is_fictional, is_taken_back, states_date

_CITED_LINE = re.compile(r"[ \t]*>")
"""The line of a letter that repeats what was written before, to answer it below."""
_ITEM = re.compile(r"[ \t]*(?:[-*+]|\w{1,2}[.)]) ")


class Told(Immutable):
    """What a brief shows, and what else was read."""

    passages: Sequence[BriefPassage]
    disputes: Sequence[Quote]
    """Sentences of any document that may dispute a date."""
    sources: Mapping[str, Source]

    def sentences(self) -> Iterator[tuple[str, str, str]]:
        """Yield each sentence with its source, and the one behind it."""
        for one in (*(passage.context for passage in self.passages), *self.disputes):
            for sentence, behind in pairwise([*sentences_of(one.text), ""]):
                yield sentence, one.source, behind

    def name(self, source: str) -> str:
        """Return what a document is called, by its title and its file."""
        return f"{self.sources[source].title} {self.sources[source].uri.rpartition('/')[2].partition('.')[0]}"


class StatedDate(Immutable):
    """A date as it is written, and the numbers of the passages that state it."""

    text: str
    passages: tuple[int, ...]


class _Statement(Immutable):
    """A sentence that holds every word of the question and a date."""

    passage: BriefPassage
    sentence: str
    when: PartialDate


def find_stated_date(question: str, told: Told) -> StatedDate | None:
    """Return the one date of the sentences that hold every word of a question; None when they give several.

    Each sentence is judged alone, for the one beside it may date something else, and one must state without reserve
    that the date is that of what is asked; nothing that was read may take it back.
    """
    event = asked_event(question)
    whole = tuple(_whole_sentences(event, told.passages)) if event.words else ()
    if len({one.when.text for one in whole}) != 1 or any(_rivals(whole[0].when, event, told)):
        return None
    if _is_one_of_several(event, told) or any(_dated_rows(whole[0].when, event, told)):
        return None
    stated = [
        one
        for one in whole
        if states_date(one.sentence, one.when, event.words, question, event.language)
        and not _is_doubted(one, event, told.name(one.passage.source))
    ]
    if not stated or any(_disputing(stated, event, told)) or any(_undated(stated, event, told)):
        return None
    return StatedDate(stated[0].when.text, tuple(dict.fromkeys(one.passage.number for one in stated)))


def _whole_sentences(event: AskedEvent, passages: Sequence[BriefPassage]) -> Iterator[_Statement]:
    for one in passages:
        for sentence in sentences_of(one.text):
            held = held_stems(sentence, event.language)
            if all(word.stands_in(held) for word in event.words):
                yield from (_Statement(one, sentence, when) for when in find_dates(sentence))


def _is_doubted(one: _Statement, event: AskedEvent, title: str) -> bool:
    """Return whether a statement doubts its date, or what is around it makes it none.

    It repeats or asks something, its paragraph takes it back, or a heading or the title calls what is below it a tale.
    """
    paragraph = one.passage.context.text
    beside = tuple(_beside(paragraph, one.sentence))
    return (
        _is_cited_or_asked(one, event)
        or DOUBT.search(one.sentence) is not None
        or OTHER_YEAR.search(one.sentence) is not None
        or is_taken_back(beside, event.language)
        or is_fictional((one.passage.heading, title), event.language)
        or any(is_remark(sentence, one.when) for sentence in beside)
        or any(CORRECTION.search(sentence) for sentence in sentences_of(paragraph))
    )


def _is_cited_or_asked(one: _Statement, event: AskedEvent) -> bool:
    """Return whether a statement is a line that is answered below it, or an item of what asks: "True or false?"."""
    paragraph, heading = one.passage.context.text, one.passage.heading
    start = paragraph.find(one.sentence)
    line = paragraph[paragraph.rfind("\n", 0, start + 1) + 1 : start + len(one.sentence)]
    asks = "?" in heading and not event.is_touched(held_stems(heading, event.language))
    return _CITED_LINE.match(line) is not None or (asks and _ITEM.match(line) is not None)


def _beside(paragraph: str, sentence: str) -> Iterator[str]:
    """Yield the sentence before one in a paragraph, and the one behind it."""
    sentences = [*sentences_of(paragraph)]
    place = next((place for place, said in enumerate(sentences) if sentence in said), None)
    if place is not None:
        yield from (*sentences[max(place - 1, 0) : place], *sentences[place + 1 : place + 2])


def _disputing(stated: Sequence[_Statement], event: AskedEvent, told: Told) -> Iterator[str]:
    """Yield the other sentences that dispute a date that is stated."""
    when, titles = stated[0].when, {one.passage.source: told.name(one.passage.source) for one in stated}
    for sentence, source, behind in told.sentences():
        if not any(one.sentence in sentence for one in stated):
            is_beside = source in titles
            if any(
                disputes_date(sentence, when, event, title, is_beside=is_beside, behind=behind)
                for title in titles.values()
            ):
                yield sentence


def _undated(stated: Sequence[_Statement], event: AskedEvent, told: Told) -> Iterator[str]:
    """Yield the sentences of other paragraphs that tell all that is asked without a date: they may tell of another."""
    own = [one.passage.context.text for one in stated]
    for sentence, _, _ in told.sentences():
        is_apart = not any(sentence in paragraph for paragraph in own)
        is_whole = is_apart and event.is_whole(held_stems(sentence, event.language))
        if is_whole and not find_partial_dates(sentence):
            yield sentence


def _rivals(answer: PartialDate, event: AskedEvent, told: Told) -> Iterator[PartialDate]:
    """Yield the other dates of sentences that seem to date the same.

    Such a sentence holds all that is asked but for names, and names nothing else: "The start is put off to 3 July"
    takes back the date that it had. Or it holds the day that answers: "moved from 1 to 3 July".
    """
    for sentence, _, _ in told.sentences():
        held = held_stems(sentence, event.language)
        is_moved = names_day(sentence, answer) and any(word.stands_in(held) for word in event.words)
        if is_moved or _is_about_same(sentence, held, event):
            yield from other_days(sentence, answer)


def _is_one_of_several(event: AskedEvent, told: Told) -> bool:
    """Return whether documents or sections are called by names that end in the one thing that is asked about."""
    names = (*(source.title for source in told.sources.values()), *(quote.text for quote in told.disputes))
    return len({kind for name in names for kind in event.kinds_named(name)}) > 1


def _dated_rows(answer: PartialDate, event: AskedEvent, told: Told) -> Iterator[PartialDate]:
    """Yield the other dates that a table of such things has in a column that is called as what came about."""
    noun = event.noun
    acts = [word for word in event.words if word is not noun]
    for one in told.passages if noun else ():
        for table in find_tables(one.context.text, PurePath(told.sources[one.source].uri).suffix):
            held = [held_stems(name, event.language) for name in table.columns]
            dated = [place for place, of in enumerate(held) if any(word.stands_in(of) for word in acts)]
            if noun and any(map(noun.stands_in, held)):
                yield from (
                    when for row in table.rows for place in dated for when in other_days(row.cells[place], answer)
                )


def _is_about_same(sentence: str, held: frozenset[str], event: AskedEvent) -> bool:
    """Return whether a sentence holds all that is asked but for names, and names nothing else.

    In German every noun is written as a name, so there one of those that are asked must stand in it.
    """
    names = [word for word in event.words if word.is_name]
    telling = [word for word in event.words if not word.is_name]
    if not telling or not all(word.stands_in(held) for word in telling):
        return False
    if event.language == "de":
        return not names or any(word.stands_in(held) for word in names)
    return not names_more(sentence, names)
