from collections.abc import AsyncIterator
from hashlib import sha256

import pytest

from fakes.time import ManualClock
from quaestor.contracts.library import Library
from quaestor.contracts.todo import TodoOutput
from quaestor.contracts.tools import SearchResults
from quaestor.research.contracts.roles import DraftFinding, DraftQuote
from quaestor.research.contracts.tools import DepositInput, ProveInput
from quaestor.research.tools.passages import StoreOutputs
from quaestor.research.tools.verification import LocateQuotes
from quaestor.storage.sqlite import open_store

SUM = TodoOutput(
    key="todo/t1/round/3/tool", title="Output of python in round 3 of t1", text="The towers cost 5,350 crowns."
)
LIST = TodoOutput(key="todo/t1/round/4/tool", title="Output of shell in round 4 of t1", text="fog.md\nguild.rst")


@pytest.fixture
async def library() -> AsyncIterator[Library]:
    store = open_store(":memory:")
    yield store.library
    await store.close()


async def deposit(library: Library, query: str, *outputs: TodoOutput, limit: int = 6) -> SearchResults:
    return await StoreOutputs(library, ManualClock()).run(DepositInput(query=query, outputs=outputs, limit=limit))


async def test_what_a_program_printed_is_a_source_named_by_its_run(library: Library) -> None:
    [hit] = (await deposit(library, "What did the towers cost?", SUM, LIST)).hits
    assert (hit.passage.text, hit.title, hit.uri) == (SUM.text, SUM.title, "quaestor:todo/t1/round/3/tool")
    source = await library.source(hit.passage.source)
    assert source
    assert source.sha256 == sha256(SUM.text.encode()).hexdigest()
    assert await library.text(source.sha256) == SUM.text


async def test_such_a_source_proves_a_claim_word_for_word(library: Library) -> None:
    [hit] = (await deposit(library, "towers", SUM)).hits
    true, false = (
        DraftFinding(claim="The sum.", quotes=(DraftQuote(source=hit.passage.source, text=text),))
        for text in ("cost 5,350 crowns", "cost 5,351 crowns")
    )
    proof = await LocateQuotes(library).run(ProveInput(todo_id="t1", first=1, drafts=(true, false)))
    assert [quote.text for finding in proof.findings for quote in finding.quotes] == ["cost 5,350 crowns"]
    assert proof.sources[0].uri == "quaestor:todo/t1/round/3/tool"


async def test_where_no_word_fits_the_first_output_is_shown(library: Library) -> None:
    assert [hit.passage.text for hit in (await deposit(library, "rivers", LIST, SUM)).hits] == [LIST.text]


async def test_without_an_output_there_is_nothing(library: Library) -> None:
    assert await deposit(library, "towers") == SearchResults()


async def test_done_again_it_gives_the_same_and_stores_nothing_twice(library: Library) -> None:
    first = await deposit(library, "towers", SUM, LIST)
    assert await deposit(library, "towers", SUM, LIST) == first


async def test_no_more_passages_are_given_than_asked_for(library: Library) -> None:
    many = [TodoOutput(key=f"k{number}", title="t", text=f"tower {number}") for number in range(9)]
    assert len((await deposit(library, "tower", *many, limit=4)).hits) == 4
    long = TodoOutput(
        key="k", title="t", text="\n\n".join(f"Line {number} of a long output." * 20 for number in range(40))
    )
    assert len((await deposit(library, "rivers", long, limit=2)).hits) == 2
