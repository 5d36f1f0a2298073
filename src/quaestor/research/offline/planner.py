"""The clarifier, the planner and the reviewer: a question taken apart by its sides and clauses, and never added to."""

import re

from quaestor.evidence.retrieval.query import parse_query
from quaestor.evidence.tokenization import content_terms, sentence_spans, shorten, terms, words
from quaestor.research.contracts.plan import DraftTodo, PlanDraft, TodoKind
from quaestor.research.contracts.roles import ClarifyInput, Clarity, PlanInput
from quaestor.research.offline.words.alternatives import question_per_alternative
from quaestor.research.offline.words.language import AnswerKind, is_unspaced, join_names
from quaestor.research.offline.words.question import Question, core_words, find_relation, parse_question, split_clauses

_MAX_TASK_LENGTH = 2000
_MAX_TODOS = 7
_MAX_NAMES = 3
_PRONOUN = re.compile(
    r"\b(?:it|he|she|they|him|her|them|its|his|their|this|that|these|those|the same|there)\b", re.IGNORECASE
)
_DEFINED = re.compile(r"\W*what (?:is|was) (?:meant by )?an? (?P<subject>[^,;:?()]{2,60}?)\W*\Z", re.IGNORECASE)
"""A question for a thing with all of its words: a lid of tin, and not tin alone where that is a name."""
_SUBJECT_PRONOUN = re.compile(r"\b(?:they|it|them|he|she|him|her)\b", re.IGNORECASE)
_ABOUT = re.compile(r"\s+(?:about|on|for)\s+[^,;?]{3,60}(?=[,;?]|\Z)")
"""Behind a name, what the thing that it names is about: "the RFC about lids"."""
_MANY = frozenset({"they", "them"})
_WITHIN_QUESTION = re.compile(
    r"\b(?:is|are|was|were|be|been|has|have|had) there\b"
    r"|\bthere (?:is|are|was|were|has|have|had|will|would|may|might|must|can)\b"
    r"|\bthere(?:'s|\u2019s|'re|\u2019re)(?!\w)"
    r"|\bwhose [\w-]+ (?:(?:is|was) (?:it|this|that)|(?:are|were) (?:they|these|those))\b"
    r"|\b(?:what (?:time|day|date|month|year)|how (?:far|late|cold|warm|hot)) (?:is|was) it\b",
    re.IGNORECASE,
)
"""What points to nothing outside the question: that something exists, and "whose cat is it?", "what time is it?"."""
_PERSON_PRONOUN = re.compile(r"\b(?:he|she|him|her|his)\b", re.IGNORECASE)
_ADDITION = re.compile(r"\s*([?\uff1f])\s*\(([^()]*)\)\s*\Z")
_ADDED = re.compile(r"\s*\(([^()]*)\)[?\uff1f]?\s*\Z")
_SPECIFIC_WORD = re.compile(r"(?<!\A)(?<![.!?] )\b[A-Z]\w+|\d|[\"“'`]\w")
"""A capital within a sentence, a number or a quotation: then there is something to set out from."""


def draft_plan(given: PlanInput) -> PlanDraft:
    """Plan a todo for each side of a comparison or each clause, else the question itself as the one todo.

    What is only described by its relation to a quoted title is found first, as its header may refer to it.
    """
    text = _with_subject(given)
    question = parse_question(text)
    kind = TodoKind.RESEARCH if TodoKind.RESEARCH in given.kinds else given.kinds[0]
    most = max(1, min(given.max_todos, _MAX_TODOS))
    if parse_query(text).tells:
        return PlanDraft(todos=(_todo(text, kind),))
    if question.titles and (described := find_relation(text)) and len(question.options) < 2 <= most:  # noqa: PLR2004
        return PlanDraft(todos=(_todo(described.text, kind), _todo(text, kind, dependencies=("t1",))))
    tasks = _task_per_side(question) or _task_per_clause(text) or (text,)
    return PlanDraft(todos=tuple(_todo(task, kind) for task in tasks[:most]))


def _todo(task: str, kind: str, dependencies: tuple[str, ...] = ()) -> DraftTodo:
    return DraftTodo(task=shorten(task, _MAX_TASK_LENGTH), kind=kind, dependencies=dependencies)


