"""Sentences that are marked beside the best ones, for what these leave unsaid of a task."""

from collections.abc import Iterator, Sequence

from quaestor.evidence.tokenization import terms
from quaestor.research.offline.sentences.extract import Extract
from quaestor.research.offline.sentences.relevance import holds_answer_kind
from quaestor.research.offline.words.alternatives import find_side
from quaestor.research.offline.words.correction_words import DENIAL
from quaestor.research.offline.words.field_names import key_of_list
from quaestor.research.offline.words.language import AUTHOR_WORDS, AnswerKind, stems_of
from quaestor.research.offline.words.question import Question
from quaestor.research.offline.words.wording import asked_words

_NEAR = 0.5
"""The least share of the best score that a sentence has which is set beside the best."""
_FEW = 4
"""Words of a task of which most are less than three."""
_COUNTABLE = frozenset((AnswerKind.DATE, AnswerKind.DURATION, AnswerKind.NUMBER))


def find_complements(
    chosen: Sequence[Extract],
    scored: Sequence[tuple[float, Extract]],
    readable: Sequence[Extract],
    task: Question,
    question: Question,
    *,
    is_first: bool,
) -> tuple[Extract, ...]:
    """Return the sentences that say what the chosen ones leave unsaid, each once.

    The `scored` ones are those of the evidence with their scores, the `readable` ones all that were found. `is_first`:
    no sentences were chosen before these.
    """
    return tuple(
        dict.fromkeys(
            (
                *_of_missing_words(chosen, readable, task),
                *(_beside_name(chosen, scored, task) if is_first else ()),
                *_of_missing_names(chosen, readable, task),
                *_of_authors(chosen, readable, task),
                *_of_asked_kind(chosen, scored, task),
                *_that_denies(scored, task),
                *_of_named_document(chosen, scored, task),
                *_of_one_side(chosen, scored, task, question),
            )
        )
    )


def _of_missing_words(chosen: Sequence[Extract], readable: Sequence[Extract], task: Question) -> Iterator[Extract]:
    """Yield the sentence that holds most of the words of a task that no chosen one holds, if these hold few of them.

    Else the one rare word of a task outweighs its subject, which many sentences name.
    """
    core = frozenset(task.core)
    held = [core & (one.said | one.neighbor_terms) for one in chosen]
    if not held or 2 * max(map(len, held)) > len(core):
        return
    missing = core.difference(*held)
    best = max(readable, key=lambda one: (len(one.own & missing), len(one.said & core), -one.rank, -one.place))
    if best.own & missing:
        yield best


def _of_missing_names(chosen: Sequence[Extract], readable: Sequence[Extract], task: Question) -> Iterator[Extract]:
    """Yield for each name of a task that no chosen sentence holds, or stands under, the one that has most beside it.

    Several sentences with the words for one name outweigh the only row of a table with the other.
    """
    core = frozenset(task.core)
    held = frozenset[str]().union(*(one.said | one.neighbor_terms for one in chosen))
    for name in (frozenset(terms(name)) for name in task.anchors):
        having = [one for one in readable if name and name <= one.own] if not name <= held else []
        if having:
            yield max(having, key=lambda one: (len(one.said & core), -one.rank, -one.place))


def _beside_name(
    chosen: Sequence[Extract], scored: Sequence[tuple[float, Extract]], task: Question
) -> Iterator[Extract]:
    """Yield for each name of a task a sentence of a document called so, if no chosen one of it holds anything else.

    The one that holds most of the rest. Such a document seldom repeats its name, and says first what it is, which
    alone answers nothing.
    """
    for name in (frozenset(terms(name)) for name in task.anchors):
        rest = frozenset(task.core) - name
        if not any(_is_called(one, name) and one.own & rest for one in chosen):
            own = [(len(one.own & rest), score, one) for score, one in scored if _is_called(one, name)]
            most, _, best = max(
                own, key=lambda each: (*each[:2], -each[2].rank, -each[2].place), default=(0, 0.0, None)
            )
            if most and best:
                yield best


