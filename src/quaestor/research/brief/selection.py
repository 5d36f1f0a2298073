"""Which passages of a brief are shown: the best of each part, without those that hold little, each place once."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet

from quaestor.contracts.source import Source
from quaestor.evidence.block_lines import BlockKind
from quaestor.evidence.blocks import parse_blocks
from quaestor.evidence.retrieval.query import parse_query
from quaestor.evidence.stemming import held_stems
from quaestor.research.brief.best_passages import FIELD, holds_little
from quaestor.research.brief.latest_records import later_than_shown
from quaestor.research.brief.shared_paragraphs import share_paragraphs
from quaestor.research.brief.sides import with_named_sides
from quaestor.research.brief.withdrawals import Withdrawal
from quaestor.research.contracts.brief import BriefPassage
from quaestor.research.offline.words.dates import find_partial_dates, is_date
from quaestor.research.offline.words.field_names import key_of_list
from quaestor.research.offline.words.life_spans import asked_life
from quaestor.research.offline.words.light_words import is_everyday
from quaestor.research.offline.words.question import Question, asking_text
from quaestor.research.offline.words.wording import AskedWord, asked_language, asked_words, without_common_names

_MAX_OF_SIDE = 5
"""Passages for one side of a comparison."""
_MAX_WEAK = 3
"""Passages where none holds half of the words of a part."""


def select_passages(
    marked: Sequence[BriefPassage],
    question: Question,
    withdrawn: Mapping[int, Withdrawal],
    sources: Mapping[str, Source],
    common: AbstractSet[str] = frozenset(),
) -> Iterator[BriefPassage]:
    """Yield of passages whose best are marked those that are shown: the best of each part first at its turns.

    What takes back what one of them is about is shown as well, and the last record that is later than all of them.
    """
    ours = {one.number: one for one in with_named_sides(marked, question.options, sources)}
    telling = {one.number for one in _telling([*ours.values()], question, common)}
    telling |= {withdrawn[number].number for number in telling & withdrawn.keys()}
    later = None if find_partial_dates(question.text) else later_than_shown([*ours.values()], telling, sources)
    telling |= {later.number} if later else set()
    return share_paragraphs(_best_first(_once(ours.get(one.number, one) for one in marked if one.number in telling)))


def _telling(passages: Sequence[BriefPassage], question: Question, common: AbstractSet[str]) -> list[BriefPassage]:
    """Return the passages that tell enough of their part.

    A statement is set beside all, and so is a text about many things in which no sentence asks.
    """
    query = parse_query(question.text)
    if query.states or (query.tells and asking_text(question.text) == question.text):
        return list(passages)
    parts = dict.fromkeys(one.part for one in passages)
    kept = {one.number for part in parts for one in _telling_of([one for one in passages if one.part == part], common)}
    return [one for one in passages if one.is_best or one.number in kept]


def _telling_of(passages: Sequence[BriefPassage], common: AbstractSet[str]) -> Sequence[BriefPassage]:
    """Return the passages of one part that hold half as many of its words as any; of a side the first of them.

    Where none holds half of its words, those few that hold most. Where the part names something, all that hold one, for
    a name may lead to a passage that holds few; but not of a long text, whose names are not all asked about. Of many
    words one in four says nothing beside a passage that holds half.
    """
    asked = without_common_names(asked_words(asking_text(passages[0].part)), common)
    shown = passages if passages[0].side is None else passages[:_MAX_OF_SIDE]
    is_long = parse_query(passages[0].part).tells
    held = {one.number: len(asked) - len(one.absent) for one in passages}
    most = max(held.values())
    is_named = not is_long and any(word.is_name and not is_date(word.text) for word in asked)
    if is_named:
        # A field that was looked up need not hold what its document is called.
        led = [one for one in shown if held[one.number] > 0 or _is_header_field(one)] or shown
        telling = {one.number for one in led if _says_any(one, asked)}
        return [one for one in led if not telling or one.number in telling or _is_header_field(one)]
    shown = _on_subject(shown, asked)
    if 2 * most < len(asked):
        return sorted(shown, key=lambda one: len(one.absent))[:_MAX_WEAK]
    return [one for one in shown if 2 * held[one.number] >= most and not holds_little(held[one.number], len(asked))]


def _on_subject(passages: Sequence[BriefPassage], asked: Sequence[AskedWord]) -> Sequence[BriefPassage]:
    """Return the passages that hold more than everyday words, where any does: "cost" and "year" are of all things."""
    telling = {word.text for word in asked if not is_everyday(word)}
    return [one for one in passages if not telling.issubset(one.absent)] or passages


def _says_any(passage: BriefPassage, asked: Sequence[AskedWord]) -> bool:
    """Return whether a paragraph holds a word of its part, or a section that it is in, and not the document alone."""
    language = asked_language(passage.part)
    first, *sections = passage.heading.split(" > ")
    said = "\n".join((*(sections or [first]), passage.status or "", passage.context.text))
    own = held_stems(said, language) | asked_life(passage.part, language).terms_held(passage.context.text)
    return any(not word.terms.isdisjoint(own) for word in asked if word.text not in passage.absent)


def _is_header_field(passage: BriefPassage) -> bool:
    """Return whether marked words are a field with lines of its own; a sentence may begin so: "Decided: we buy it.".

    So is the first of the values that stand below the key of a field.
    """
    place = passage.start - passage.context.start
    if key_of_list(passage.context.text, place):
        return True
    return FIELD.match(passage.text) is not None and any(
        block.kind is BlockKind.FIELD and block.top <= place < block.bottom
        for block in parse_blocks(passage.context.text)
    )


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
