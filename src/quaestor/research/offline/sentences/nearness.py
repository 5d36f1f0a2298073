"""How near texts are in meaning, by static vectors, where a session has them: for texts that use other words."""

from collections.abc import Callable, Sequence

from quaestor.contracts.lazy import LazyImport
from quaestor.contracts.library import Vector
from quaestor.contracts.source import Hit
from quaestor.tools.static_vectors import StaticVectors

CONFIDENCE_WEIGHT = 3.0
"""What the nearest passage adds to how sure rules are that it answers."""
SENTENCE_WEIGHT = 1.0
"""What nearness to the task adds to the worth of a sentence, whose words are worth about 1 at most."""
NEAR_ENOUGH = 0.51
"""From this cosine on a passage is on the subject of a task whose words it does not hold.

Nine of ten passages of CLAPNQ that were chosen to be like a question, and do not answer it, are below.
"""
_OPEN: LazyImport[Callable[[], StaticVectors]] = LazyImport("quaestor.tools.static_vectors:open_static_vectors")


def nearness(task: str, texts: Sequence[str]) -> list[float]:
    """Return the cosine of each text with a task, at least 0. Raises MissingExtra without the vectors."""
    vectors = _OPEN.load()()
    asked = vectors.vector(task)
    return [max(0.0, _cosine(asked, vectors.vector(text))) for text in texts]


def nearest_passage(task: str, hits: Sequence[Hit]) -> float:
    """Return the cosine of the passage nearest to a task; 0 without passages."""
    return max(nearness(task, [f"{hit.title}\n{hit.passage.text}".strip() for hit in hits]), default=0.0)


def _cosine(one: Vector, other: Vector) -> float:
    return sum(a * b for a, b in zip(one, other, strict=True))
