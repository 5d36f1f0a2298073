"""What a question asks for and no passage holds."""

from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import assert_never

from quaestor.contracts.immutable import replace
from quaestor.contracts.source import Source
from quaestor.contracts.tools import SimilarWord
from quaestor.evidence.block_lines import BlockKind
from quaestor.evidence.blocks import parse_blocks
from quaestor.evidence.retrieval.query import parse_query
from quaestor.evidence.stemming import held_stems, stemmed_terms
from quaestor.evidence.tables import DATA_SUFFIXES
from quaestor.evidence.tokenization import words as words_of
from quaestor.research.contracts.brief import AnswerProof, BriefPassage, CheckedAnswer
from quaestor.research.contracts.tools import LookedUp
from quaestor.research.offline.sentences.relevance import answers_kind
from quaestor.research.offline.words.dates import parse_partial_date
from quaestor.research.offline.words.extremes import asked_extremes, states_extremes
from quaestor.research.offline.words.field_names import field_words
from quaestor.research.offline.words.held_words import held_terms, may_name
from quaestor.research.offline.words.language import AnswerKind, asks_for_objections
from quaestor.research.offline.words.light_words import says_little
from quaestor.research.offline.words.question import Question, asks_for_amount, asks_for_list
from quaestor.research.offline.words.wording import (
    AskedWord,
    asked_language,
    asked_words,
    with_bare_versions,
    without_common_names,
)
from quaestor.research.reports.fixed_words import ReportWords
from quaestor.research.reports.languages import known_language, language_of_question

_RUNNING = frozenset({BlockKind.PROSE, BlockKind.ITEM})
_FEWEST_WORDS = 5
"""Words of a line that is one of running text."""
_FEWEST_LETTERS = 4
"""Letters with which another word must begin to be akin."""
_FIRST = 2
"""Passages that a reader sees first."""
_FEWEST_LACKING = 2
_MOST_SCATTERED = 2 / 3
"""Of the asked words, that one passage holds where these stand in many."""
_MAX_UNRELATED = 3
"""Beyond so many words a long question is told nothing by them."""


def find_gaps(
    question: Question,
    passages: Sequence[BriefPassage],
    sources: Mapping[str, Source],
    *,
    words: ReportWords,
    answer: AnswerProof | None,
    looked_up: LookedUp | None = None,
    similar: Sequence[SimilarWord] = (),
    common: AbstractSet[str] = frozenset(),
    held: frozenset[str] = frozenset(),
    other_languages: Sequence[str] | None = None,
) -> tuple[str, ...]:
    """Return what no passage holds: words and names, words that stand beside no name, a count, a list.

    A word is held where one of the `similar` is that was searched in its place. A name whose terms are all `common`
    ones is what the documents are all about: a passage about it need not name it. A word whose terms are `held` by
    other passages of the corpus is not told: nobody shall think that the documents are silent, and of 62 words that
    were told with the remark that others hold them 55 were of no use to a reader. `other_languages`: the newest
    documents, where many are in another language than the question.
    """
    language = asked_language(question.text)
    whole = with_bare_versions(asked_words(question.text, similar), common)
    bags = [_held(one, sources[one.source], language, whole) for one in passages]
    asked = without_common_names(whole, common)
    if answer:
        told = "\n".join((answer.label, *(f"{row.name} {row.quote.text}" for row in answer.rows)))
        bags.append(held_stems(told, language))
        named = [word for word in asked if word.is_name and not word.terms <= field_words()]
        mixed = () if other_languages is None else (_mixed_languages(other_languages, words),)
        return (*_absent(named, bags, words), *mixed)
    called = [held_terms(sources[one.source], "", "", language) for one in passages]
    together = frozenset[str]().union(*bags)
    asked = [noun for word in asked for noun in _as_nouns(word, called, bags, held)] if language == "de" else asked
    asked = [word for word in asked if word.is_name or word.stands_in(together) or not _has_akin(word.text, together)]
    asked = [word for word in asked if not says_little(word)]
    named = [word for word in asked if not (word.terms <= common or (word.is_name and _is_number_or_day(word.text)))]
    # A row need not repeat what its table is about.
    is_table = any(one.in_table for one in passages)
    elsewhere = {word.text for word in asked if word.is_single and not word.is_name and word.stands_in(held)}
    # In whose place others were searched is told by itself.
    known = elsewhere | {one.word for one in similar}
    missing = [word for word in asked if word.text not in known and not _may_be_named(word, passages, language)]
    is_foreign = _is_in_another_language(question, passages, sources)
    apart = () if is_table or parse_query(question.text).tells else _apart(question, named, bags, called, words)
    absent = (*((words.other_language,) if is_foreign else ()), *_absent(missing, bags, words), *apart)
    is_of_one_part = not is_table and len({one.part for one in passages}) == 1
    return (
        *((words.not_read,) if asks_for_objections(question.facets) else ()),
        *(absent or (_scattered(asked, bags, words) if is_of_one_part else ())),
        *_declined(question, passages, looked_up, words),
        *(() if is_foreign or other_languages is None else (_mixed_languages(other_languages, words),)),
    )


