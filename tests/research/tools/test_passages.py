from collections.abc import AsyncIterator
from datetime import UTC, datetime

import pytest

from quaestor.contracts.errors import ToolFailed
from quaestor.contracts.library import Document, Library
from quaestor.contracts.web import PickInput
from quaestor.research.tools.passages import SelectPassages
from quaestor.storage.sqlite import open_store

NOW = datetime(2026, 11, 23, tzinfo=UTC)
TOWERS = "The harbour guild pays for the oil of both towers, and writes it down every quarter. " * 6
BELLS = "A fog bell is rung twice a minute while nobody sees the far pier from the near one. " * 6


@pytest.fixture
async def library() -> AsyncIterator[Library]:
    store = open_store(":memory:")
    yield store.library
    await store.close()


async def keep(library: Library, text: str) -> str:
    page = Document(uri=f"https://a.example/{len(text)}", title="Aldmouth", media_type="text/markdown", text=text)
    return (await library.keep(page, NOW)).sha256


async def test_the_passages_of_pages_that_fit_a_query_come_best_first(library: Library) -> None:
    page = await keep(library, f"# Lights\n\n{TOWERS}\n\n# Fog\n\n{BELLS}")
    found = await SelectPassages(library).run(PickInput(query="When is the fog bell rung?", sources=(page,), limit=6))
    assert [hit.passage.heading for hit in found.hits] == ["Fog"]


async def test_a_tool_that_was_asked_before_answers_as_a_new_one(library: Library) -> None:
    pages = tuple([await keep(library, f"# Lights\n\n{TOWERS} {number}.\n\n# Fog\n\n{BELLS}") for number in range(40)])
    asked = SelectPassages(library)
    for query in ("Who pays for the oil?", "When is the fog bell rung?", "Who pays for the oil?"):
        for sources in (pages[:4], pages[2:6], pages):  # more than it remembers
            given = PickInput(query=query, sources=sources, limit=len(sources))
            found = await asked.run(given)
            assert found == await SelectPassages(library).run(given)
            assert {hit.passage.source for hit in found.hits} == set(sources)


async def test_a_page_that_is_not_stored_is_fetched_first(library: Library) -> None:
    with pytest.raises(ToolFailed, match="is not stored; fetch its page before"):
        await SelectPassages(library).run(PickInput(query="oil", sources=("0" * 64,), limit=6))
