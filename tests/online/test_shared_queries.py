"""A todo whose queries were all asked before goes on with what they brought, also on the web."""

from pathlib import Path

import pytest

from fakes.coast import coast, town
from quaestor.app import open_home

SCRIPT = f"""
planner:
  - reply: {{todos: [{{task: The lighthouses}}, {{task: The fog bells}}, {{task: Both, dependencies: [t1, t2]}}]}}
query_writer:
  - {{todo: t1, reply: {{queries: [lighthouse of {town(0)}, lighthouse of {town(1)}]}}}}
  - {{todo: t2, reply: {{queries: [fog bell of {town(2)}, fog bell of {town(3)}]}}}}
  - {{todo: t3, reply: {{queries: [lighthouse of {town(0)}, fog bell of {town(2)}]}}}}
"""


async def test_a_todo_that_asks_what_others_asked_goes_on_to_the_pages(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    script = tmp_path / "script.yaml"
    script.write_text(SCRIPT, encoding="utf-8")
    async with coast() as site:
        monkeypatch.setenv("SEARXNG_URL", site.url)
        monkeypatch.setenv("QUAESTOR_FETCH_ALLOW", f"127.0.0.1:{site.port}")
        async with open_home(
            tmp_path, model=f"script:{script}", web=["searxng"], queries=2, loops=1, pause_seconds=0
        ) as q:
            session_id = await q.start("What is known of the lights of the coast?", None)
            assert (await q.run(session_id)).outcome == "done"
            assert {todo.status for todo in (await q.plan(session_id)).todos} == {"done"}
