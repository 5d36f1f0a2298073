"""Which column of a file is which, by what is written at its head."""

import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

_TIMES = ("opentime", "timestamp", "unix", "unixtime", "datetime", "dateutc", "date", "time")
_PRICES: Mapping[str, tuple[str, ...]] = {
    "open": ("open", "openprice", "o"),
    "high": ("high", "highprice", "h"),
    "low": ("low", "lowprice", "l"),
    "close": ("close", "closeprice", "last", "c"),
}
_VOLUMES = ("volume", "vol", "basevolume", "v")
_ASSETS = ("symbol", "asset", "ticker", "pair")

UNHEADED = ("timestamp", "open", "high", "low", "close", "volume")
"""What the columns of a file without headings are, from the left."""


class Columns(NamedTuple):
    """The places of the time, of the five numbers and of the asset's name, the last of these, and what is not read."""

    time: int
    numbers: tuple[int, ...]
    asset: int | None
    last: int
    ignored: tuple[str, ...]


def columns(headings: Sequence[str], asset: str) -> Columns:
    """Find the columns; case, spaces and punctuation of headings do not count, and the first spelling in a list wins.

    Volume is also found as that of the asset's base, as `Volume BTC` for BTC/USDT. Raises ValueError, which says which
    column is missing or stands twice.
    """
    plain = [_plain(heading) for heading in headings]
    base = _plain(re.split(r"[/\-:_]", asset)[0])
    volumes = (*_VOLUMES, f"volume{base}", f"{base}volume")
    time, *numbers = (
        _place(name, spellings, plain)
        for name, spellings in ({"time": _TIMES} | dict(_PRICES) | {"volume": volumes}).items()
    )
    named = next((plain.index(spelling) for spelling in _ASSETS if spelling in plain), None)
    used = {time, *numbers} | ({named} if named is not None else set())
    ignored = (heading.strip() for place, heading in enumerate(headings) if place not in used)
    return Columns(time, tuple(numbers), named, max(used), tuple(ignored))


def _place(name: str, spellings: Sequence[str], plain: Sequence[str]) -> int:
    spelling = next((spelling for spelling in spellings if spelling in plain), None)
    if spelling is None:
        raise ValueError(f"no column is headed {' or '.join(spellings)}, for the {name}")
    if plain.count(spelling) > 1:
        raise ValueError(f"{plain.count(spelling)} columns are headed {spelling}; leave one")
    return plain.index(spelling)


def _plain(heading: str) -> str:
    return re.sub(r"[^a-z0-9]", "", heading.lower())
