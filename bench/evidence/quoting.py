"""What the offline reader quotes, as places in documents, and how these overlap with other places."""

from collections.abc import Collection, Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

from bench.evidence.shelf import Shelf

from quaestor.contracts.source import Hit
from quaestor.research.contracts.roles import ReadInput
from quaestor.research.contracts.tools import ProveInput
from quaestor.research.offline.reader import read_passages
from quaestor.research.tools.verification import LocateQuotes


class Span(NamedTuple):
    """The characters from `start` up to `end` of the document in a file of this name."""

    name: str
    start: int
    end: int


class Overlap(NamedTuple):
    """What two sets of characters share: of the second one, and of both together, each from 0 to 1."""

    recall: float
    union: float


def overlap(found: Iterable[Span], gold: Iterable[Span]) -> Overlap:
    """Count the characters that spans share."""
    own, wanted = _characters(found), _characters(gold)
    both = len(own & wanted)
    return Overlap(both / len(wanted), both / len(own | wanted))


async def read_spans(shelf: Shelf, question: str, hits: Sequence[Hit]) -> tuple[list[Span], list[bool]]:
    """Return the quotes of hits as the tool `prove` locates them, each with whether it is exactly there."""
    reading = read_passages(ReadInput(question=question, task=question, hits=tuple(hits)))
    names = {hit.passage.source: Path(hit.uri).stem for hit in hits}
    proof = await LocateQuotes(shelf.library).run(ProveInput(todo_id="t1", first=1, drafts=reading.findings))
    quotes = [quote for finding in proof.findings for quote in finding.quotes]
    texts = {quote.source: await shelf.library.text(quote.source) or "" for quote in quotes}
    return (
        [Span(names[quote.source], quote.start, quote.end) for quote in quotes],
        [texts[quote.source][quote.start : quote.end] == quote.text for quote in quotes],
    )


def f1(found: Collection[int], gold: Collection[int]) -> float:
    """Return the harmonic mean of precision and recall."""
    return 2 * len(set(found) & set(gold)) / (len(set(found)) + len(set(gold)))


def area(likely: Sequence[float], unlikely: Sequence[float]) -> float:
    """Return the area under the curve: how often a score of the first kind is above one of the second, ties by half."""
    above = sum((one > other) + (one == other) / 2 for one in likely for other in unlikely)
    return above / (len(likely) * len(unlikely))


def _characters(spans: Iterable[Span]) -> frozenset[tuple[str, int]]:
    return frozenset((span.name, place) for span in spans for place in range(span.start, span.end))
