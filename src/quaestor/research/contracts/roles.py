"""What each role of research is given, and what it must answer."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Annotated, ClassVar, Literal

from pydantic import Field, StringConstraints
from typing_extensions import override

from quaestor.contracts.base import Contract, PromptLine
from quaestor.contracts.lazy import deferred
from quaestor.contracts.ledger import Finding
from quaestor.contracts.roles import AgentCard, FieldChoice, PromptFrame, RoleInput
from quaestor.contracts.source import Hit, Quote
from quaestor.contracts.todo import KindName
from quaestor.contracts.tools import SimilarWord
from quaestor.evidence.normalization import fold_case_and_blanks
from quaestor.research.contracts.plan import DraftTodo, PlanDraft, TodoKind
from quaestor.research.contracts.usable_items import first_items, shortened, usable_items

_replace_words: Callable[[str, Iterable[tuple[str, str]]], str] = deferred("quaestor.evidence.spelling:replace_words")


class Clarity(Contract):
    """Whether the question can be researched as it stands."""

    is_clear: bool
    questions: Annotated[tuple[str, ...], first_items(3)] = Field(default=(), max_length=3)
    assumptions: tuple[str, ...] = ()


class ClarifyInput(RoleInput):
    """For the clarifier."""

    gives: ClassVar[type[Contract]] = Clarity

    question: str
    context: tuple[str, ...] = Field(default=(), description="Earlier questions and answers, oldest first.")


class PlanInput(RoleInput):
    """For the planner."""

    gives: ClassVar[type[Contract]] = PlanDraft

    question: str
    answers: tuple[str, ...] = ()
    assumptions: tuple[str, ...] = ()
    memory: tuple[str, ...] = ()
    kinds: tuple[KindName, ...] = (TodoKind.RESEARCH, TodoKind.ANALYSIS)
    other_kinds: tuple[str, ...] = Field(default=(), description="What todos of other workflows are for, by kind.")
    max_todos: int = Field(default=7, ge=1)
    queries: int = Field(default=1, ge=1, description="First searches of a todo.")
    agents: tuple[AgentCard, ...] = Field(default=(), description="To whom todos may be delegated.")
    sections: tuple[str, ...] = Field(default=(), description="Headings of the report, where a person gave them.")

    @override
    def choices(self) -> tuple[FieldChoice, ...]:
        """Return the kinds of todos that this run has."""
        return (FieldChoice(DraftTodo.__name__, "kind", self.kinds),)

    @override
    def objections(self, reply: Contract) -> tuple[str, ...]:
        """Refuse kinds and agents this run does not have; dependencies that cannot be kept are left out of the plan."""
        if not isinstance(reply, PlanDraft):
            return super().objections(reply)
        found = [
            f"t{place}: kind {todo.kind} is not allowed in this run; use one of {', '.join(self.kinds)}"
            for place, todo in enumerate(reply.todos, 1)
            if todo.kind not in self.kinds
        ]
        return (*found, *_unknown_agents(reply.todos, self.agents))


class Queries(Contract):
    """Diverse search queries."""

    queries: Annotated[tuple[str, ...], first_items(20)] = Field(min_length=1, max_length=20)


class QueriesInput(RoleInput):
    """For the query writer."""

    gives: ClassVar[type[Contract]] = Queries

    question: str
    task: str
    wanted: int = Field(ge=1)
    executed: tuple[str, ...] = Field(default=(), description="Queries that were searched already for this task.")
    gap: str | None = None
    follow_ups: tuple[str, ...] = Field(default=(), description="Queries the reviewer asked for.")
    known: tuple[str, ...] = Field(default=(), description="Claims found so far that lead the next queries.")
    source_hint: str | None = None

    @override
    def objections(self, reply: Contract) -> tuple[str, ...]:
        """Refuse queries that were all executed before; of others the new ones are used, up to the number wanted."""
        if not isinstance(reply, Queries):
            return super().objections(reply)
        if new_queries(reply.queries, self.executed, self.wanted):
            return ()
        return tuple(f"executed before: {query!r}" if query.strip() else "a query is empty" for query in reply.queries)


def new_queries(queries: Iterable[str], executed: Iterable[str], wanted: int) -> tuple[str, ...]:
    """Return the first queries, each once, that differ from the executed ones in more than case and white space."""
    known = {fold_case_and_blanks(query) for query in executed}
    fresh: list[str] = []
    for query in queries:
        key = fold_case_and_blanks(query)
        if key and key not in known:
            known.add(key)
            fresh.append(query)
    return tuple(fresh[:wanted])


class DraftQuote(Contract):
    """Words that a reader says stand in a source; they are located there or refused."""

    source: Annotated[str, StringConstraints(pattern=r"^(p\d+|[0-9a-f]{64})$")] = Field(
        description="The label of the passage, as p1; or the hash of its source."
    )
    text: str = Field(min_length=1, max_length=4000, description="The exact words.")


class DraftFinding(Contract):
    """A claim with the words a reader says prove it."""

    claim: str = Field(min_length=1, max_length=2000, description="One statement that the quotes prove.")
    quotes: Annotated[tuple[DraftQuote, ...], usable_items(DraftQuote, 5)] = Field(min_length=1, max_length=5)


class Reading(Contract):
    """What a reader found in what it was given; nothing, if the answer is not there."""

    findings: Annotated[tuple[DraftFinding, ...], usable_items(DraftFinding, 40)] = Field(default=(), max_length=40)


class ReadInput(RoleInput):
    """For the reader: passages to read, none for an analysis; and the findings of the todos this one depends on."""

    gives: ClassVar[type[Contract]] = Reading
    for_delegates: ClassVar[bool] = True

    question: str
    task: str
    hits: tuple[Hit, ...] = ()
    findings: tuple[Finding, ...] = ()
    meaning: bool = Field(default=False, description="Rules read by the static vectors of texts too; no model sees it.")
    similar: tuple[SimilarWord, ...] = Field(
        default=(), description="Words in whose place others were searched; rules read by these too."
    )

    def spelt(self, text: str) -> str:
        """Return a text with the words that were searched in the place of those that nothing holds."""
        return _replace_words(text, (one.pair for one in self.similar))

    @override
    def frames(self, field: str) -> Sequence[PromptFrame] | None:
        """Return passages and findings with the labels by which they can be quoted."""
        return evidence_frames(field, self.hits, self.findings)

    @override
    def objections(self, reply: Contract) -> tuple[str, ...]:
        """Refuse quotes if none is from a passage that was given; those from others are left out of a reading."""
        if not isinstance(reply, Reading):
            return super().objections(reply)
        labels = label_quotes(self.hits, self.findings)
        known = labels.keys() | {quote.source for quote in labels.values()}
        named = sorted({quote.source for finding in reply.findings for quote in finding.quotes})
        if not known.isdisjoint(named):
            return ()
        return tuple(f"no passage has the label {source!r}" for source in named)


def is_label(source: str) -> bool:
    """Return whether a reader names a passage by a label, and not its source by the hash."""
    return source.startswith("p")


def label_quotes(hits: Sequence[Hit], findings: Sequence[Finding]) -> Mapping[str, Quote]:
    """Return what a reader may quote by its label: p1, p2 ... first the passages, then the quotes of the findings."""
    quotable = (*(hit.passage for hit in hits), *(quote for finding in findings for quote in finding.quotes))
    return {f"p{place}": quote for place, quote in enumerate(quotable, 1)}


def evidence_frames(field: str, hits: Sequence[Hit], findings: Sequence[Finding]) -> Sequence[PromptFrame] | None:
    """Return how a prompt shows passages and findings that a role may quote; None for any other field."""
    match field:
        case "hits":
            return _passage_frames(hits)
        case "findings":
            return _finding_frames(hits, findings)
        case _:
            return None


def _passage_frames(hits: Sequence[Hit]) -> Sequence[PromptFrame]:
    return [
        PromptFrame(hit.passage.text, (label, hit.title, hit.passage.heading, _display_uri(hit.uri)))
        for label, hit in zip(label_quotes(hits, ()), hits, strict=True)
    ]


def _finding_frames(hits: Sequence[Hit], findings: Sequence[Finding]) -> Sequence[PromptFrame]:
    """Return each claim with the labels of its quotes, then the quotes, numbered on from the passages."""
    labels = iter(tuple(label_quotes(hits, findings).items())[len(hits) :])
    quoted = [(finding, [next(labels) for _ in finding.quotes]) for finding in findings]
    claims = (f"{one.id}: {one.claim} (quotes: {', '.join(label for label, _ in quotes)})" for one, quotes in quoted)
    return [
        PromptFrame(tuple(claims), ("findings",)),
        *(
            PromptFrame(quote.text, (label, f"a quote of {one.id}"))
            for one, quotes in quoted
            for label, quote in quotes
        ),
    ]


def _display_uri(uri: str) -> str:
    """Return a URL whole, of a path only the file's name: where documents lie is not shown to a model."""
    return uri if "://" in uri else re.split(r"[/\\]", uri)[-1]


