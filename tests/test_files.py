"""Files that others may have written are judged before they are read."""

import os
import socket
from collections.abc import Callable
from pathlib import Path

import pytest

from quaestor.agents.source_file import read_source, read_yaml
from quaestor.contracts.errors import UsageError
from quaestor.files import MAX_NESTING, MAX_SETTINGS_BYTES, parse_toml, read_regular_file, require_shallow_yaml
from quaestor.longtask import playbook
from quaestor.models import scripted
from quaestor.runtime.settings import read_settings_file
from quaestor.trading.mandate_file import read_mandate
from quaestor.trading.market.candle_files import load_candles

READERS: dict[str, Callable[[Path], object]] = {
    "settings": read_settings_file,
    "agent": read_source,
    "playbook": playbook.load,
    "script": scripted.load,
    "mandate": read_mandate,
    "candles": lambda path: load_candles(path, "BTC"),
}


def _fifo(path: Path) -> None:
    os.mkfifo(path)


def _endless_device(path: Path) -> None:
    path.symlink_to("/dev/zero")


def _socket(path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as made:
        made.bind(str(path))


@pytest.mark.parametrize("make", [_fifo, _endless_device, _socket, Path.mkdir])
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
    with (tmp_path / "x.csv").open("wb") as file:
        file.truncate(1024**3 + 1)  # a file with a hole: it takes no room
    with pytest.raises(UsageError, match="larger than"):
        READERS[reader](tmp_path / "x.csv")


def test_a_file_that_grows_while_it_is_read_is_refused(tmp_path: Path) -> None:
    (tmp_path / "x").write_bytes(b"1234")
    assert read_regular_file(tmp_path / "x", 4) == b"1234"
    with pytest.raises(OSError, match="larger than 3 bytes"):
        read_regular_file(tmp_path / "x", 3)
    with pytest.raises(OSError, match="larger than 0 bytes"):  # which says of itself that it is empty
        read_regular_file(Path("/proc/self/status"), 0)


@pytest.mark.parametrize("reader", ["settings", "mandate"])
@pytest.mark.parametrize("text", ["a = " + "[" * 5000 + "]" * 5000, "[" + ".".join("a" * 5000) + "]\nb = 1"])
def test_toml_that_is_nested_too_deeply_is_refused(reader: str, text: str, tmp_path: Path) -> None:
    (tmp_path / "x").write_text(text)
    with pytest.raises(UsageError, match="nested deeper than"):
        READERS[reader](tmp_path / "x")


@pytest.mark.parametrize("reader", ["playbook", "script"])
@pytest.mark.parametrize("text", ["a: " + "[" * 100_000, "a: " + "{b: " * 20_000, "- " * 20_000])
def test_yaml_that_is_nested_too_deeply_is_refused(reader: str, text: str, tmp_path: Path) -> None:
    (tmp_path / "x").write_text(text)
    with pytest.raises(UsageError, match="nested deeper than"):
        READERS[reader](tmp_path / "x")
    with pytest.raises(UsageError, match="nested deeper than"):
        read_yaml(tmp_path / "x", text)


def test_the_deepest_nesting_that_is_allowed_is_read() -> None:
    parse_toml(b"a = " + b"[" * (MAX_NESTING - 1) + b"]" * (MAX_NESTING - 1))
    require_shallow_yaml("[" * MAX_NESTING + "]" * MAX_NESTING)


def test_the_largest_settings_file_with_the_longest_key_is_judged() -> None:
    with pytest.raises(ValueError, match="nested deeper"):
        parse_toml(b".".join([b"a"] * (MAX_SETTINGS_BYTES // 2 - 2)) + b"=1")
