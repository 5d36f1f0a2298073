"""docs/engines.md: its tables hold every engine, and its example runs as it stands there."""

import re
import tomllib
from pathlib import Path

import pytest

from quaestor.contracts.errors import SetupError
from quaestor.contracts.web import WebSearchInput
from quaestor.tools.engines import load_engines
from quaestor.tools.engines.registry import BUILT_IN_ENGINES, ENTRY_POINT_GROUP
from tools.engines.dialects import DIALECTS

PAGE = (Path(__file__).parents[3] / "docs" / "engines.md").read_text(encoding="utf-8")


def example(language: str) -> str:
    (block,) = re.findall(rf"```{language}\n(.*?)```", PAGE, re.DOTALL)
    return str(block)


@pytest.mark.parametrize("name", BUILT_IN_ENGINES)
def test_every_engine_is_in_both_tables(name: str) -> None:
    assert len(re.findall(rf"^\| `{name}` \|", PAGE, re.MULTILINE)) == 2


@pytest.mark.parametrize("name", DIALECTS)
def test_every_variable_is_told(name: str) -> None:
    service = DIALECTS[name].kind.service
    row = next(row for row in PAGE.splitlines() if row.startswith(f"| `{name}` |"))
    assert f"`{service.url_variable}`" in row
    assert service.key is None or f"`{service.key.variable}`{', optional' * service.key.optional} |" in row


async def test_the_example_is_found_by_its_entry_point(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    declared = tomllib.loads(example("toml"))["project"]["entry-points"][ENTRY_POINT_GROUP]
    ((name, value),) = declared.items()
    (tmp_path / f"{value.partition(':')[0]}.py").write_text(example("python"))
    metadata = tmp_path / f"{name}-1.0.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
    (metadata / "entry_points.txt").write_text(f"[{ENTRY_POINT_GROUP}]\n{name} = {value}\n")
    monkeypatch.syspath_prepend(tmp_path)
    (engine,) = load_engines([name], {"HANDBOOK_URL": "https://handbook.example"})
    found = await engine.search(WebSearchInput(query="how many holidays"))
    await engine.close()
    assert [hit.url for hit in found.hits] == ["https://handbook.example/holidays"]
    with pytest.raises(SetupError, match="set HANDBOOK_URL"):
        load_engines([name], {})
