"""Which passage is the best of a part: the one that lacks the least of it, if it holds enough."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from pathlib import PurePath
from typing import NamedTuple

from quaestor.contracts.source import Source
from quaestor.contracts.tools import SimilarWord
from quaestor.evidence.retrieval.document_names import file_name
from quaestor.evidence.stemming import held_stems
from quaestor.evidence.tokenization import terms
from quaestor.research.brief.document_status import is_out_of_force
from quaestor.research.brief.own_numbers import named_by_number
from quaestor.research.brief.record_items import record_day
from quaestor.research.contracts.brief import BriefPassage
from quaestor.research.offline.fields.editions import earlier_editions, earlier_files, names_edition
from quaestor.research.offline.sentences.relevance import answers_kind
from quaestor.research.offline.words.aliases import Alias
from quaestor.research.offline.words.dates import find_partial_dates
from quaestor.research.offline.words.held_words import add_other_names, is_dated
from quaestor.research.offline.words.language import AnswerKind, is_unspaced
from quaestor.research.offline.words.life_spans import asked_life
from quaestor.research.offline.words.question import Question, asking_text, parse_question
from quaestor.research.offline.words.reasons import asks_for_reasons, gives_reason
from quaestor.research.offline.words.wording import AskedWord, asked_language, asked_words, without_common_names

_SEVERAL = 2
"""Words of a part beside its names, of which the best has one at least."""
_MANY = 4
"""Words of a part of which the best has more than one in so many."""
_SENTENCE_END = re.compile(r"[.!?。！？][\"'”’)\]*]*\s*\Z")  # noqa: RUF001 (marks of other scripts)

FIELD = re.compile(r"\W*\w[\w -]{0,40}: \S")
"""A name and its value say something whole, as a sentence does."""


class _Lack(NamedTuple):
    """What a passage lacks to be the best of its part; the least of all lacks least.

    Few criteria, since more do not help: of 452 questions of strangers 42 in 100 best passages held the answer, and
    no further trait of a passage told which (the area under the curve of all together was 0.61).
    """

    names: int
    """Of the names of the part that any of its passages holds: a passage without them is about something else."""
    words: int
    """Of the part, as they were searched; a name counts one more than its words, a word with hyphens by its pieces."""
    is_of_another: bool
    """Its document is none that the part calls by its own number, and another shown one is."""
    is_doubted: bool
    """Its document does not hold or is an earlier one of a name that another shown one has, or it is corrected."""
    unmarked: int
    """Words of the part that neither the marked words hold nor what stands above them."""
    is_other_kind: bool
    """In the marked words there is no date, time, number, person or reason where the part asks for one."""
    is_fragment: bool
    clusters: int
    """Terms of a part in a script without blanks, whose words are not known, that its paragraph lacks.

    Those of another document than the first lack them all: pairs of characters tell one subject from no other.
    """
    number: int
    """Of the passage: the first in the order of the search."""


def mark_best(
    passages: Sequence[BriefPassage],
    similar: Sequence[SimilarWord],
    sources: Mapping[str, Source],
    others: Mapping[str, Sequence[Alias]],
    common: AbstractSet[str] = frozenset(),
    *,
    corrected: AbstractSet[int] = frozenset(),
) -> tuple[BriefPassage, ...]:
    """Return passages with the best of each part marked; `others` are names by which its subject is also called.

    Of equals it is one of the latest record, as minutes are, unless a day is asked for or named. Of a part with names
    none is the best where no passage holds any of them: all are about something else; nor where the best holds nothing
    else of the part or one word in four. `corrected` are numbers of passages that another text corrects.
    """
    chosen: set[int] = set()
    for part in dict.fromkeys(one.part for one in passages):
        told = [one for one in passages if one.part == part]
        asked = without_common_names(asked_words(asking_text(part), similar), common)
        side = (told[0].side or "").split()
        names = {word.text for word in asked if (word.is_name or word.text in side) and not word.text.isdigit()}
        if names and all(names.issubset(one.absent) for one in told):
            continue
        question = parse_question(part)
        lacks = list(_lacks(question, told, asked, sources, others[part], corrected=corrected))
        least = min(lacks)
        level = [one for one, lack in zip(told, lacks, strict=True) if lack[:-1] == least[:-1]]
        best = _latest(level, sources) if _asks_for_no_day(question) else level[0]
        telling = [word for word in asked if not (word.is_act or word.terms <= common)]
        if _holds_enough(best.absent, asked, {word.text for word in telling} - names):
            chosen.add(best.number)
    return tuple(one.revised(is_best=True) if one.number in chosen else one for one in passages)


def _asks_for_no_day(part: Question) -> bool:
    return part.wanted is not AnswerKind.DATE and not find_partial_dates(part.text)


def _latest(level: Sequence[BriefPassage], sources: Mapping[str, Source]) -> BriefPassage:
    """Return of passages that lack the same the one of the latest record; the first, if that is of no day."""
    days = [record_day(sources[one.source].title, file_name(sources[one.source].uri)) for one in level]
    dated = [(day, -place) for place, day in enumerate(days) if day]
    return level[-max(dated)[1]] if days[0] else level[0]


def _holds_enough(absent: Sequence[str], asked: Sequence[AskedWord], things: AbstractSet[str]) -> bool:
    """Return whether a passage holds one of several things beside the names, and of many words more than one in four.

    One word in common says nothing.
    """
    holds_thing = len(things) < _SEVERAL or bool(things - set(absent))
    return holds_thing and not holds_little(len(asked) - len(absent), len(asked))


def holds_little(held: int, asked: int) -> bool:
    """Return whether so many words are one in four at most of many that are asked."""
    return asked >= _MANY and _MANY * held <= asked


def _lacks(
    part: Question,
    passages: Sequence[BriefPassage],
    asked: Sequence[AskedWord],
    sources: Mapping[str, Source],
    others: Sequence[Alias],
    *,
    corrected: AbstractSet[int],
) -> Iterator[_Lack]:
    language = asked_language(part.text)
    earlier = frozenset[str]() if names_edition(part.text) else _earlier(sources[one.source] for one in passages)
    numbered = named_by_number(part.text, passages, sources)
    absent = [[word for word in asked if word.text in one.absent] for one in passages]
    # A number alone is no name of a subject: others have it as well.
    held = {
        word.text
        for word in asked
        if word.is_name and not word.text.isdigit() and any(word not in each for each in absent)
    }
    clusters = frozenset(part.terms) if is_unspaced(part.text) else frozenset[str]()
    asks_why, life = asks_for_reasons(part.text), asked_life(part.text, language)
    for one, lacking in zip(passages, absent, strict=True):
        marked = held_stems(one.text, language) | life.terms_held(one.text)
        columns = "\n".join(cell.column for cell in one.in_table.cells) if one.in_table else ""
        above = f"{sources[one.source].title}\n{one.heading}\n{columns}"
        told = marked | add_other_names(held_stems(above, language), part.text, others)
        yield _Lack(
            names=sum(word.text in held for word in lacking),
            words=sum(_weight(word) for word in lacking),
            is_of_another=bool(numbered) and one.source not in numbered,
            is_doubted=is_out_of_force(one.status) or one.source in earlier or one.number in corrected,
            unmarked=sum(not (word.stands_in(told) or is_dated(word, one.text)) for word in asked),
            is_other_kind=not (gives_reason(one.text) if asks_why else answers_kind(one.text, part)),
            is_fragment=not _says_something_whole(one),
            clusters=len(
                clusters.difference(terms(one.context.text)) if one.source == passages[0].source else clusters
            ),
            number=one.number,
        )


def _earlier(shown: Iterable[Source]) -> frozenset[str]:
    """Return which documents are earlier ones of the name of another, by their titles or their files."""
    documents = {one.sha256: (one.title, PurePath(one.uri)) for one in shown}
    return earlier_editions({key: title for key, (title, _) in documents.items()}) | earlier_files(documents)


def _weight(word: AskedWord) -> int:
    """Return what it counts to lack a word: of a long name it tells more than of a short one."""
    return 1 + len(word.text.split()) if word.is_name else max(1, len(word.pieces))


def _says_something_whole(passage: BriefPassage) -> bool:
    """Return whether marked words are a sentence, a name with its value, or introduce what is shown below them."""
    introduces = passage.text.endswith(":") and passage.end < passage.context.end
    return introduces or bool(_SENTENCE_END.search(passage.text) or FIELD.match(passage.text))
