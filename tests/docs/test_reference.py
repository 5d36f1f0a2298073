import runpy
from pathlib import Path

DOCS = Path(__file__).parents[2] / "docs"


def test_what_is_made_from_code_is_up_to_date() -> None:
    pages = runpy.run_path(str(DOCS / "reference.py"))["pages"]()
    stale = [path.name for path, text in pages.items() if path.read_text(encoding="utf-8") != text]
    assert stale == [], "run `python docs/reference.py`"
