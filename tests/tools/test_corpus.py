import asyncio
import json
import os
from collections.abc import AsyncIterator
from hashlib import sha256
from pathlib import Path

import pytest

from fakes.papers import PAPERS, write_papers
from fakes.time import ManualClock
from quaestor.contracts.errors import UsageError
from quaestor.contracts.library import (
    INDEX_FORM,
    CorpusState,
    Document,
    FileFingerprint,
    IndexedDocument,
    IndexProgress,
    Library,
)
from quaestor.contracts.tools import SearchInput
from quaestor.storage.sqlite import open_store
from quaestor.tools.corpus import index_corpus
from quaestor.tools.documents import index_document
from quaestor.tools.passage_search import SearchPassages
from quaestor.tools.reading.protocol import SkipReason

OTHERS = {
    "help.txt": """class Queue(maxsize=0)
    A queue, useful for coordinating producers and consumers.

    get(self, block=True, timeout=None) -> object
        Remove and return an item. The licence of the colour catalogue, organised by its programme, was analysed.
""",
    "hafen.md": "# Der Hafen\n\n- Die Leuchttürme wurden 1831 gebaut.\n- Ihre Wärter führten Bücher.\n",
    "table.csv": "Harbour,Built,Metres\nAldmouth,1831,42\nSkerry,1860,17\n",
    "phare.txt": "Les phares des ports furent construits par les ingénieurs. Ils coûtaient cher aux guildes.\n",
    "маяк.txt": "Маяки гавани были построены в 1831 году. Смотрители вели журналы.\n",
    "minutes.txt": "HARBOUR BOARD\n\n1. DUES\nThe dues rise.\n\n2. DREDGING\nIt begins in May.\n",
    "tide.md": "# Tides\n\n```{note}\nThis no longer applies.\n```\n\n```{toc}\n---\nebb\n---\n```\n",
    "songs.txt": "FOG BELL (p. 3)\n\nBy Ann Lee.\n\nOLD MILL (_Camp_ 7)\n\nBy Bo Ek.\n",
    "tides-2024-05.txt": "TIDES\n\nAldmouth   high   2024-05-03\nSkerry     low    5.6.2024\n"
    + "Of old it was so. " * 90,
    "lamps.md": "# Lamps\n\nHarbour | Lamp\n---|---\n" + "Aldmouth | Red by day. White at night\n" * 60,
    "mice.txt": "Three mice heard the Sonata Op. 27 and left by choice.\n",
    "fares.txt": "The fare is 12\u00a0500 crowns a year.\n",
    "buoys.md": "---\ntitle: Buoys\nhide:\n  # - toc\n---\n\nA buoy floats.\n\n## Bells\n\nA bell rings.\n",
    "bell.rst": "Bells\n=====\n\n.. setting:: BELL\n\nTone\n----\n\nA bell rings.\n",
    "keys.rst": "Keys\n====\n\n.. function:: turn(key)\n\n   Turn a key.\n\nKeys are of tin.\n",
    "log.md": "# Watch\n\nGekauft wurden Schlüssel, und es war Nacht.\n\n08:02 Ann: it is out\n09:15 Bo: so I see\n",
    "pacht.txt": "§ 1 Boote\n(1) Das Mitglied hat ein Boot.\n\n§ 2 Pacht\n(1) Sie ist Honig.\n",
    "灯台.txt": "港の灯台は一八三一年に建てられた。灯台守は船を記録した。\n",
}
"""Texts of other kinds and languages, as the rules for passages and terms treat each in its way."""


@pytest.fixture
async def library() -> AsyncIterator[Library]:
    store = open_store(":memory:")
    yield store.library
    await store.close()


@pytest.fixture
def papers(tmp_path: Path) -> Path:
    return write_papers(tmp_path)


async def indexed(library: Library, *paths: Path) -> CorpusState:
    return await index_corpus(library, ManualClock(), paths, lambda _: None)


