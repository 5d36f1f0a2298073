"""Whether columns of a table hold prices, and whether prose tells one in words."""

from collections.abc import Set as AbstractSet
from decimal import Decimal

from quaestor.evidence.number_words import find_spelled_numbers
from quaestor.evidence.stemming import detect_language
from quaestor.research.offline.fields.collections import Collection
from quaestor.research.offline.fields.reserve_words import CURRENCY, FREE, PRICE


def has_prices(table: Collection, asked: AbstractSet[str]) -> bool:
    """Return whether columns are called prices, as their table may be, or hold some currency."""
    values = (thing.cells[key].value for thing in table.things[:1] for key in asked if key in thing.cells)
    return PRICE.search(" ".join((*asked, table.label))) is not None or any(map(CURRENCY.search, values))


def tells_price(near: str, own: tuple[Decimal, ...]) -> bool:
    """Return whether what is beside a name tells a price in words that are not its own, or none at all."""
    if FREE.search(near) and 0 not in own:
        return True
    told = find_spelled_numbers(near, detect_language(near) or "en") if CURRENCY.search(near) else ()
    return any(number not in own for number in told)
