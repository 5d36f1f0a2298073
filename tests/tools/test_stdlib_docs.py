import os
from pathlib import Path

import pytest

from quaestor.contracts.errors import HomeNotWritable, SetupError
from quaestor.tools.stdlib_docs import module_docs, stdlib_modules, write_stdlib_docs

SOURCE = '''
"""Queues.

    Of many kinds.
"""
import nothing_that_exists

class Queue:
    """Holds things."""
    def put(self):
        """Wait for room."""
    def _grow(self):
        """Nobody's business."""
    def get(self):
        def inner():
            """Not seen."""
class _Hidden:
    """Not shown."""
async def drain():
    """Wait until it is empty."""
'''


def test_a_module_becomes_its_public_documentation_under_headings() -> None:
    assert module_docs("queue", SOURCE) == (
        "queue\n=====\n\nQueues.\n\nOf many kinds.\n\n"
        "Queue\n-----\n\nHolds things.\n\n"
        "Queue.put\n~~~~~~~~~\n\nWait for room.\n\n"
        "drain\n-----\n\nWait until it is empty.\n"
    )


@pytest.fixture
def stdlib(tmp_path: Path) -> Path:
    (tmp_path / "lib" / "multiprocessing").mkdir(parents=True)
    (tmp_path / "lib" / "queue.py").write_text(SOURCE)
    (tmp_path / "lib" / "multiprocessing" / "__init__.py").write_text('"""Processes."""')
    (tmp_path / "lib" / "multiprocessing" / "pool.py").write_text('"""Workers."""')
    return tmp_path / "lib"


def test_every_module_that_is_there_becomes_a_file(stdlib: Path, tmp_path: Path) -> None:
    write_stdlib_docs(stdlib, tmp_path / "docs")
    written = {path.name for path in (tmp_path / "docs").iterdir()}
    assert written == {"queue.txt", "multiprocessing.txt", "multiprocessing.pool.txt"}


def test_only_what_is_different_is_written_again(stdlib: Path, tmp_path: Path) -> None:
    write_stdlib_docs(stdlib, tmp_path / "docs")
    kept, changed = tmp_path / "docs" / "queue.txt", tmp_path / "docs" / "multiprocessing.txt"
    before = kept.stat().st_ctime_ns  # which nothing sets back
    changed.write_text("spoiled")
    write_stdlib_docs(stdlib, tmp_path / "docs")
    assert kept.stat().st_ctime_ns == before
    assert "Processes." in changed.read_text()


def test_what_a_module_says_now_is_written(stdlib: Path, tmp_path: Path) -> None:
    write_stdlib_docs(stdlib, tmp_path / "docs")
    source = stdlib / "multiprocessing" / "pool.py"
    source.write_text('"""Threads."""')
    os.utime(source, ns=(1, 1))  # older, as of another Python
    write_stdlib_docs(stdlib, tmp_path / "docs")
    assert "Threads." in (tmp_path / "docs" / "multiprocessing.pool.txt").read_text()


def test_a_library_without_sources_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SetupError, match="no sources"):
        write_stdlib_docs(tmp_path, tmp_path / "docs")


def test_a_folder_that_cannot_be_made_is_refused(stdlib: Path, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(HomeNotWritable, match="file"):
        write_stdlib_docs(stdlib, tmp_path / "file" / "docs")


def test_the_modules_are_named_once() -> None:
    named = stdlib_modules()
    assert len(set(named)) == len(named) > 100
