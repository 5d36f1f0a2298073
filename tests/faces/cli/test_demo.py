import json
from pathlib import Path

from faces.cli.conftest import Quaestor


def test_the_demo_shows_at_least_eight_passages_of_four_sources(quaestor: Quaestor, home: Path) -> None:
    ended = quaestor("demo", "--format", "json")
    assert ended.code == 0
    brief = json.loads(ended.out)
    assert brief["kind"] == "brief"
    assert len(brief["passages"]) >= 8
    assert len(brief["sources"]) >= 4
    assert {passage["side"] for passage in brief["passages"]} == {"threads", "processes", "coroutines", "futures"}
    assert ended.session in ended.err
    assert "quaestor research" in ended.err
    stored = {path: path.stat().st_ctime_ns for path in (home / "demo-docs").iterdir()}
    again = quaestor("demo", "--format", "json")
    assert json.loads(again.out)["passages"] == brief["passages"]
    assert {path: path.stat().st_ctime_ns for path in (home / "demo-docs").iterdir()} == stored
