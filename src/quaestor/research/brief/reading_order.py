"""The quotes of the recorded findings in the order in which a brief shows them, each in its paragraph."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import zip_longest

from quaestor.contracts.immutable import Immutable
from quaestor.contracts.ledger import Finding, LedgerEntry
from quaestor.contracts.source import Quote
from quaestor.research.contracts.tools import QuoteContext
from quaestor.research.offline.fields.header_fields import stated_fact
from quaestor.research.offline.words.alternatives import find_side


class PlacedQuote(Immutable):
    """A quote in its paragraph, with the part for which it was found."""

    part: str
    side: str | None
    finding: Finding
    context: QuoteContext


@dataclass
class _Shelf:
    """Collects quotes, each place of a source once for a part."""

    contexts: Mapping[tuple[str, int, int], QuoteContext]
    taken: set[tuple[str, str, int, int]] = field(default_factory=set)

    def take(self, part: str, side: str | None, findings: Sequence[Finding]) -> list[PlacedQuote]:
        """Return the quotes of findings that stand in their sources and were not taken for this part before."""
        placed: list[PlacedQuote] = []
        for finding in findings:
            for quote in finding.quotes[-1:] if stated_fact(finding) else finding.quotes:
                place = place_of(quote)
                if place in self.contexts and (part, *place) not in self.taken:
                    self.taken.add((part, *place))
                    placed.append(PlacedQuote(part, side, finding, self.contexts[place]))
        return placed


def in_reading_order(
    entries: Sequence[LedgerEntry], contexts: Iterable[QuoteContext], options: Sequence[str]
) -> list[PlacedQuote]:
    """Return the quotes entry by entry; those of the sides of a comparison, named by its options, by turns."""
    shelf = _Shelf({place_of(context.quote): context for context in contexts})
    sided = [(find_side(entry.description, options), entry) for entry in entries]
    columns = [shelf.take(entry.description, side, entry.findings) for side, entry in sided if side]
    turns = [placed for row in zip_longest(*columns) for placed in row if placed is not None]
    rest = [
        placed for side, entry in sided if not side for placed in shelf.take(entry.description, None, entry.findings)
    ]
    return [*turns, *rest]


def place_of(quote: Quote) -> tuple[str, int, int]:
    """Return by what the place of a quote is known."""
    return quote.source, quote.start, quote.end
