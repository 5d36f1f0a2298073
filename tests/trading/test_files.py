"""Mandates and candles that others may have written are judged before they are read."""

from collections.abc import Callable
from pathlib import Path

import pytest

from fakes.unsafe_files import DEEP_TOML, NO_FILES, too_large
from quaestor.contracts.errors import UsageError
from quaestor.trading.mandate_file import read_mandate
from quaestor.trading.market.candle_files import load_candles

READERS: dict[str, Callable[[Path], object]] = {
    "mandate": read_mandate,
    "candles": lambda path: load_candles(path, "BTC"),
}


@pytest.mark.parametrize("make", NO_FILES)
@pytest.mark.parametrize("reader", READERS)
def test_what_is_no_file_is_refused_at_once(
    reader: str, make: Callable[[Path], None], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    make(Path("x.csv"))
    with pytest.raises(UsageError, match="cannot be read"):
        READERS[reader](Path("x.csv"))


@pytest.mark.parametrize("reader", READERS)
def test_a_file_that_is_too_large_is_not_read(reader: str, tmp_path: Path) -> None:
    too_large(tmp_path / "x.csv")
    with pytest.raises(UsageError, match="larger than"):
        READERS[reader](tmp_path / "x.csv")


@pytest.mark.parametrize("text", DEEP_TOML)
def test_a_mandate_that_is_nested_too_deeply_is_refused(text: str, tmp_path: Path) -> None:
    (tmp_path / "x").write_text(text)
    with pytest.raises(UsageError, match="nested deeper than"):
        read_mandate(tmp_path / "x")
