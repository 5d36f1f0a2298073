"""Every promise of docs/promises.md and docs/machines.md names a test that exists."""

import ast
import re
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
TABLE = re.compile(r"^\| promise \| shown by \|\n\|[-|]+\|\n((?:\|.*\n)+)", re.MULTILINE)
ROWS = [
    row
    for page in ("promises.md", "machines.md")
    for table in TABLE.findall((ROOT / "docs" / page).read_text(encoding="utf-8"))
    for row in table.splitlines()
]


@cache
def functions(file: str) -> frozenset[str]:
    """Return the names of the tests of a file."""
    tree = ast.parse((ROOT / file).read_text(encoding="utf-8"))
    return frozenset(part.name for part in tree.body if isinstance(part, ast.FunctionDef | ast.AsyncFunctionDef))


@pytest.mark.parametrize("row", ROWS)
def test_a_promise_names_the_tests_that_show_it(row: str) -> None:
    named = re.findall(r"`(tests/[\w/]+\.py)::(\w+)`", row)
    assert named, "this promise names no test"
    for file, test in named:
        assert test in functions(file), f"{file} has no {test}"
