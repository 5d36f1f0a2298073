"""Originals of fetched files: private, whole, the first of a text, and bounded."""

from pathlib import Path

import pytest

from quaestor.storage import originals
from quaestor.storage.originals import OriginalFiles

FIRST, SECOND = "1" * 64, "2" * 64


def test_the_first_original_of_a_text_is_kept_for_its_session_and_for_this_user_alone(tmp_path: Path) -> None:
    files = OriginalFiles(tmp_path, "s1")
    files.keep(FIRST, b"one")
    files.keep(FIRST, b"another")
    place = files.path(FIRST)
    assert place.read_bytes() == b"one"
    assert (place.stat().st_mode & 0o077, place.parent.stat().st_mode & 0o077) == (0, 0)
    assert not OriginalFiles(tmp_path, "s2").path(FIRST).exists()
    assert list(place.parent.iterdir()) == [place]


def test_a_session_keeps_no_more_than_its_limit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(originals, "MAX_SESSION_BYTES", 10)
    files = OriginalFiles(tmp_path, "s1")
    files.keep(FIRST, b"12345678")
    files.keep(SECOND, b"123")
    assert (files.path(FIRST).exists(), files.path(SECOND).exists()) == (True, False)


def test_where_nothing_can_be_written_nothing_is_kept(tmp_path: Path) -> None:
    (tmp_path / "originals").write_text("no folder")
    files = OriginalFiles(tmp_path, "s1")
    files.keep(FIRST, b"one")
    assert not files.path(FIRST).exists()