def _of_authors(chosen: Sequence[Extract], readable: Sequence[Extract], task: Question) -> Iterator[Extract]:
    """Yield the first author in the header of the document that a task names, where it asks who wrote that.

    The field has other words than the task, and often a list below it, so that no line of it is near the task.
    """
    authors = stems_of(AUTHOR_WORDS)
    is_asked = task.wanted is AnswerKind.PERSON and not authors.isdisjoint(task.terms)
    for name in (frozenset(terms(name)) for name in task.anchors if is_asked):
        own = (one for one in readable if _is_called(one, name) and not one.claim.endswith(":"))
        fields = (one for one in own if (one.key or _called(one)) & authors)
        field = min(fields, key=lambda one: (one.rank, one.place), default=None)
        if field and field not in chosen:
            yield field


def _called(extract: Extract) -> frozenset[str]:
    """Return the terms of what a line is one of: the key of the list that it begins, or the heading above it."""
    return stems_of(key_of_list(extract.passage.text, extract.start)) | extract.section.head


def _of_asked_kind(
    chosen: Sequence[Extract], scored: Sequence[tuple[float, Extract]], task: Question
) -> Iterator[Extract]:
    """Yield the best sentence with a date, a time or a number, where a task asks for one and no chosen sentence has it.

    It holds every word of the task, with what stands above it: else it is another number.
    """
    asked = asked_words(task.text) if task.wanted in _COUNTABLE else ()
    answers = [
        (score, one)
        for score, one in scored
        if asked and all(word.stands_in(one.said) for word in asked) and holds_answer_kind(one.claim, task.wanted)
    ]
    if answers and not any(one in chosen for _, one in answers):
        yield max(answers, key=lambda pair: (pair[0], -pair[1].rank, -pair[1].place))[1]


def _that_denies(scored: Sequence[tuple[float, Extract]], task: Question) -> Iterator[Extract]:
    """Yield the best sentence with two words of a task that says no, where yes or no is asked.

    What is supported is told in more words than what is not, and would be taken for a yes. One that says no in most
    words of a task may be far behind the best, as what all documents are about counts little.
    """
    if task.wanted is not AnswerKind.YES_NO:
        return
    core, best = frozenset(task.core), max((score for score, _ in scored), default=0.0)
    denying = [
        (score, one)
        for score, one in scored
        if one.is_prose
        and len(shared := one.own & core) > 1
        and (score >= _NEAR * best or (2 * len(shared) > len(core) > _FEW))
        and DENIAL.search(one.claim)
    ]
    if denying:
        yield max(denying, key=lambda pair: (pair[0], -pair[1].rank, -pair[1].place))[1]


def _of_named_document(
    chosen: Sequence[Extract], scored: Sequence[tuple[float, Extract]], task: Question
) -> Iterator[Extract]:
    """Yield the best sentence with a date where a task asks when, of the document that it names, if no chosen one has.

    What such a document tells of its subject seldom repeats the name, and may have other words for what is asked.
    """
    names = [frozenset(terms(name)) for name in task.anchors] if task.wanted is AnswerKind.DATE else []
    own = [(score, one) for score, one in scored if one.is_prose and any(_is_called(one, name) for name in names)]
    dated = [pair for pair in own if holds_answer_kind(pair[1].claim, task.wanted)]
    if dated and not any(one in chosen for _, one in dated):
        yield max(dated, key=lambda pair: (pair[0], -pair[1].rank, -pair[1].place))[1]


def _is_called(extract: Extract, name: frozenset[str]) -> bool:
    return bool(name) and name <= extract.document


def _of_one_side(
    chosen: Sequence[Extract], scored: Sequence[tuple[float, Extract]], task: Question, question: Question
) -> Iterator[Extract]:
    """Yield of a comparison the best sentence that names the side of a task and no other, if no chosen one does.

    Those that name several sides share more words with the question, and tell of none what it is.
    """
    side = find_side(task.text, question.options) if len(question.options) > 1 else None
    if side is None:
        return
    own = frozenset(terms(side))
    others = [frozenset(terms(option)) - own for option in question.options if option != side]
    alone = [
        (score, one)
        for score, one in scored
        if own <= one.own and not any(other and other <= one.own for other in others)
    ]
    if alone and not any(one in chosen for _, one in alone):
        yield max(alone, key=lambda pair: (pair[0], -pair[1].rank, -pair[1].place))[1]
