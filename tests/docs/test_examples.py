"""The Python in README.md and docs/python.md runs as it stands there."""

import asyncio
import re
import sys
from collections.abc import Callable, Coroutine
from pathlib import Path
from types import FunctionType
from typing import Any

import pytest

import quaestor
from fakes.papers import write_papers

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", ROOT / "docs" / "python.md"]
Example = Callable[..., Any]


def examples() -> list[tuple[str, Example]]:
    found: list[tuple[str, Example]] = []
    for page in PAGES:
        for block in re.findall(r"```python\n(.*?)```", page.read_text(encoding="utf-8"), re.DOTALL):
            names: dict[str, object] = {"quaestor": quaestor, "sys": sys}
            exec(compile(block, page.name, "exec"), names)  # noqa: S102 -- that it runs is the test
            functions = [value for value in names.values() if isinstance(value, FunctionType)]
            found += [(f"{page.name}:{function.__name__}", function) for function in functions]
    return found


def test_there_are_examples() -> None:
    assert len(examples()) >= 4


@pytest.mark.parametrize(("name", "example"), examples())
def test_the_examples_run(name: str, example: Example, tmp_path: Path) -> None:
    home, docs = str(tmp_path / "home"), write_papers(tmp_path)
    (docs / "leases.md").write_text(
        "# Leases\n\nA lease is for keeping two processes from writing one log. A lease that expires may be taken.\n"
    )

    async def started() -> str:
        async with quaestor.open(home) as q:
            return await q.start("What is a lease for?", await q.index([docs]))

    if "session" in example.__annotations__:
        result = asyncio.run(example(asyncio.run(started()), home))
    else:
        made = example(str(docs), home)
        result = asyncio.run(made) if isinstance(made, Coroutine) else made
    text = str(result)
    assert "session_finished" in text or "keeping two processes from writing" in text, name
