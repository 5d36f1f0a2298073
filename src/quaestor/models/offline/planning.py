"""The planner: a question decomposed by its alternatives, clauses, chains, entities and facets."""

import re
from collections.abc import Iterator

from quaestor.contracts.plan import DraftTodo, PlanDraft, TodoKind
from quaestor.contracts.roles import PlanGiven
from quaestor.evidence.text import content_terms, words
from quaestor.models.offline.language import background, comparison
from quaestor.models.offline.question import Question, clauses, core_words, relation, take_apart
from quaestor.models.offline.summarising import shortened

_CREATED_FIRST = re.compile(
    r"^which \w*\s*(?:was|is|were) (?P<verb>\w+ed) (?:first|earlier|last|later)\b", re.IGNORECASE
)
_VERB = re.compile(r"^\w+ed (?=\w)|(?<=\w) \w+ed$")
_LONGEST_TASK = 2000
_MOST_TODOS = 7


def plan(given: PlanGiven) -> PlanDraft:
    """Plan two to seven todos; an analysis depends on what it sets side by side."""
    question = take_apart(given.question)
    most = max(2, min(given.max_todos, _MOST_TODOS))
    research = TodoKind.RESEARCH if TodoKind.RESEARCH in given.kinds else given.kinds[0]
    asked = f"{given.question} ({'; '.join(given.answers)})" if given.answers else given.question
    parts = clauses(given.question)
    if len(question.options) > 1:
        todos = _compared(question, asked, research, given.kinds, most)
    elif len(parts) > 1:
        todos = _one_by_one(parts, research, most)
    elif described := relation(given.question):
        todos = _chained(described.text, asked, research)
    else:
        todos = (
            _todo(asked, research),
            _todo(background(subject(question), question.text), research),
        )
    return PlanDraft(
        todos=tuple(todo.model_copy(update={"task": shortened(todo.task, _LONGEST_TASK)}) for todo in todos)
    )


def _todo(task: str, kind: TodoKind, dependencies: tuple[str, ...] = ()) -> DraftTodo:
    return DraftTodo(task=shortened(task, _LONGEST_TASK), kind=kind, dependencies=dependencies)


def subject(question: Question) -> str:
    """Name what a question is about: its titles, or else all its telling words."""
    if question.titles:
        return ", ".join(_marked(question, anchor) for anchor in question.anchors)
    return core_words(question) or question.text.strip()


def _compared(
    question: Question, asked: str, research: TodoKind, kinds: tuple[TodoKind, ...], most: int
) -> tuple[DraftTodo, ...]:
    sides = question.options[: most - 1] if TodoKind.ANALYSIS in kinds else question.options[:most]
    todos = [_todo(_side(question, side), research) for side in sides]
    if TodoKind.ANALYSIS in kinds and len(todos) < most:
        named = ", ".join(_marked(question, side) for side in sides)
        task = f"{comparison(named, question.text)} ({asked})"
        dependencies = tuple(f"t{place}" for place in range(1, len(todos) + 1))
        todos.append(_todo(task, TodoKind.ANALYSIS, dependencies=dependencies))
    return tuple(todos)


def _side(question: Question, side: str) -> str:
    """Phrase the task of researching one side of a comparison."""
    marked = _marked(question, side)
    dated = _CREATED_FIRST.match(question.text)
    if dated:
        return f"When was {marked} {dated['verb'].lower()}?"
    sides = {term for option in question.options for term in content_terms(option)}
    telling = [
        word.text
        for word in words(question.text)
        if sides.isdisjoint(own := content_terms(word.text)) and {*own} & {*question.core}
    ]
    return f"{marked}: {' '.join(telling)}" if telling else marked


def _one_by_one(parts: tuple[str, ...], research: TodoKind, most: int) -> tuple[DraftTodo, ...]:
    """Give every clause a todo; a clause that does not name the subject is told it."""
    about = _topic(take_apart(parts[0]))
    own = set(content_terms(about))
    tasks = [parts[0], *(part if own & set(content_terms(part)) else f"{part} ({about})" for part in parts[1:])]
    return tuple(_todo(task, research) for task in tasks[:most])


def _chained(described: str, asked: str, research: TodoKind) -> tuple[DraftTodo, ...]:
    return (
        _todo(described[:1].upper() + described[1:], research),
        _todo(asked, research, dependencies=("t1",)),
    )


def _marked(question: Question, name: str) -> str:
    return f'"{name}"' if name in question.titles else name


def _topic(question: Question) -> str:
    """Name the thing a clause is about: its titles and names, or else its longest run of telling words."""
    if question.anchors:
        return ", ".join(_marked(question, anchor) for anchor in question.anchors)
    longest = max(_telling_runs(question.text), key=lambda run: len(words(run)), default="")
    return _VERB.sub("", longest) or longest


def _telling_runs(text: str) -> Iterator[str]:
    """Give the runs of neighbouring words that are not small words."""
    spans: list[tuple[int, int]] = []
    for word in words(text):
        if not content_terms(word.text):
            continue
        joined = spans and not text[spans[-1][1] : word.start].strip()
        spans[-1:] = [(spans[-1][0], word.end)] if joined else [*spans[-1:], (word.start, word.end)]
    yield from (text[start:end] for start, end in spans)
