"""The planner: a question decomposed by its alternatives, clauses, chains, entities and facets."""

import re

from quaestor.evidence.tokenization import content_terms, shorten, terms, words
from quaestor.research.contracts.plan import DraftTodo, PlanDraft, PlanUpdate, TodoKind, TodoStatus
from quaestor.research.contracts.roles import ClarifyInput, Clarity, PlanInput, ReviewInput
from quaestor.research.offline.alternatives import question_per_alternative
from quaestor.research.offline.language import (
    ACTION_WORDS,
    QUESTION_MARKS,
    AnswerKind,
    answer_kind,
    background_task,
    comparison_task,
    detect_language,
    introduction_task,
    is_unspaced,
    join_names,
    stems_of,
)
from quaestor.research.offline.question import Question, find_relation, parse_question, split_clauses
from quaestor.research.offline.subjects import capitalize, subject_phrase

_CREATED_FIRST = re.compile(
    r"^which \w*\s*(?:was|is|were) (?P<verb>\w+ed) (?:first|earlier|last|later)\b", re.IGNORECASE
)
_SUBJECT_PRONOUN = re.compile(r"\b(?:they|it|them|he|she|him|her)\b", re.IGNORECASE)
_WHERE = re.compile(
    r"(?:differ|compare|different)? ?\b(?P<where>(?:in|for|on|at|under|within) (?!what|which|whom)[^?]+)\W*$",
    re.IGNORECASE,
)
_MAX_TASK_LENGTH = 2000
_MAX_TODOS = 7


def draft_plan(given: PlanInput) -> PlanDraft:
    """Plan two to seven todos; what asks for a side of something depends on the todo that finds what it is."""
    question = parse_question(given.question)
    most = max(2, min(given.max_todos, _MAX_TODOS))
    research = TodoKind.RESEARCH if TodoKind.RESEARCH in given.kinds else given.kinds[0]
    asked = f"{given.question} ({'; '.join(given.answers)})" if given.answers else given.question
    parts = split_clauses(given.question)
    if len(question.options) > 1:
        todos = _comparison_todos(question, research, given.kinds, most)
    elif len(parts) > 1:
        todos = _clause_todos(parts, research, most)
    elif _asks_for_facet(question):
        about = introduction_task(subject_phrase(question), question.text)
        todos = (_todo(about, research), _todo(asked, research, ("t1",)))
    elif described := find_relation(given.question):
        todos = (_todo(capitalize(described.text), research), _todo(asked, research, ("t1",)))
    else:
        todos = (_todo(asked, research), _todo(background_task(subject_phrase(question), question.text), research))
    return PlanDraft(todos=todos)


def _todo(task: str, kind: str, dependencies: tuple[str, ...] = ()) -> DraftTodo:
    return DraftTodo(task=shorten(task, _MAX_TASK_LENGTH), kind=kind, dependencies=dependencies)


def _asks_for_facet(question: Question) -> bool:
    """Return whether a question asks for prose on one side of a thing, such as its reasons."""
    return bool(question.facets) and question.wanted is AnswerKind.PROSE and not is_unspaced(question.text)


def _comparison_todos(question: Question, research: str, kinds: tuple[str, ...], most: int) -> tuple[DraftTodo, ...]:
    """Return a todo for every alternative, and an analysis that compares them."""
    sides = question.options[: most - 1] if TodoKind.ANALYSIS in kinds else question.options[:most]
    tasks = _task_per_alternative(question)[: len(sides)]
    todos = [_todo(task, research) for task in tasks]
    if TodoKind.ANALYSIS in kinds and len(todos) < most:
        named = join_names([_quote_if_title(question, side) for side in sides], question.text)
        dependencies = tuple(f"t{place}" for place in range(1, len(todos) + 1))
        task = capitalize(comparison_task(named, question.text))
        todos.append(_todo(task, TodoKind.ANALYSIS, dependencies=dependencies))
    return tuple(todos)


def _task_per_alternative(question: Question) -> tuple[str, ...]:
    """Phrase the task of researching each side of a comparison."""
    marked = tuple(_quote_if_title(question, side) for side in question.options)
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
        return tuple(capitalize(f"{side} {where['where'].strip()}") for side in marked)
    if alone := () if _is_comparison(question) else question_per_alternative(question.text, question.options):
        return alone
    return tuple(capitalize(f"{side}: {' '.join(telling)}" if telling else side) for side in marked)


