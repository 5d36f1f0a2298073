"""Folders with a mandate and the candles that it names."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from fakes.market import rows, write_csv
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


def folder(path: Path, cycles: int, seed: int = 4) -> Folder:
    """Return a folder with candles for so many cycles, each an hour after the other, of the usual mandate."""
    path.mkdir(exist_ok=True)
    made = Folder(path)
    made.candles("btc.csv", list(rows(WARM + cycles, seed)))
    made.mandate()
    return made
