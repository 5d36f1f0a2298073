"""Files that others may have written are judged before they are read."""

import os
import tracemalloc
from collections.abc import Callable
from pathlib import Path

import pytest

from fakes.unsafe_files import DEEP_TOML, DEEP_YAML, NO_FILES, too_large
from quaestor.agents.source_file import read_source, read_yaml
from quaestor.contracts.errors import UsageError
from quaestor.files import (
    MAX_NESTING,
    MAX_SETTINGS_BYTES,
    open_private,
    parse_toml,
    read_regular_file,
    replacement,
    require_shallow_yaml,
    write_whole,
)
from quaestor.models import scripted
from quaestor.runtime.settings import read_settings_file

READERS: dict[str, Callable[[Path], object]] = {
    "settings": read_settings_file,
    "agent": read_source,
    "script": scripted.load,
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


def test_a_file_that_grows_while_it_is_read_is_refused(tmp_path: Path) -> None:
    (tmp_path / "x").write_bytes(b"1234")
    assert read_regular_file(tmp_path / "x", 4) == b"1234"
    with pytest.raises(OSError, match="larger than 3 bytes"):
        read_regular_file(tmp_path / "x", 3)
    with pytest.raises(OSError, match="larger than 0 bytes"):  # which says of itself that it is empty
        read_regular_file(Path("/proc/self/status"), 0)


def test_a_small_file_takes_no_memory_for_what_it_could_be(tmp_path: Path) -> None:
    (tmp_path / "x").write_bytes(b"1234")
    tracemalloc.start()
    try:
        assert read_regular_file(tmp_path / "x", 1 << 30) == b"1234"
        assert tracemalloc.get_traced_memory()[1] < 1 << 20
    finally:
        tracemalloc.stop()


def test_a_file_that_does_not_know_its_size_is_read_whole() -> None:
    version = Path("/proc/version")
    assert version.stat().st_size == 0
    assert read_regular_file(version, 1 << 20) == version.read_bytes()


@pytest.mark.parametrize("reader", ["settings"])
@pytest.mark.parametrize("text", DEEP_TOML)
def test_toml_that_is_nested_too_deeply_is_refused(reader: str, text: str, tmp_path: Path) -> None:
    (tmp_path / "x").write_text(text)
    with pytest.raises(UsageError, match="nested deeper than"):
        READERS[reader](tmp_path / "x")


@pytest.mark.parametrize("reader", ["script"])
@pytest.mark.parametrize("text", DEEP_YAML)
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


@pytest.mark.parametrize("flags", [os.O_WRONLY | os.O_APPEND, os.O_RDWR | os.O_APPEND])
def test_nothing_is_appended_to_what_is_no_file(tmp_path: Path, flags: int) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    for place in (str(pipe), "/dev/full"):
        with pytest.raises(OSError, match=r"No such device|not a file"):
            os.close(open_private(place, flags))


def test_a_circle_of_links_is_an_error_of_the_system(tmp_path: Path) -> None:
    (tmp_path / "a").symlink_to(tmp_path / "b")
    (tmp_path / "b").symlink_to(tmp_path / "a")
    with pytest.raises(OSError, match="Too many levels"):
        write_whole(tmp_path / "a", b"x")


def test_a_pipe_or_a_device_is_not_replaced_by_a_file(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with pytest.raises(OSError, match="not a file"), replacement(pipe) as part:
        part.write_bytes(b"x")
    assert pipe.is_fifo()
