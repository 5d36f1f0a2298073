import runpy
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


def test_every_example_ends_in_its_report(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    made = runpy.run_path(str(ROOT / "docs" / "gallery.py"))["reports"]()
    assert set(made) == set((ROOT / "examples" / "reports").iterdir())
    stale = [path.name for path, text in made.items() if path.read_text(encoding="utf-8") != text]
    assert stale == [], "run `python docs/gallery.py`"
