"""The planner: a question decomposed by its alternatives, clauses, chains, entities and facets."""

import re

from quaestor.contracts.plan import DraftTodo, PlanDraft, TodoKind
from quaestor.contracts.roles import PlanGiven
from quaestor.evidence.text import content_terms, words
from quaestor.models.offline.language import (
    ACTS,
    QUESTION_MARKS,
    Wanted,
    background,
    comparison,
    enumeration,
    introduction,
    is_unspaced,
    language,
    stems_of,
    wanted,
)
from quaestor.models.offline.options import one_at_a_time
from quaestor.models.offline.question import Question, clauses, relation, take_apart
from quaestor.models.offline.subjects import capitalised, subject
from quaestor.models.offline.summarising import shortened

_CREATED_FIRST = re.compile(
    r"^which \w*\s*(?:was|is|were) (?P<verb>\w+ed) (?:first|earlier|last|later)\b", re.IGNORECASE
)
_PRONOUN = re.compile(r"\b(?:they|it|them|he|she|him|her)\b", re.IGNORECASE)
_WHERE = re.compile(
    r"(?:differ|compare|different)? ?\b(?P<where>(?:in|for|on|at|under|within) (?!what|which|whom)[^?]+)\W*$",
    re.IGNORECASE,
)
_LONGEST_TASK = 2000
_MOST_TODOS = 7


def plan(given: PlanGiven) -> PlanDraft:
    """Plan two to seven todos; what asks for a side of something depends on the todo that finds what it is."""
    question = take_apart(given.question)
    most = max(2, min(given.max_todos, _MOST_TODOS))
    research = TodoKind.RESEARCH if TodoKind.RESEARCH in given.kinds else given.kinds[0]
    asked = f"{given.question} ({'; '.join(given.answers)})" if given.answers else given.question
    parts = clauses(given.question)
    if len(question.options) > 1:
        todos = _compared(question, research, given.kinds, most)
    elif len(parts) > 1:
        todos = _one_by_one(parts, research, most)
    elif _asks_for_a_side(question):
        about = introduction(subject(question), question.text)
        todos = (_todo(about, research), _todo(asked, research, ("t1",)))
    elif described := relation(given.question):
        todos = (_todo(capitalised(described.text), research), _todo(asked, research, ("t1",)))
    else:
        todos = (_todo(asked, research), _todo(background(subject(question), question.text), research))
    return PlanDraft(todos=todos)


def _todo(task: str, kind: TodoKind, dependencies: tuple[str, ...] = ()) -> DraftTodo:
    return DraftTodo(task=shortened(task, _LONGEST_TASK), kind=kind, dependencies=dependencies)


def _asks_for_a_side(question: Question) -> bool:
    """Tell whether a question asks for prose on one side of a thing, such as its reasons."""
    return bool(question.facets) and question.wanted is Wanted.PROSE and not is_unspaced(question.text)


def _compared(question: Question, research: TodoKind, kinds: tuple[TodoKind, ...], most: int) -> tuple[DraftTodo, ...]:
    """Give every alternative a todo, and an analysis that sets them side by side."""
    sides = question.options[: most - 1] if TodoKind.ANALYSIS in kinds else question.options[:most]
    tasks = _asked_of_each(question)[: len(sides)]
    todos = [_todo(task, research) for task in tasks]
    if TodoKind.ANALYSIS in kinds and len(todos) < most:
        named = enumeration([_marked(question, side) for side in sides], question.text)
        dependencies = tuple(f"t{place}" for place in range(1, len(todos) + 1))
        task = capitalised(comparison(named, question.text))
        todos.append(_todo(task, TodoKind.ANALYSIS, dependencies=dependencies))
    return tuple(todos)


def _asked_of_each(question: Question) -> tuple[str, ...]:
    """Phrase the task of researching each side of a comparison."""
    marked = tuple(_marked(question, side) for side in question.options)
    if dated := _CREATED_FIRST.match(question.text):
        return tuple(f"When was {side} {dated['verb'].lower()}?" for side in marked)
    sides = {term for option in question.options for term in content_terms(option)}
    telling = [
        word.text
        for word in words(question.text)
        if sides.isdisjoint(own := content_terms(word.text)) and {*own} & {*question.core}
    ]
    where = _WHERE.search(question.text)
    if where and not sides & {*content_terms(where["where"])} and " ".join(telling) in where["where"]:
        return tuple(capitalised(f"{side} {where['where'].strip()}") for side in marked)
    if alone := () if _sets_against(question) else one_at_a_time(question.text, question.options):
        return alone
    return tuple(capitalised(f"{side}: {' '.join(telling)}" if telling else side) for side in marked)


def _sets_against(question: Question) -> bool:
    return any(facet.name == "differences" for facet in question.facets) or question.wanted is Wanted.YES_NO


def _one_by_one(parts: tuple[str, ...], research: TodoKind, most: int) -> tuple[DraftTodo, ...]:
    """Give every clause a todo that names the subject of the first; prose about it waits for what it is."""
    asked = [take_apart(part) for part in parts]
    about = subject(asked[0])
    tasks = [_question(parts[0]), *(_told(clause, about) for clause in asked[1:])]
    if any(_asks_for_a_side(clause) for clause in asked) and len(tasks) < most:
        first = _todo(introduction(about, parts[0]), research)
        return (first, *(_todo(task, research, ("t1",)) for task in tasks[: most - 1]))
    return tuple(_todo(task, research) for task in tasks[:most])


def _told(clause: Question, about: str) -> str:
    """Phrase a clause so that it names the subject: as it stands, as a heading, or with its pronoun replaced."""
    if {*content_terms(about)} & {*clause.terms} or is_unspaced(clause.text):
        return _question(clause.text)
    facet = next(iter(clause.facets), None)
    if facet and stems_of(f"{facet.asked} {ACTS}").issuperset(clause.terms) and language(clause.text) == "en":
        return facet.heading.format(about)
    named, count = _PRONOUN.subn(about, clause.text, count=1)
    return _question(named) if count else capitalised(f"{about}: {_question(clause.text, capital=False)}")


def _question(clause: str, *, capital: bool = True) -> str:
    """End a clause that asks with a question mark."""
    asks = wanted(clause) is not Wanted.PROSE or re.match(r"(?:why|how|what)\b", clause, re.IGNORECASE)
    ended = f"{clause}?" if asks and not is_unspaced(clause) and clause[-1] not in QUESTION_MARKS else clause
    return capitalised(ended) if capital else ended


def _marked(question: Question, name: str) -> str:
    return f'"{name}"' if name in question.titles else name
