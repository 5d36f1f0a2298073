import json
from pathlib import Path

from faces.cli.conftest import Quaestor

SIDES = ("shutil.copy", "shutil.copy2")


def test_the_demo_puts_what_each_function_says_of_itself_side_by_side(quaestor: Quaestor, home: Path) -> None:
    ended = quaestor("demo", "--format", "json")
    assert ended.code == 0
    brief = json.loads(ended.out)
    assert brief["kind"] == "brief"
    quotes = {side: [one["quote"] for one in brief["passages"] if one["side"] == side] for side in SIDES}
    assert [*dict.fromkeys(one["side"] for one in brief["passages"])] == [*SIDES]
    assert "mode bits" in quotes[SIDES[0]][0]
    assert "metadata" in quotes[SIDES[1]][0]
    assert ended.session in ended.err
    assert "quaestor research" in ended.err
    stored = {path: path.stat().st_ctime_ns for path in (home / "demo-docs").iterdir()}
    again = quaestor("demo", "--format", "json")
    assert json.loads(again.out)["passages"] == brief["passages"]
    assert {path: path.stat().st_ctime_ns for path in (home / "demo-docs").iterdir()} == stored
