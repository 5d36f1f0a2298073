"""Which passage is the best of a part: the one that lacks the least of it, if it holds enough."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import NamedTuple

from quaestor.contracts.immutable import replace
from quaestor.contracts.source import Source
from quaestor.contracts.tools import SimilarWord
from quaestor.evidence.block_lines import BlockKind
from quaestor.evidence.blocks import parse_blocks
from quaestor.evidence.stemming import held_stems
from quaestor.evidence.tokenization import terms, words
from quaestor.research.brief.document_status import is_out_of_force
from quaestor.research.contracts.brief import BriefPassage
from quaestor.research.offline.fields.editions import earlier_editions, names_edition
from quaestor.research.offline.sentences.relevance import answers_kind, facet_coverage
from quaestor.research.offline.sentences.sections import section_of
from quaestor.research.offline.sentences.sentence_places import is_open_question
from quaestor.research.offline.sentences.word_order import asked_pairs, held_pairs
from quaestor.research.offline.words.aliases import Alias
from quaestor.research.offline.words.extremes import asked_extremes, states_extremes
from quaestor.research.offline.words.first_person import is_asked_subject, says_i
from quaestor.research.offline.words.held_words import add_other_names, held_terms
from quaestor.research.offline.words.language import AnswerKind, is_unspaced
from quaestor.research.offline.words.life_spans import asked_life
from quaestor.research.offline.words.question import Question, asking_text, parse_question
from quaestor.research.offline.words.reasons import asks_for_reasons, gives_reason
from quaestor.research.offline.words.text_dates import asks_for_text_date, is_text_date
from quaestor.research.offline.words.wording import AskedWord, asked_language, asked_words, without_common_names

_SEVERAL = 2
"""Words of a part beside its names, of which the best has one at least."""
_MANY = 4
"""Words of a part of which the best has more than one in so many."""
_CITED = re.compile(r"[ \t]*>")
_SENTENCE_END = re.compile(r"[.!?。！？][\"'”’)\]*]*\s*\Z")  # noqa: RUF001 (marks of other scripts)

FIELD = re.compile(r"\W*\w[\w -]{0,40}: \S")
"""A name and its value say something whole, as a sentence does."""


class _Lack(NamedTuple):
    """What a passage lacks to be the best of its part; the least of all lacks least."""

    names: int
    """Of the names of the part that any of its passages holds: a passage without them is about something else.

    None lacks where somebody tells all the rest of himself, whom no name need call there.
    """
    is_question: bool
    """What only asks answers nothing."""
    words: int
    """Of the part, as they were searched; a name counts one more than its words, a word with hyphens by its pieces."""
    things: int
    """The same without what was done, as "added": what it was done to tells more."""
    is_cited: bool
    """It is a line of an earlier letter, which is answered below."""
    is_other_document: bool
    """Than one that the part names."""
    is_out_of_force: bool
    """Its document does not hold, or is an earlier one of a name that another shown one has."""
    is_off_side: bool
    """It is in no section on the asked side of the subject."""
    is_off_section: bool
    """It is not in the section of what the part names."""
    unmarked: int
    """Words of the part that neither the marked words hold nor what stands above them."""
    is_text_date: bool
    """It is the date in a header where a part asks when something was that a text only tells of."""
    is_other_kind: bool
    """In the marked words there is no date, time, number, person or reason where the part asks for one."""
    lent_names: int
    """Names of the part that its paragraph does not hold, but only what stands above it, as the title of a document."""
    far_words: int
    """Words of the part that only a heading further up holds: under "Stopping the pump" nothing is of its start."""
    is_fragment: bool
    loose_pairs: int
    """Pairs of words of the part that do not follow each other in the marked words."""
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
    rows_answer: bool = False,
) -> tuple[BriefPassage, ...]:
    """Return passages with the best of each part marked; `others` are names by which its subject is also called.

    Of a part with names none is the best where no passage holds any of them: all are about something else; nor where
    the best holds nothing else of the part or one word in four, or does not say that it is the most of several that is
    asked for; a row need not, if `rows_answer`: then a table was looked up whole.
    """
    chosen: set[int] = set()
    for part in dict.fromkeys(one.part for one in passages):
        told = [one for one in passages if one.part == part]
        asked = without_common_names(asked_words(asking_text(part), similar), common)
        side = (told[0].side or "").split()
        names = {word.text for word in asked if (word.is_name or word.text in side) and not word.text.isdigit()}
        if names and all(names.issubset(one.absent) for one in told):
            continue
        apart = _apart(told[0].side, (one.side for one in passages))
        able = {one.number: one.absent for one in told if _says_most(one, part, rows_answer=rows_answer)}
        lacks = sorted(_lacks(parse_question(part), told, asked, sources, others[part], apart=apart))
        best = next((one.number for one in lacks if one.number in able), None)
        telling = [word for word in asked if not (word.is_act or word.terms <= common)]
        things = {word.text for word in telling} - names
        if best is not None and _holds_enough(able[best], asked, things):
            chosen.add(best)
    return tuple(one.revised(is_best=True) if one.number in chosen else one for one in passages)


def _apart(side: str | None, sides: Iterable[str | None]) -> frozenset[str]:
    """Return the terms that a side of a comparison alone has: what holds none of them is of another side as well.

    A single letter, as of an option, is none: it stands in other texts for other things.
    """
    others = (frozenset(terms(other)) for other in sides if other and other != side)
    own = frozenset(term for term in terms(side or "") if len(term) > 1)
    return own.difference(*others)


def _holds_enough(absent: Sequence[str], asked: Sequence[AskedWord], things: AbstractSet[str]) -> bool:
    """Return whether a passage holds one of several things beside the names, and of many words more than one in four.

    One word in common says nothing.
    """
    holds_thing = len(things) < _SEVERAL or bool(things - set(absent))
    return holds_thing and not holds_little(len(asked) - len(absent), len(asked))


def holds_little(held: int, asked: int) -> bool:
    """Return whether so many words are one in four at most of many that are asked."""
    return asked >= _MANY and _MANY * held <= asked


def _is_cited(passage: BriefPassage) -> bool:
    """Return whether the marked words stand in a line that repeats what was written before."""
    paragraph = passage.context.text
    line = paragraph.rfind("\n", 0, max(paragraph.find(passage.text), 0)) + 1
    return _CITED.match(paragraph, line) is not None


def _says_most(passage: BriefPassage, part: str, *, rows_answer: bool) -> bool:
    """Return whether a passage says the most or the least that a part asks for; so does the row of an answer."""
    is_row = rows_answer and _SENTENCE_END.search(passage.text) is None
    return is_row or states_extremes(passage.context.text, asked_extremes(part))


def _lacks(
    part: Question,
    passages: Sequence[BriefPassage],
    words_asked: Sequence[AskedWord],
    sources: Mapping[str, Source],
    others: Sequence[Alias],
    *,
    apart: frozenset[str],
) -> Iterator[_Lack]:
    language = asked_language(part.text)
    called = {_file_stem(sources[one.source]) for one in passages}
    titles = {one.source: sources[one.source].title for one in passages}
    earlier = frozenset() if names_edition(part.text) else earlier_editions(titles)
    # In small letters a word may still be a name: that of a document, as wget is of `wget.1.txt`.
    asked = [
        replace(word, is_name=word.is_name or word.text.casefold() in called or word.terms <= apart)
        for word in words_asked
    ]
    absent = [_absent(one, sources[one.source], asked, language, others) for one in passages]
    # A number alone is no name of a subject: others have it as well.
    held = {
        word.text
        for word in asked
        if word.is_name and not word.text.isdigit() and any(word not in each for each in absent)
    }
    asks_why, life = asks_for_reasons(part.text), asked_life(part.text, language)
    tells_of = part.wanted is AnswerKind.DATE and not asks_for_text_date(part.text)
    clusters = frozenset(part.terms) if is_unspaced(part.text) else frozenset[str]()
    # Pairs of characters say of no word what it follows.
    pairs = frozenset() if clusters else asked_pairs(terms(part.text), frozenset(part.core))
    for one, lacking in zip(passages, absent, strict=True):
        title, marked = sources[one.source].title, held_stems(one.text, language) | life.terms_held(one.text)
        own = held_stems(one.context.text, language)
        is_in_section = any(map(section_of(title, one.heading).is_named, _called(part, one.side)))
        # What stands in the section of something, or beside the name of a field, need not repeat its name.
        is_lent = not (is_in_section or _is_field(one.text))
        above = add_other_names(held_stems(f"{title}\n{one.heading}", language), part.text, others)
        yield _Lack(
            names=0 if _may_tell_of_self(one, part, lacking) else sum(word.text in held for word in lacking),
            is_question=is_open_question(one.text),
            words=sum(_weight(word) for word in lacking),
            things=sum(not word.is_act for word in lacking),
            is_cited=_is_cited(one),
            is_other_document=not _is_named(sources[one.source], part, one.side),
            is_out_of_force=is_out_of_force(one.status) or one.source in earlier,
            is_off_side=not (_is_on_side(one.heading, part) and all(word.stands_in(above) for word in asked)),
            is_off_section=not is_in_section,
            unmarked=sum(not (word.stands_in(marked) or word.stands_in(above)) for word in asked),
            is_text_date=tells_of and is_text_date(one.text),
            is_other_kind=not (gives_reason(one.text) if asks_why else answers_kind(one.text, part)),
            lent_names=is_lent
            * sum(word.is_name and not word.stands_in(own) for word in asked if word.text not in one.absent),
            far_words=_count_far_words(one, own, asked, language),
            is_fragment=not _says_something_whole(one),
            loose_pairs=is_lent * len(pairs - held_pairs(terms(one.text))),
            clusters=len(
                clusters.difference(terms(one.context.text)) if one.source == passages[0].source else clusters
            ),
            number=one.number,
        )


def _count_far_words(
    passage: BriefPassage, own: frozenset[str], asked: Sequence[AskedWord], language: str | None
) -> int:
    *further, nearest = passage.heading.split(" > ")
    near, far = own | held_stems(nearest, language), held_stems("\n".join(further), language)
    return sum(word.stands_in(far) and not word.stands_in(near) for word in asked)


def _is_field(text: str) -> bool:
    """Return whether marked words are a name with its value, and no sentence."""
    return FIELD.match(text) is not None and _SENTENCE_END.search(text) is None


def _weight(word: AskedWord) -> int:
    """Return what it counts to lack a word: of a long name it tells more than of a short one."""
    return 1 + len(word.text.split()) if word.is_name else max(1, len(word.pieces))


def _may_tell_of_self(passage: BriefPassage, part: Question, lacking: Sequence[AskedWord]) -> bool:
    """Return whether a passage lacks but the name of whom a part asks, and somebody speaks of himself in it."""
    is_lone = len(lacking) == 1 and is_asked_subject(part.text, lacking[0].text)
    return is_lone and len(part.names) > 1 and says_i(passage.text)


def _says_something_whole(passage: BriefPassage) -> bool:
    """Return whether marked words are a sentence, a name with its value, or introduce what is shown below them."""
    introduces = passage.text.endswith(":") and passage.end < passage.context.end
    return introduces or bool(_SENTENCE_END.search(passage.text) or FIELD.match(passage.text))


def _absent(
    passage: BriefPassage, source: Source, asked: Sequence[AskedWord], language: str | None, others: Sequence[Alias]
) -> list[AskedWord]:
    """Return the words that a passage does not hold, without the other items of the list of which one is marked.

    They are shown beside it, but each tells of something else, as the options of a program do.
    """
    text, top = passage.context.text, passage.context.start
    items = [block for block in parse_blocks(text) if block.kind is BlockKind.ITEM]
    beside = [one for one in items if top + one.bottom <= passage.start or passage.end <= top + one.top]
    if beside and len(beside) < len(items):
        edges = [0, *(edge for one in beside for edge in (one.top, one.bottom)), len(text)]
        text = "\n".join(text[start:end] for start, end in zip(edges[::2], edges[1::2], strict=True))
        held = add_other_names(held_terms(source, passage.heading, text, language, asked=asked), passage.part, others)
        return [word for word in asked if word.text in passage.absent or not word.stands_in(held)]
    return [word for word in asked if word.text in passage.absent]


def _is_named(source: Source, part: Question, side: str | None) -> bool:
    """Return whether a part calls a document by its title or the name of its file, as PEP 20 for `pep-0020.rst`.

    So does the side of a comparison, in small letters too. A name in small letters is the word itself: what has only
    its stem is called by another name.
    """
    called = frozenset(terms(f"{source.title}\n{_file_name(source)}"))
    if _file_stem(source) in {word.text.casefold() for word in words(part.text)}:
        return True
    return any(called.issuperset(terms(name)) for name in (*part.anchors, *filter(None, [side])))


def _called(part: Question, side: str | None) -> tuple[str, ...]:
    """Return what a part is about, as it is called, with the side of a comparison that it is."""
    return (*part.subjects, *filter(None, [side]))


def _file_name(source: Source) -> str:
    return source.uri.rpartition("/")[2]


def _file_stem(source: Source) -> str:
    """Return the name of a file up to its first dot, its case folded."""
    return _file_name(source).partition(".")[0].casefold()


def _is_on_side(heading: str, part: Question) -> bool:
    """Return whether a heading speaks of a side of its subject that a part asks for, as its rationale."""
    return facet_coverage(part.facets, frozenset(terms(heading))) > 0
