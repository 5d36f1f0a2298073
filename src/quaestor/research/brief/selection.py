"""Which passages of a brief are shown: the best of each part, without those that hold little, each place once."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

from quaestor.contracts.source import Source
from quaestor.contracts.tools import SimilarWord
from quaestor.evidence.retrieval.query import parse_query
from quaestor.evidence.spelling import replace_words
from quaestor.evidence.stemming import held_stems
from quaestor.evidence.tokenization import terms, words
from quaestor.research.brief.document_status import NOT_IN_FORCE
from quaestor.research.brief.wording import add_other_names, asked_language, asked_words
from quaestor.research.contracts.brief import BriefPassage
from quaestor.research.offline.dates import is_date
from quaestor.research.offline.extracts import section_of
from quaestor.research.offline.question import Question, parse_question
from quaestor.research.offline.relevance import facet_coverage

_MAX_OF_SIDE = 5
"""Passages for one side of a comparison."""
_MAX_WEAK = 3
"""Passages where none holds half of the words of a part."""
_SENTENCE_END = re.compile(r"[.!?。！？][\"'”’)\]*]*\s*\Z")  # noqa: RUF001 (marks of other scripts)


def select_passages(marked: Sequence[BriefPassage], question: Question) -> Iterator[BriefPassage]:
    """Yield of passages whose best are marked those that are shown: the best of each part first at its turns."""
    return _best_first(_once(_telling(marked, question)))


def mark_best(
    passages: Sequence[BriefPassage],
    similar: Sequence[SimilarWord],
    sources: Mapping[str, Source],
    others: Mapping[str, Sequence[str]],
) -> tuple[BriefPassage, ...]:
    """Return passages with the best of each part marked; `others` are names by which its subject is also called.

    That is the one whose paragraph lacks the fewest words of its part, as they were searched, a name counted twice, of
    equals the one that lacks only what was done, as "added": what it was done to tells more. Of those one of a document
    that the part names, then one whose document is still in force, then one in a section on the asked side of the
    subject, then one in the section of what the part names, then the one whose marked words hold the most of them, then
    one of sentences, else the first in the order of the search.
    """
    best: dict[str, tuple[int, int, bool, bool, bool, bool, int, bool, int]] = {}
    parts = {one.part: parse_question(one.part) for one in passages}
    searched = {part: asked_words(replace_words(part, (word.pair for word in similar))) for part in parts}
    for one in passages:
        language, asked = asked_language(one.part), searched[one.part]
        title, part = sources[one.source].title, parts[one.part]
        held = held_stems(one.text, language)
        around = held_stems(f"{one.heading}\n{one.context.text}", language) if similar else frozenset[str]()
        absent = [word for word in asked if (not word.stands_in(around) if similar else word.text in one.absent)]
        above = add_other_names(held_stems(f"{title}\n{one.heading}", language), one.part, others[one.part])
        lacking = (
            len(absent) + sum(word.is_name for word in absent),
            sum(not word.is_act for word in absent),
            not _is_named(sources[one.source], part),
            NOT_IN_FORCE.search(one.status or "") is not None,
            not (_is_on_side(one.heading, part) and all(word.stands_in(above) for word in asked)),
            not any(map(section_of(title, one.heading).is_named, part.subjects)),
            -sum(word.stands_in(held) for word in asked),
            _SENTENCE_END.search(one.text) is None,
            one.number,
        )
        best[one.part] = min(best.get(one.part, lacking), lacking)
    chosen = {lacking[-1] for lacking in best.values()}
    return tuple(one.revised(is_best=True) if one.number in chosen else one for one in passages)


def _is_named(source: Source, part: Question) -> bool:
    """Return whether a part calls a document by its title or the name of its file, as PEP 20 for `pep-0020.rst`.

    A name in small letters is the word itself: what has only its stem is called by another name.
    """
    file = source.uri.rpartition("/")[2]
    called = frozenset(terms(f"{source.title}\n{file}"))
    if file.partition(".")[0].casefold() in {word.text.casefold() for word in words(part.text)}:
        return True
    return any(called.issuperset(terms(name)) for name in part.anchors)


def _is_on_side(heading: str, part: Question) -> bool:
    """Return whether a heading speaks of a side of its subject that a part asks for, as its rationale."""
    return facet_coverage(part.facets, frozenset(terms(heading))) > 0


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