def touched(path: Path, text: str) -> None:
    path.write_text(text, encoding="utf-8")
    os.utime(path, ns=(1, path.stat().st_mtime_ns + 1))


async def test_only_what_changed_is_read_again(library: Library, papers: Path) -> None:
    first = await indexed(library, papers)
    assert (first.documents, first.changed, first.removed) == (5, 5, 0)
    assert (await indexed(library, papers)).changed == 0
    touched(papers / "fog.md", "# Fog\n\nNew words about mist.")
    (papers / "guild.rst").unlink()
    (papers / "new.txt").write_text("A new text.")
    again = await indexed(library, papers)
    assert (again.corpus, again.documents, again.changed, again.removed) == (first.corpus, 5, 2, 1)
    search = SearchPassages(library, again.corpus)
    assert [hit.title for hit in (await search.run(SearchInput(query="mist"))).hits] == ["Fog"]
    assert not (await search.run(SearchInput(query="Constancy"))).hits


async def test_what_was_indexed_in_another_form_is_read_again(library: Library, papers: Path) -> None:
    first = await indexed(library, papers)
    old = papers / "fog.md"
    mark = next(each for each in await library.marks(first.corpus) if each.uri == str(old))
    document = Document(uri=str(old), title="Fog", text="Gone.")
    stale = IndexedDocument(
        mark=mark.revised(form=INDEX_FORM - 1), document=document, spans=((0, 5, ""),), terms=("x",)
    )
    await library.put(first.corpus, [stale], ManualClock().now())
    assert (await indexed(library, papers)).changed == 1
    assert {each.form for each in await library.marks(first.corpus)} == {INDEX_FORM}
    assert (await indexed(library, papers)).changed == 0


def test_the_cells_of_a_file_tell_no_language_and_running_text_does() -> None:
    def terms_of(name: str, text: str) -> str:
        mark = FileFingerprint(uri=f"/{name}", size=0, modified_ns=0)
        return " ".join(index_document(mark, Document(uri=name, text=text)).terms)

    assert "=language" not in terms_of("gifts.csv", "Donor,Kind\nCo-op,di\nCo-op,ed\n")
    assert "=language" not in terms_of("lines.json", '[{"lines": ["U1", "U2"], "u": "u"}]')
    assert "=language+en" in terms_of("gifts.txt", "The donors of the gifts are those of last year.")
    assert "=language+fr" in terms_of("dons.txt", "Les dons sont ceux de la ville.")


def test_the_form_of_the_index_is_raised_with_what_is_indexed() -> None:
    """Raise INDEX_FORM where this fails, and put the new digest here: else what is indexed keeps its old terms."""
    made = [
        (form.spans, form.terms)
        for name, text in (*PAPERS.items(), *OTHERS.items())
        for form in [
            index_document(FileFingerprint(uri=f"/{name}", size=0, modified_ns=0), Document(uri=name, text=text))
        ]
    ]
    digest = sha256(json.dumps(made, ensure_ascii=False).encode()).hexdigest()[:16]
    assert (INDEX_FORM, digest) == (22, "7502604487c7c9a7")


async def test_skipped_files_are_listed_with_their_reason(library: Library, papers: Path) -> None:
    (papers / "data.bin").write_bytes(b"\0\1\2")
    (papers / "paper.pdf").write_bytes(b"%PDF")
    expected = {str(papers / "data.bin"): "not text", str(papers / "paper.pdf"): "damaged, or not what its name says"}
    for _ in range(2):
        state = await indexed(library, papers)
        assert dict(state.skipped) == expected
        assert state.documents == 5


async def test_only_lasting_reasons_settle_a_file(library: Library, papers: Path) -> None:
    (papers / "data.bin").write_bytes(b"\0\1\2")
    (papers / "paper.pdf").write_bytes(b"%PDF")
    state = await indexed(library, papers)
    slow = str(papers / "fog.md")
    mark = next(mark for mark in await library.marks(state.corpus) if mark.uri == slow)
    again = mark.model_copy(update={"modified_ns": -1})
    skipped = IndexedDocument(mark=again, document=Document(uri=slow, skipped=SkipReason.TOO_SLOW))
    await library.put(state.corpus, [skipped], ManualClock().now())
    tried: list[IndexProgress] = []
    await index_corpus(library, ManualClock(), [papers], tried.append)
    assert tried == [IndexProgress(done=1, total=1, uri=slow)]


