import json
from pathlib import Path

from faces.cli.conftest import Quaestor


def test_the_demo_proves_at_least_eight_quotes_from_four_sources(quaestor: Quaestor, home: Path) -> None:
    ended = quaestor("demo", "--format", "json")
    assert ended.code == 0
    report = json.loads(ended.out)
    assert len({citation["number"] for claim in report["claims"] for citation in claim["citations"]}) >= 8
    assert len(report["sources"]) >= 4
    assert all(claim["quoted"] for claim in report["claims"])
    assert ended.session in ended.err
    assert "quaestor research" in ended.err
    stored = {path: path.stat().st_mtime_ns for path in (home / "demo-docs").iterdir()}
    again = quaestor("demo", "--format", "json")
    assert json.loads(again.out)["claims"] == report["claims"]
    assert {path: path.stat().st_mtime_ns for path in (home / "demo-docs").iterdir()} == stored
