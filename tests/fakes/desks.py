"""Folders with a mandate and the candles that it names."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

from fakes.market import START, rows, write_csv
from quaestor.trading.market.series import CandleRow

WARM = 100
"""Candles before the first cycle, which the indicators of the usual rules need."""


@dataclass(frozen=True)
class Folder:
    """A folder that a person works in."""

    path: Path

    def candles(self, name: str, made: Sequence[CandleRow]) -> None:
        write_csv(self.path / name, made)

    def mandate(self, name: str = "m.toml", **changed: str) -> Path:
        """Write a mandate of which some fields are other than usual, in TOML; one that is empty is left out."""
        said = {
            "objective": '"Grow the cash."',
            "assets": '["BTC/USDT"]',
            "cash": "10_000",
            "candles": '"btc.csv"',
            "start": "2025-01-05T05:00:00Z",
            **changed,
        }
        file = self.path / name
        file.write_text("\n".join(f"{field} = {value}" for field, value in said.items() if value), encoding="utf-8")
        return file


def just_closed(count: int) -> datetime:
    """Return when the first of so many hourly candles opened, of which the last has closed in this hour."""
    return datetime.now(UTC).replace(minute=0, second=0, microsecond=0) - timedelta(hours=count)


def folder(path: Path, cycles: int, seed: int = 4, *, fresh: bool = False) -> Folder:
    """Return a folder with candles for so many cycles, each an hour after the other, of the usual mandate.

    `fresh` ones end now, so that they may be traded at; the others are of the same past in every run.
    """
    path.mkdir(exist_ok=True)
    made = Folder(path)
    count = WARM + cycles
    made.candles("btc.csv", list(rows(count, seed, start=just_closed(count) if fresh else START)))
    made.mandate()
    return made