def _with_subject(given: PlanInput) -> str:
    """Return the question with what was answered about it, and with the subject of what was asked before.

    A follow-up that names nothing but a pronoun speaks of what the first task of the last question names.
    """
    text = _with_addition(given.question, "; ".join(given.answers))
    if not given.memory or _SPECIFIC_WORD.search(text) or not _leans_on_earlier(text):
        return text
    subject = _subject_before(given.memory[-1].partition(":")[0])
    named = _SUBJECT_PRONOUN.sub(lambda _: subject, text, count=1)
    # Put in the place of the pronoun it is a side of what "how does it compare with" sets side by side.
    is_side = len(parse_question(named).options) > len(parse_question(text).options)
    return named if is_side else _with_addition(text, subject)


def _subject_before(task: str) -> str:
    """Return the subject of a task; that of a follow-up which itself names nothing was added to it in brackets."""
    added = _ADDED.search(task)
    if added and _leans_on_earlier(task[: added.start()]):
        return added[1]
    return _subject(parse_question(task))


def _with_addition(text: str, addition: str) -> str:
    """Put what a question leaves open into it, before its question mark."""
    added = f"{text} ({addition})" if addition else text
    return _ADDITION.sub(r" (\2)\1", added)


def _leans_on_earlier(text: str) -> bool:
    return _PRONOUN.search(_WITHIN_QUESTION.sub(" ", text)) is not None or len(content_terms(text)) <= 1


def _subject(question: Question) -> str:
    """Return what a question asks the meaning of, else what it names, else the words of its subject.

    A number alone names nothing, nor does a letter: the T of `Box<T>`. What a thing is about is told with its name.
    """
    if defined := _DEFINED.match(question.text):
        return defined["subject"]
    if named := [name for name in question.anchors if len(name) > 1 and not name.isdigit()]:
        subject = join_names(named[:_MAX_NAMES], question.text)
        _, found, behind = question.text.partition(subject)
        about = _ABOUT.match(behind) if found else None
        return subject + about[0] if about else subject
    return core_words(question)


def _task_per_side(question: Question) -> tuple[str, ...]:
    """Return the question asked of each side of a comparison alone, or each side with the words of the question."""
    if len(question.options) < 2:  # noqa: PLR2004 -- a comparison has two sides
        return ()
    if alone := question_per_alternative(question.text, question.options):
        return alone
    sides = {term for option in question.options for term in content_terms(option)}
    telling = [
        word.text
        for word in words(question.text)
        if (own := content_terms(word.text)) and sides.isdisjoint(own) and {*own} & {*question.core}
    ]
    if is_unspaced(question.text):
        return question.options
    return tuple(f"{option}: {' '.join(telling)}" if telling else option for option in question.options)


def _task_per_clause(text: str) -> tuple[str, ...]:
    """Return the clauses of a question, each with the subject of the first where it names none itself.

    A text that tells something before it asks is one: what its last clause is about, no name in it says alone.
    """
    parts = split_clauses(text)
    if len(parts) < 2 or len(sentence_spans(parts[0])) > 1:  # noqa: PLR2004 -- one clause is the question itself
        return ()
    first = parse_question(parts[0])
    subject = _subject(first)
    return (parts[0], *(_name_subject(part, first, subject) for part in parts[1:]))


def _name_subject(clause: str, first: Question, subject: str) -> str:
    """Return a clause with the subject of the first one; whom "who" asks for is none that has a name there."""
    own = frozenset(terms(clause))
    if is_unspaced(clause) or any(own.issuperset(content_terms(anchor)) for anchor in first.anchors):
        return clause
    if first.wanted is AnswerKind.PERSON and _PERSON_PRONOUN.search(clause):
        return f"{clause} ({core_words(first)})"
    pronoun = _SUBJECT_PRONOUN.search(clause)
    # In the place of "it" words that are no name, or a name in that of "they", would make a sentence that nobody asked.
    if pronoun is None or pronoun[0].casefold() in _MANY or not (first.anchors or _DEFINED.match(first.text)):
        return f"{clause} ({subject})"
    return f"{clause[: pronoun.start()]}{subject}{clause[pronoun.end() :]}"


def clarify(given: ClarifyInput) -> Clarity:
    """Call a question clear when it, or what was said before, holds a telling word and no pronoun stands alone."""
    said = " ".join((given.question, *given.context))
    if not content_terms(said):
        question = f"What is {given.question.strip()!r} about: which subject, name or title?"
        return Clarity(is_clear=False, questions=(question,))
    pronoun = _PRONOUN.search(_WITHIN_QUESTION.sub(" ", given.question))
    alone = pronoun and not given.context and not _SPECIFIC_WORD.search(given.question)
    if pronoun and alone and len(content_terms(given.question)) == 1:
        question = f"Whom or what does {pronoun[0]!r} mean in {given.question.strip()!r}?"
        return Clarity(is_clear=False, questions=(question,))
    return Clarity(is_clear=True)
