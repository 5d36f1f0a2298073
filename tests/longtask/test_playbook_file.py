"""Playbooks that others may have written are judged before they are read."""

from collections.abc import Callable
from pathlib import Path

import pytest

from fakes.unsafe_files import DEEP_YAML, NO_FILES, too_large
from quaestor.contracts.errors import UsageError
from quaestor.longtask import playbook


@pytest.mark.parametrize("make", [*NO_FILES, too_large])
def test_what_is_no_file_or_too_large_is_refused_at_once(
    make: Callable[[Path], None], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    make(Path("x.yaml"))
    with pytest.raises(UsageError, match=r"cannot be read|larger than"):
        playbook.load(Path("x.yaml"))


@pytest.mark.parametrize("text", DEEP_YAML)
def test_a_playbook_that_is_nested_too_deeply_is_refused(text: str, tmp_path: Path) -> None:
    (tmp_path / "x").write_text(text)
    with pytest.raises(UsageError, match="nested deeper than"):
        playbook.load(tmp_path / "x")