def _is_comparison(question: Question) -> bool:
    return any(facet.name == "differences" for facet in question.facets) or question.wanted is AnswerKind.YES_NO


def _clause_todos(parts: tuple[str, ...], research: str, most: int) -> tuple[DraftTodo, ...]:
    """Return a todo for every clause that names the subject of the first; prose about it waits for what it is."""
    asked = [parse_question(part) for part in parts]
    about = subject_phrase(asked[0])
    tasks = [_with_question_mark(parts[0]), *(_name_subject(clause, about) for clause in asked[1:])]
    if any(_asks_for_facet(clause) for clause in asked) and len(tasks) < most:
        first = _todo(introduction_task(about, parts[0]), research)
        return (first, *(_todo(task, research, ("t1",)) for task in tasks[: most - 1]))
    return tuple(_todo(task, research) for task in tasks[:most])


def _name_subject(clause: Question, about: str) -> str:
    """Phrase a clause so that it names the subject: as it stands, as a heading, or with its pronoun replaced."""
    if {*content_terms(about)} & {*clause.terms} or is_unspaced(clause.text):
        return _with_question_mark(clause.text)
    facet = next(iter(clause.facets), None)
    if (
        facet
        and stems_of(f"{facet.asked} {ACTION_WORDS}").issuperset(clause.terms)
        and detect_language(clause.text) == "en"
    ):
        return facet.heading.format(about)
    named, count = _SUBJECT_PRONOUN.subn(about, clause.text, count=1)
    return (
        _with_question_mark(named)
        if count
        else capitalize(f"{about}: {_with_question_mark(clause.text, capital=False)}")
    )


def _with_question_mark(clause: str, *, capital: bool = True) -> str:
    """End a clause that asks with a question mark."""
    asks = answer_kind(clause) is not AnswerKind.PROSE or re.match(r"(?:why|how|what)\b", clause, re.IGNORECASE)
    ended = f"{clause}?" if asks and not is_unspaced(clause) and clause[-1] not in QUESTION_MARKS else clause
    return capitalize(ended) if capital else ended


def _quote_if_title(question: Question, name: str) -> str:
    return f'"{name}"' if name in question.titles else name


_ANY_PRONOUN = re.compile(r"\b(?:it|he|she|they|him|her|them|its|his|their|this|that|these|those)\b", re.IGNORECASE)
_SPECIFIC_WORD = re.compile(r"(?<!\A)(?<![.!?] )\b[A-Z]\w+|\d|[\"“'`]\w")
"""A capital within a sentence, a number or a quotation: then there is something to set out from."""


def clarify(given: ClarifyInput) -> Clarity:
    """Call a question clear when it, or what was said before, holds a telling word and no pronoun stands alone."""
    said = " ".join((given.question, *given.context))
    if not content_terms(said):
        question = f"What is {given.question.strip()!r} about: which subject, name or title?"
        return Clarity(is_clear=False, questions=(question,))
    pronoun = _ANY_PRONOUN.search(given.question)
    if (
        pronoun
        and not given.context
        and not _SPECIFIC_WORD.search(given.question)
        and _has_single_content_word(given.question)
    ):
        question = f"Whom or what does {pronoun[0]!r} mean in {given.question.strip()!r}?"
        return Clarity(is_clear=False, questions=(question,))
    return Clarity(is_clear=True)


def _has_single_content_word(question: str) -> bool:
    """Return whether the pronoun is all that a question is about: it holds one telling word beside it."""
    return len(content_terms(question)) == 1


def review(given: ReviewInput) -> PlanUpdate:
    """Return how the todo ended, with a follow-up if the plan forgot a name of the question and there is room."""
    failed = given.status is TodoStatus.FAILED
    return PlanUpdate(
        completed_todo_id=given.todo_id,
        outcome=given.result or "; ".join(given.gaps) or given.task,
        status="failed" if failed else "done",
        new_todos=() if failed or not given.room else _missing_names(given)[:1],
    )


def _missing_names(given: ReviewInput) -> tuple[str, ...]:
    """Phrase a todo for every name of the question that stands in no task."""
    planned = frozenset(terms("\n".join((given.task, given.result, *(line.task for line in given.plan)))))
    return tuple(
        f"{anchor}: {given.question.strip()}"
        for anchor in parse_question(given.question).anchors
        if not planned.intersection(terms(anchor))
    )