class PlanOutlineItem(PromptLine):
    """One todo of the plan as others see it; not how far it is, which would make a prompt depend on who was faster."""

    id: str
    task: str

    @property
    @override
    def text(self) -> str:
        """The id and the task."""
        return f"{self.id}: {self.task}"


class Review(Contract):
    """Whether what was found suffices for a task, and what follows if it does not, or for the plan."""

    is_sufficient: bool
    knowledge_gap: Annotated[str, shortened(1000)] = Field(default="", max_length=1000)
    follow_up_queries: Annotated[tuple[str, ...], first_items(10)] = Field(default=(), max_length=10)
    summary: Annotated[str, shortened(2000)] = Field(default="", max_length=2000)
    status: Literal["done", "failed"] = Field(
        default="done", description="What failed is tried again, and leaves the report."
    )
    new_todos: Annotated[tuple[str | DraftTodo, ...], first_items(5)] = Field(default=(), max_length=5)


class ReviewInput(RoleInput):
    """For the reviewer: what a todo found, or why it failed, and what else is planned."""

    gives: ClassVar[type[Contract]] = Review

    question: str
    todo_id: str
    task: str
    findings: tuple[Finding, ...] = ()
    result: str = Field(default="", description="What was written in place of findings.")
    failure: str = Field(default="", description="Why the todo failed; empty if it did not.")
    gaps: tuple[str, ...] = ()
    executed: tuple[str, ...] = ()
    loops_left: int = Field(default=0, ge=0)
    plan: tuple[PlanOutlineItem, ...] = ()
    room: int = Field(default=0, ge=0, description="How many todos may still be added.")
    agents: tuple[AgentCard, ...] = Field(default=(), description="To whom new todos may be delegated.")

    @override
    def objections(self, reply: Contract) -> tuple[str, ...]:
        """Refuse agents that this run does not have."""
        if not isinstance(reply, Review):
            return super().objections(reply)
        return _unknown_agents((todo for todo in reply.new_todos if isinstance(todo, DraftTodo)), self.agents)


def _unknown_agents(todos: Iterable[DraftTodo], cards: Iterable[AgentCard]) -> tuple[str, ...]:
    names = sorted(card.name for card in cards)
    unknown = dict.fromkeys(todo.agent for todo in todos if todo.agent is not None and todo.agent not in names)
    return tuple(f"no agent is called {name!r}; this run has {', '.join(names) or 'none'}" for name in unknown)
