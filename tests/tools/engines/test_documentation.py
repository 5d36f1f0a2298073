"""docs/engines.md: its tables hold every engine."""

import re
from pathlib import Path

import pytest

from quaestor.tools.engines.registry import BUILT_IN_ENGINES
from tools.engines.dialects import DIALECTS

PAGE = (Path(__file__).parents[3] / "docs" / "engines.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", BUILT_IN_ENGINES)
def test_every_engine_is_in_both_tables(name: str) -> None:
    assert len(re.findall(rf"^\| `{name}` \|", PAGE, re.MULTILINE)) == 2


@pytest.mark.parametrize("name", DIALECTS)
def test_every_variable_is_told(name: str) -> None:
    service = DIALECTS[name].kind.service
    row = next(row for row in PAGE.splitlines() if row.startswith(f"| `{name}` |"))
    assert f"`{service.url_variable}`" in row
    assert service.key is None or f"`{service.key.variable}`{', optional' * service.key.optional} |" in row
