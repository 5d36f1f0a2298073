from typing import ClassVar

import pytest

from quaestor.contracts.errors import ToolFailed
from quaestor.contracts.web import WebHit, WebResults, WebSearchInput
from quaestor.tools.workspace import SearchWeb

GIVEN = WebSearchInput(query="towers", limit=2)


class Engine:
    name: ClassVar[str] = "engine"

    def __init__(self, *answers: int | str) -> None:
        self._answers = answers

    async def search(self, given: WebSearchInput) -> WebResults:
        answer = self._answers[0]
        if isinstance(answer, str):
            raise ToolFailed(answer)
        return WebResults(hits=(WebHit(url=f"https://example.org/{given.query}"),) * answer)

    async def close(self) -> None:
        pass


async def test_the_first_engine_that_finds_something_answers_with_as_many_pages_as_were_asked_for() -> None:
    found = await SearchWeb([Engine("it is down"), Engine(0), Engine(5)]).run(GIVEN)
    assert [hit.url for hit in found.hits] == ["https://example.org/towers"] * 2


async def test_nothing_found_is_no_error() -> None:
    assert (await SearchWeb([Engine("it is down"), Engine(0)]).run(GIVEN)).hits == ()


@pytest.mark.parametrize(
    ("engines", "reason"), [([], "no search engine"), ([Engine("it is down")], "engine: it is down")]
)
async def test_without_an_answer_the_reasons_are_told(engines: list[Engine], reason: str) -> None:
    with pytest.raises(ToolFailed, match=reason):
        await SearchWeb(engines).run(GIVEN)
