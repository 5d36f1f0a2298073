"""The phases of a cycle; each class holds what is known in that phase alone.

Clarifying -> Planning (-> ReviewingPlan) -> Executing -> Writing -> Verifying -> Checking -> Closing -> Done
                                          Writing -> Briefing -> Closing    where no model writes
Refreshing -> Executing                      a cycle that looks at the sources again begins here
Cancelling -> Done                           from any phase
"""

from collections.abc import Mapping

from quaestor.contracts.immutable import Immutable, field
from quaestor.contracts.source import Sha256
from quaestor.research.contracts.optional_roles import SentenceVerdict
from quaestor.research.contracts.plan import PlanDraft
from quaestor.research.contracts.roles import Clarity
from quaestor.research.contracts.tools import Contexts, RecheckResult
from quaestor.research.contracts.writing import Frame
from quaestor.research.events import QuoteVerdict
from quaestor.research.todos.state import TodoState


class Clarifying(Immutable):
    """Whether the question is clear is not known yet."""


class PlannerFailure(Immutable):
    """Why the planner gave no usable draft."""

    reason: str


class Planning(Immutable):
    """There is no plan yet; what is unclear is asked first, if a person may be asked."""

    clarity: Clarity
    draft: PlanDraft | PlannerFailure | None = None


def known_clarity(phase: Clarifying | Planning) -> Clarity:
    """Return whether the question is clear; where nobody can be asked, the planner states what it assumes."""
    return phase.clarity if isinstance(phase, Planning) else Clarity(is_clear=True)


class Refreshing(Immutable):
    """The cited sources are compared with what they are now; there is a plan of an earlier cycle."""

    recheck: RecheckResult | None = None


class ReviewingPlan(Immutable):
    """A person is to confirm the plan."""


class Executing(Immutable):
    """The todos are carried out."""

    todos: Mapping[str, TodoState] = field(default_factory=dict)
    """Every todo that was started in this cycle, by id, until its review is recorded."""
    changed_sources: frozenset[Sha256] = frozenset()
    """Sources that are not what they were when an earlier cycle cited them."""
    summaries: Mapping[str, str] = field(default_factory=dict)
    """Compressed memory lines, by the key of their call."""
    failed_summaries: frozenset[str] = frozenset()


class Writing(Immutable):
    """The sections that are missing are written, and the frame."""

    frame: Frame | None = None


class Briefing(Immutable):
    """The paragraphs around the quotes are read, and the brief is recorded from them."""

    contexts: Contexts


class Verifying(Immutable):
    """The draft is complete; its quotes are compared with the stored sources."""

    frame: Frame


class Checking(Immutable):
    """The quotes are verified; the checker reads the sentences, if that is wanted."""

    frame: Frame
    verdicts: tuple[QuoteVerdict, ...]
    models: Mapping[str, str] = field(default_factory=dict)
    """The model that was asked, by the key of the call."""
    checks: Mapping[str, tuple[SentenceVerdict, ...]] = field(default_factory=dict)
    """The checker's verdicts, by the key of their call."""


class Closing(Immutable):
    """The report is recorded, or nothing is proven; `error` says why the quotes could not be verified."""

    error: str | None = None
    frame: Frame | None = None
    """Of the draft from which a model's report is recorded."""
    refuted: int = 0
    """Its claims that the checker refuted."""


class Cancelling(Immutable):
    """A person cancelled the session."""


class Done(Immutable):
    """The cycle has ended."""


Phase = (
    Clarifying
    | Planning
    | Refreshing
    | ReviewingPlan
    | Executing
    | Writing
    | Briefing
    | Verifying
    | Checking
    | Closing
    | Cancelling
    | Done
)
