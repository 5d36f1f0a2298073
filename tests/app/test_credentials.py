"""No way into a session leaves the credentials of a URL in its home."""

from pathlib import Path

import pytest

import quaestor
from fakes.papers import QUESTION, write_papers
from quaestor.contracts.command import Answer, OpenCycle
from quaestor.contracts.errors import UsageError
from quaestor.research.contracts.commands import EditPlan
from quaestor.research.contracts.plan import AddTodo

URLS = ("https://me:hunter-two@example.org/a", "https://example.org/a?v=1&api_key=hunter-two")


@pytest.mark.parametrize("url", URLS, ids=["before the host", "in the query"])
async def test_a_url_with_credentials_stays_nowhere_in_the_home(tmp_path: Path, url: str) -> None:
    docs = write_papers(tmp_path)
    async with quaestor.open(tmp_path / "home", effort="low", model="offline") as q:
        corpus = await q.index([docs])
        session_id = await q.start(QUESTION, corpus)
        refused = (
            q.start(f"What is at {url}?", corpus),
            q.start(QUESTION, corpus, urls=[url]),
            q.start_task(f"Read {url}"),
            q.index([url]),
            q.research(QUESTION, [url]),
            q.ask(session_id, f"And {url}?"),
            q.tell(session_id, Answer(text=f"The one at {url}")),
            q.tell(session_id, OpenCycle(why="question", question=url)),
            q.tell(session_id, EditPlan(edits=(AddTodo(task=f"Read {url}"),))),
        )
        for asked in refused:
            with pytest.raises(UsageError, match="credentials") as error:
                await asked
            assert "hunter" not in str(error.value)
        await q.run(session_id)
    assert not any(b"hunter-two" in content for content in _contents(tmp_path / "home"))


def _contents(home: Path) -> list[bytes]:
    return [file.read_bytes() for file in home.rglob("*") if file.is_file()]
