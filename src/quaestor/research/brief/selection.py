"""Which passages of a brief are shown: the best of each part, without those that hold little, each place once."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

from quaestor.contracts.source import Source
from quaestor.contracts.tools import SimilarWord
from quaestor.evidence.retrieval.query import parse_query
from quaestor.evidence.spelling import replace_words
from quaestor.evidence.stemming import held_stems
from quaestor.research.brief.wording import asked_language, asked_words
from quaestor.research.contracts.brief import BriefPassage
from quaestor.research.offline.dates import is_date
from quaestor.research.offline.extracts import section_of
from quaestor.research.offline.question import Question, parse_question

_MAX_OF_SIDE = 5
"""Passages for one side of a comparison."""
_MAX_WEAK = 3
"""Passages where none holds half of the words of a part."""
_NOT_IN_FORCE = re.compile(r"supersed|replaced|obsolete|withdrawn|rejected|deprecated", re.IGNORECASE)
_SENTENCE_END = re.compile(r"[.!?。！？][\"'”’)\]*]*\s*\Z")  # noqa: RUF001 (marks of other scripts)


def select_passages(marked: Sequence[BriefPassage], question: Question) -> Iterator[BriefPassage]:
    """Yield of passages whose best are marked those that are shown: the best of each part first at its turns."""
    return _best_first(_once(_telling(marked, question)))


def mark_best(
    passages: Sequence[BriefPassage], similar: Sequence[SimilarWord], sources: Mapping[str, Source]
) -> tuple[BriefPassage, ...]:
    """Return passages with the best of each part marked.

    That is the one whose paragraph lacks the fewest words of its part, as they were searched; of equals one whose
    document is still in force, then one in the section of what the part names, then the one whose marked words hold the
    most of them, then one of sentences, else the first in the order of the search.
    """
    best: dict[str, tuple[int, bool, bool, int, bool, int]] = {}
    parts = {one.part for one in passages}
    named = {part: parse_question(part).subjects for part in parts}
    words = {part: asked_words(replace_words(part, (word.pair for word in similar))) for part in parts}
    for one in passages:
        language, asked = asked_language(one.part), words[one.part]
        held = held_stems(one.text, language)
        around = held_stems(f"{one.heading}\n{one.context.text}", language) if similar else frozenset[str]()
        lacking = (
            sum(not word.stands_in(around) for word in asked) if similar else len(one.absent),
            _NOT_IN_FORCE.search(one.status or "") is not None,
            not any(map(section_of(sources[one.source].title, one.heading).is_named, named[one.part])),
            -sum(word.stands_in(held) for word in asked),
            _SENTENCE_END.search(one.text) is None,
            one.number,
        )
        best[one.part] = min(best.get(one.part, lacking), lacking)
    chosen = {lacking[-1] for lacking in best.values()}
    return tuple(one.revised(is_best=True) if one.number in chosen else one for one in passages)


def _telling(passages: Sequence[BriefPassage], question: Question) -> list[BriefPassage]:
    """Return the passages that tell enough of their part; a statement or a text about many things is set beside all."""
    query = parse_query(question.text)
    if query.tells or query.states:
        return list(passages)
    parts = dict.fromkeys(one.part for one in passages)
    kept = {one.number for part in parts for one in _telling_of([one for one in passages if one.part == part])}
    return [one for one in passages if one.is_best or one.number in kept]


def _telling_of(passages: Sequence[BriefPassage]) -> Sequence[BriefPassage]:
    """Return the passages of one part that hold half as many of its words as any; of a side the first of them.

    Where none holds half of its words, those few that hold most. Where the part names something, all: a name may lead
    to a passage that holds few.
    """
    asked = asked_words(passages[0].part)
    shown = passages if passages[0].side is None else passages[:_MAX_OF_SIDE]
    if any(word.is_name and not is_date(word.text) for word in asked):
        return shown
    most = max(len(asked) - len(one.absent) for one in passages)
    if 2 * most < len(asked):
        return sorted(shown, key=lambda one: len(one.absent))[:_MAX_WEAK]
    return [one for one in shown if 2 * (len(asked) - len(one.absent)) >= most]


def _once(passages: Iterable[BriefPassage]) -> Iterator[BriefPassage]:
    """Yield each place once; again for another part of which it is the best, unless the parts are shown together."""
    seen: set[tuple[str, int, int]] = set()
    for one in passages:
        place = one.source, one.start, one.end
        if place not in seen or (one.is_best and one.side is None):
            yield one
        seen.add(place)


def _best_first(passages: Iterable[BriefPassage]) -> Iterator[BriefPassage]:
    """Yield the passages of each part at its turns, the best of it first."""
    ordered = tuple(passages)
    parts = {
        part: iter(sorted((one for one in ordered if one.part == part), key=lambda one: not one.is_best))
        for part in dict.fromkeys(one.part for one in ordered)
    }
    for one in ordered:
        yield next(parts[one.part])
