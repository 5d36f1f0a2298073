import json
from pathlib import Path

from faces.cli.conftest import Quaestor


def test_the_demo_puts_what_each_function_says_of_itself_side_by_side(quaestor: Quaestor, home: Path) -> None:
    ended = quaestor("demo", "--format", "json")
    assert ended.code == 0
    brief = json.loads(ended.out)
    assert brief["kind"] == "brief"
    first, second = brief["passages"][:2]
    assert (first["side"], second["side"]) == ("shutil.copy", "shutil.copy2")
    assert "mode bits" in first["quote"]
    assert "metadata" in second["quote"]
    assert ended.session in ended.err
    assert "quaestor research" in ended.err
    stored = {path: path.stat().st_ctime_ns for path in (home / "demo-docs").iterdir()}
    again = quaestor("demo", "--format", "json")
    assert json.loads(again.out)["passages"] == brief["passages"]
    assert {path: path.stat().st_ctime_ns for path in (home / "demo-docs").iterdir()} == stored
