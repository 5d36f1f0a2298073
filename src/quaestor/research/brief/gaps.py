"""What a question asks for and no passage holds."""

from collections.abc import Iterator, Mapping, Sequence

from quaestor.contracts.source import Source
from quaestor.research.brief.wording import AskedWord, asked_language, asked_words, held_terms
from quaestor.research.contracts.brief import BriefPassage, CheckedAnswer
from quaestor.research.contracts.tools import LookedUp
from quaestor.research.offline.language import AnswerKind, asks_for_objections
from quaestor.research.offline.question import Question, asks_for_list

_MAX_UNRELATED = 3
"""Beyond so many words a long question is told nothing by them."""
_NO_COUNT = "The question asks for a number of things; no field or table that was found gives it, so none is given."
_NO_LIST = "The question asks for a list; no field or table that was found gives it whole, so none is given."
_NOT_READ = (
    "The question asks for what was said against something. Whether a passage says so is not known: "
    "these only share words with the question."
)
_NOT_WHOLE = {
    CheckedAnswer.COUNT: "The question asks for a number of things, and none is given: {}.",
    CheckedAnswer.LIST: "The question asks for a list, and none is given: {}.",
}


def find_gaps(
    question: Question,
    passages: Sequence[BriefPassage],
    sources: Mapping[str, Source],
    *,
    answered: bool,
    looked_up: LookedUp | None = None,
) -> tuple[str, ...]:
    """Return what no passage holds: words and names, words that stand beside no name, a count, a list."""
    language = asked_language(question.text)
    bags = [held_terms(sources[one.source], one.heading, one.context.text, language) for one in passages]
    asked = asked_words(question.text)
    if answered:
        return tuple(_absent([word for word in asked if word.is_name], bags))
    return (*_unread_sides(question), *_absent(asked, bags), *_unrelated(asked, bags), *_declined(question, looked_up))


def _unread_sides(question: Question) -> Iterator[str]:
    """Return that nobody knows what passages say for or against something, where the question asks for it."""
    if asks_for_objections(question.facets):
        yield _NOT_READ


def _absent(asked: Sequence[AskedWord], bags: Sequence[frozenset[str]]) -> Iterator[str]:
    held = frozenset[str]().union(*bags)
    names = [word for word in asked if word.is_name and not any(word.stands_in(bag) for bag in bags)]
    others = [word for word in asked if not word.is_name and not word.stands_in(held)]
    if names:
        yield f"None of these passages names {_listed(names)}."
    if others:
        yield f"None of these passages holds {_listed(others)}."


def _unrelated(asked: Sequence[AskedWord], bags: Sequence[frozenset[str]]) -> Iterator[str]:
    """Return the words that stand in passages, but in none that names what the question names."""
    names = [word for word in asked if word.is_name]
    naming = [bag for bag in bags if any(name.stands_in(bag) for name in names)]
    if not naming:
        return
    beside, everywhere = frozenset[str]().union(*naming), frozenset[str]().union(*bags)
    apart = [word for word in asked if not word.is_name and word.stands_in(everywhere) and not word.stands_in(beside)]
    if 0 < len(apart) <= _MAX_UNRELATED:
        yield f"None of these passages that names {_listed(names, ' or ')} holds {_listed(apart)}."


def _declined(question: Question, looked_up: LookedUp | None) -> Iterator[str]:
    if looked_up and looked_up.refusal:
        yield _NOT_WHOLE[looked_up.kind].format(looked_up.refusal)
    elif question.wanted is AnswerKind.NUMBER:
        yield _NO_COUNT
    elif asks_for_list(question.text):
        yield _NO_LIST


def _listed(asked: Sequence[AskedWord], joined: str = ", ") -> str:
    return joined.join(f"“{word.text}”" for word in asked)
