"""While the first answer is awaited a session loads what it needs later, so that nothing is imported between calls."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

from fakes.papers import QUESTION, write_papers
from quaestor.research.options import ResearchOptions
from quaestor.research.warm_up import later_steps

PROGRAM = """
import asyncio, json, sys
from fakes.openai_server import OpenAIServer
from fakes.openai_wire import Slow
from fakes.researcher import Researcher
from quaestor.app import open_home
from quaestor.contracts.base import Contract
from quaestor.models.chat.schema import strict_schema

home, docs, question = sys.argv[1:]
answer = Researcher()
calls, waited = [], []


def ready(kind=Contract):
    # The modules of the program that are imported, and the contracts that are built.
    own = {name for name in sys.modules if name.startswith("quaestor")} if kind is Contract else set()
    own_kinds = [each for each in kind.__subclasses__() if each.__module__.startswith("quaestor")]
    built = {each.__name__ for each in own_kinds if each.__pydantic_complete__}
    return own.union(built, *map(ready, own_kinds))


def schemas():
    return strict_schema.cache_info().currsize


def reply(asked):
    calls.append(asked)
    if len(calls) == 1:
        asyncio.get_running_loop().call_later(1.9, lambda: waited.append((ready(), schemas())))
    return Slow(seconds=0 if len(calls) > 1 else 2, then=answer(asked))


async def run():
    async with OpenAIServer(reply) as server:
        local = {"base_url": server.url}
        options = {"model": "local:small", "providers": {"local": local}, "effort": "medium", "questions": False}
        async with open_home(home, **options) as q:
            session = await q.start(question, await q.index([docs]))
            await q.run(session)
    return ready()


at_end = asyncio.run(run())
[(early, early_schemas)] = waited
late_schemas = schemas() - early_schemas
print(json.dumps({"calls": len(calls), "late": sorted(at_end - early), "all": sorted(at_end), "schemas": late_schemas}))
"""


def run(folder: Path) -> dict[str, Any]:
    """Run a session in a process of its own; return what it imported and built, and what of it after its first wait."""
    command = [sys.executable, "-c", PROGRAM, str(folder / "home"), str(write_papers(folder)), QUESTION]
    path = {"PYTHONPATH": str(Path(__file__).parents[1]), "PATH": ""}
    done = subprocess.run(command, capture_output=True, text=True, check=True, env=path)
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def test_behind_the_first_answer_nothing_is_imported_or_built_any_more(tmp_path: Path) -> None:
    found = run(tmp_path)
    assert found["calls"]
    assert {*found["late"]} <= {"ReportWords", "UnknownPayload"}  # of the words of a language, and of no run
    assert found["schemas"] == 0
    assert "quaestor.research.reports.assembly" in found["all"]


def test_a_session_that_waits_for_no_model_loads_nothing_for_one() -> None:
    assert later_steps(ResearchOptions(corpus="c", questions=False)) == ()


def test_every_piece_can_be_loaded() -> None:
    steps = later_steps(ResearchOptions(corpus="c", questions=False, model="local:small"))
    assert steps
    for load in steps:
        load()