def _held(passage: BriefPassage, source: Source, language: str | None, asked: Sequence[AskedWord]) -> frozenset[str]:
    """Return the terms that a passage holds, with those of names that it is not said to lack: they stand above it.

    What stands in a row beside the marked one is shown, so that nothing can be said to hold it nowhere.
    """
    text = "\n".join(filter(None, (passage.context.text, passage.status)))
    held = held_terms(source, passage.heading, text, language, asked=asked)
    if passage.in_table:
        held |= held_terms(source, passage.heading, text, language, passage.in_table, asked=asked)
    names = (word for word in asked_words(passage.part) if word.is_name and word.text not in passage.absent)
    return held.union(*(name.terms for name in names))


def _as_nouns(
    word: AskedWord, called: Sequence[frozenset[str]], bags: Sequence[frozenset[str]], held: frozenset[str]
) -> Sequence[AskedWord]:
    """Return a German word with a capital as the noun that it mostly is, unless a document is called by it.

    Several in a row are each one ("Kubikmeter Wasser") where the documents have one of them and no passage has them
    all; a month among them is a date.
    """
    if not word.is_name or any(map(word.stands_in, called)):
        return (word,)
    if " " not in word.text:
        pieces = tuple(frozenset([term]) for term in sorted(word.terms)) if len(word.terms) > 1 else ()
        return (replace(word, is_name=False, pieces=pieces),)
    parts = [AskedWord(one, frozenset(stemmed_terms(one, "de")), is_name=False) for one in word.text.split()]
    nouns = [one for one in parts if not _is_number_or_day(one.text)]
    is_one = len(nouns) == len(parts) and not any(one.stands_in(bag) for one in nouns for bag in (*bags, held))
    return (word,) if is_one or any(map(word.stands_in, bags)) else nouns


