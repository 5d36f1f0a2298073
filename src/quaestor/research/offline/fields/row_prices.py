"""Whether columns of a table hold prices."""

from collections.abc import Set as AbstractSet

from quaestor.research.offline.fields.collections import Collection
from quaestor.research.offline.fields.reserve_words import CURRENCY, PRICE


def has_prices(table: Collection, asked: AbstractSet[str]) -> bool:
    """Return whether columns are called prices, as their table may be, or hold some currency."""
    values = (thing.cells[key].value for thing in table.things[:1] for key in asked if key in thing.cells)
    return PRICE.search(" ".join((*asked, table.label))) is not None or any(map(CURRENCY.search, values))