async def test_roots_are_real_sorted_and_not_nested(library: Library, papers: Path) -> None:
    other = papers.parent / "more"
    other.mkdir()
    (other / "a.txt").write_text("Words.")
    link = papers.parent / "link"
    link.symlink_to(other)
    state = await indexed(library, papers, papers / "fog.md", link, other)
    assert state.roots == (str(other), str(papers))
    assert state.documents == 6


async def test_a_path_that_does_not_exist_is_named(library: Library, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="nowhere does not exist"):
        await indexed(library, tmp_path / "nowhere")


async def test_documents_have_to_be_named(library: Library) -> None:
    with pytest.raises(UsageError, match="no documents were named"):
        await indexed(library)


async def test_a_root_with_nothing_to_read_is_named(library: Library, papers: Path) -> None:
    empty = papers.parent / "empty"
    empty.mkdir()
    with pytest.raises(UsageError, match=r"nothing can be read in .*/empty \(it holds no files\)"):
        await indexed(library, papers, empty)
    (empty / "a.pdf").write_bytes(b"%PDF")
    with pytest.raises(UsageError, match="1 skipped: damaged, or not what its name says"):
        await indexed(library, papers, empty)


async def test_indexing_goes_in_batches_and_gives_others_a_turn(library: Library, tmp_path: Path) -> None:
    for number in range(130):
        (tmp_path / f"{number:03}.txt").write_text(f"Text number {number}.")
    told: list[IndexProgress] = []
    turns = 0

    async def other() -> None:
        nonlocal turns
        while True:
            turns += 1
            await asyncio.sleep(0)

    task = asyncio.create_task(other())
    await index_corpus(library, ManualClock(), [tmp_path], told.append)
    task.cancel()
    assert [(each.done, each.total) for each in told] == [(64, 130), (128, 130), (130, 130)]
    assert turns >= 3


async def test_a_large_text_is_split_beside_the_event_loop(library: Library, tmp_path: Path) -> None:
    (tmp_path / "large.txt").write_text("The fog bell of Aldmouth was cast in bronze. " * 5_000, encoding="utf-8")
    indexing = asyncio.create_task(index_corpus(library, ManualClock(), [tmp_path], lambda _: None))
    turns = 0
    while not indexing.done():
        turns += 1
        await asyncio.sleep(0)
    assert (await indexing).changed == 1
    assert turns > 20, "others had no turn while it was split"


async def test_titles_headings_and_file_names_lead_to_passages(library: Library, tmp_path: Path) -> None:
    (tmp_path / "pep-0634.md").write_text("# Matching\n\n## Wildcards\n\nAn underscore.")
    search = SearchPassages(library, (await indexed(library, tmp_path)).corpus)
    for query in ("matching", "wildcards", "634"):
        [hit] = (await search.run(SearchInput(query=query))).hits
        assert hit.passage.heading == "Matching > Wildcards"


async def test_the_event_loop_is_left_to_others_between_the_transactions_of_an_index(
    library: Library, tmp_path: Path
) -> None:
    for number in range(4):
        (tmp_path / f"{number}.txt").write_text(f"Number {number}. " + "Fog over the harbour. " * 3_000)
    turns = 0

    async def count() -> None:
        nonlocal turns
        while True:
            turns += (await library.corpus_state(corpus)).documents not in {0, 4}
            await asyncio.sleep(0)

    corpus = await library.open_corpus([str(tmp_path)])
    others = asyncio.create_task(count())
    assert (await indexed(library, tmp_path)).documents == 4
    others.cancel()
    assert turns, "the whole batch was stored at once"