def _has_akin(word: str, held: frozenset[str]) -> bool:
    """Return whether a term begins with two thirds of a word, or four letters: it may be another form of the word.

    So "registration" tells of "register" and "handwritten" of "handwriting".
    """
    beginning = word.casefold()[: max(_FEWEST_LETTERS, -(-2 * len(word) // 3))]
    return len(beginning) >= _FEWEST_LETTERS and any(term.startswith(beginning) for term in held)


def _is_number_or_day(text: str) -> bool:
    """Return whether a name is but a number or a day: what is asked of it need not stand beside it."""
    return not any(map(str.isalpha, text)) or parse_partial_date(text) is not None


def _mixed_languages(newest: Sequence[str], words: ReportWords) -> str:
    """Return that many documents are in another language than the question.

    The `newest` of them are named: what they say may be later than all that is shown.
    """
    titles = ", ".join(f"“{title}”" for title in newest)
    return " ".join((words.mixed_languages, *([words.newest_in_others.format(titles=titles)] if newest else ())))


def _is_in_another_language(
    question: Question, passages: Sequence[BriefPassage], sources: Mapping[str, Source]
) -> bool:
    """Return whether running text of the first passage is in another language, and that of no passage in the same.

    Of a text in two languages the marked sentence counts.
    """
    asked = language_of_question(question.text)
    prose = [_running_text(one, sources[one.source]) for one in passages]
    told = [known_language(one) if one else None for one in prose]
    marked = {known_language(one.text) for one, said in zip(passages, prose, strict=True) if said}
    return asked is not None and told[:1] != [None] and bool(told) and asked not in {*told, *marked}


def _running_text(passage: BriefPassage, source: Source) -> str:
    """Return the prose of a passage whose lines are long enough to tell a language: rows and names do not."""
    text = passage.context.text
    blocks = () if passage.in_table or source.uri.casefold().endswith(tuple(DATA_SUFFIXES)) else parse_blocks(text)
    prose = "\n".join(text[one.start : one.end] for one in blocks if one.kind in _RUNNING)
    return "\n".join(line for line in prose.splitlines() if len(words_of(line)) >= _FEWEST_WORDS)


def _absent(asked: Sequence[AskedWord], bags: Sequence[frozenset[str]], words: ReportWords) -> Iterator[str]:
    held = frozenset[str]().union(*bags)
    names = [word for word in asked if word.is_name and not any(word.stands_in(bag) for bag in bags)]
    others = [word for word in asked if not word.is_name and not word.stands_in(held)]
    if names:
        yield words.none_names.format(words=_listed(names))
    if others:
        yield words.none_holds.format(words=_listed(others))


def _may_be_named(word: AskedWord, passages: Sequence[BriefPassage], language: str | None) -> bool:
    return word.is_name and any(may_name(one.context.text, word.text, language) for one in passages)


def _apart(
    question: Question,
    asked: Sequence[AskedWord],
    bags: Sequence[frozenset[str]],
    called: Sequence[frozenset[str]],
    words: ReportWords,
) -> tuple[str, ...]:
    """Return what stands in passages, but in none with what the question names; of sides only beside their subject."""
    unrelated = tuple(_unrelated(asked, bags, called, words))
    return unrelated or (() if len(question.options) > 1 else tuple(_never_together(asked, bags, words)))


def _unrelated(
    asked: Sequence[AskedWord], bags: Sequence[frozenset[str]], called: Sequence[frozenset[str]], words: ReportWords
) -> Iterator[str]:
    """Return the words that stand in passages, but in none that names what the question is about.

    That is what documents of the passages are called by, among several names: "Who translated PEP 465 into French?"
    A quoted phrase in small letters names nothing: what holds its words need not be about it.
    """
    names = [word for word in asked if word.is_name and not (" " in word.text and word.text.islower())]
    subjects = [name for name in names if any(name.stands_in(title) for title in called)] or names
    naming = [bag for bag in bags if any(name.stands_in(bag) for name in subjects)]
    if not naming:
        return
    beside, everywhere = frozenset[str]().union(*naming), frozenset[str]().union(*bags)
    others = [word for word in asked if word not in subjects]
    apart = [word for word in others if _stands(word, bags, everywhere) and not _stands(word, naming, beside)]
    if 0 < len(apart) <= _MAX_UNRELATED:
        yield words.none_beside.format(names=_listed(subjects, f" {words.or_} "), words=_listed(apart))


def _never_together(asked: Sequence[AskedWord], bags: Sequence[frozenset[str]], words: ReportWords) -> Iterator[str]:
    """Return that of the two names of a question, each of which stands in some passage, none holds both."""
    match [word for word in asked if word.is_name]:
        case [first, second]:
            held = [(first.stands_in(bag), second.stands_in(bag)) for bag in bags]
            if (True, True) not in held and (True, False) in held and (False, True) in held:
                yield words.none_beside.format(names=_listed([first]), words=_listed([second]))
        case _:
            pass


def _scattered(asked: Sequence[AskedWord], bags: Sequence[frozenset[str]], words: ReportWords) -> Iterator[str]:
    """Return that each passage holds but a part of what is asked, though together they hold all words.

    Of 46 questions of strangers that no document answers eleven were told so and nothing else, of 425 others 46, for
    25 of which no passage held the answer.
    """
    lacking = [[word for word in asked if not word.stands_in(bag)] for bag in bags]
    fewest = min(lacking, key=len, default=[])
    if len(fewest) >= _FEWEST_LACKING and len(asked) - len(fewest) <= _MOST_SCATTERED * len(asked):
        number = lacking.index(fewest) + 1
        held = len(asked) - len(fewest)
        yield words.scattered.format(held=held, asked=len(asked), number=number, words=_listed(fewest))


def _stands(word: AskedWord, bags: Sequence[frozenset[str]], together: frozenset[str]) -> bool:
    """Return whether a word stands in some text: a name in one of them, whole."""
    return any(map(word.stands_in, bags)) if word.is_name else word.stands_in(together)


def _declined(
    question: Question, passages: Sequence[BriefPassage], looked_up: LookedUp | None, words: ReportWords
) -> Iterator[str]:
    extremes = asked_extremes(question.text)
    if looked_up and looked_up.refusal:
        yield _refused(looked_up.kind, words).format(reason=looked_up.refusal)
    elif question.wanted is AnswerKind.NUMBER and not asks_for_amount(question.text):
        # Rows have numbers, and some of those that count may not be shown.
        if not any(answers_kind(one.text, question) and not one.in_table for one in passages[:_FIRST]):
            yield words.no_count
    elif extremes and not any(states_extremes(one.context.text, extremes) for one in passages):
        yield words.no_extreme
    elif asks_for_list(question.text):
        yield words.no_list


def _refused(kind: CheckedAnswer, words: ReportWords) -> str:
    """Return the sentence that says what is not given, for the kind of answer that was looked up."""
    match kind:
        case CheckedAnswer.COUNT:
            return words.count_refused
        case CheckedAnswer.CALCULATION:
            return words.calculation_refused
        case CheckedAnswer.LIST:
            return words.list_refused
        case CheckedAnswer.FIELD | CheckedAnswer.DATE:
            return words.cell_refused
        case never:
            assert_never(never)


def _listed(asked: Sequence[AskedWord], joined: str = ", ") -> str:
    return joined.join(f"“{word.text}”" for word in asked)
