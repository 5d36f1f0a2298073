"""A corpus of a million passages in Postgres, or in SQLite: how long a search takes, and what it costs.

    python bench/library.py [postgres|sqlite] [PASSAGES]

Words are as frequent as in a language (Zipf), in documents of 25 passages of 30 to 90 words. In Postgres at most 50,000
passages are indexed; the rest are copies of these under other ids,
made by SQL, as the index has rows for each batch alike. Where the variable QUAESTOR_BENCH_DATA names a folder with
`peps`, these are a part of the corpus, indexed as files are. A query has five words of one passage, none of them a stop
word, as a person remembers them. A search is cold when it is the first after the corpus has changed, so that nothing is
remembered of it.
"""

import asyncio
import os
import random
import sys
import tarfile
import time
from collections.abc import Iterator, Sequence
from itertools import accumulate
from pathlib import Path
from statistics import quantiles
from tempfile import TemporaryDirectory

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from fakes.postgres import DURABLE_SETTINGS, Postgres, _server
from quaestor.contracts.library import Document, FileFingerprint, IndexedDocument, Library
from quaestor.runtime.system import SystemClock
from quaestor.storage.postgres import open_store as open_server
from quaestor.storage.sql.store import SqlStore
from quaestor.storage.sqlite import open_store
from quaestor.tools.corpus import index_corpus

VOCABULARY, STOP_WORDS = 500_000, 100
PASSAGES, DOCUMENTS = 25, 64
"""Passages of a document, documents that are put at once."""
SHORTEST, LONGEST = 30, 90
"""Words of a passage."""
QUERIES, COLD, HITS = 300, 20, 20
MOST_INDEXED = 50_000


def made_documents(count: int, chance: random.Random) -> Iterator[IndexedDocument]:
    """Return documents of so many passages in all."""
    words = [f"w{number}" for number in range(VOCABULARY)]
    weights = list(accumulate(1 / (rank + 2.7) for rank in range(VOCABULARY)))
    for number in range(count // PASSAGES):
        lengths = (chance.randint(SHORTEST, LONGEST) for _ in range(PASSAGES))
        passages = [" ".join(chance.choices(words, cum_weights=weights, k=length)) for length in lengths]
        spans, start = [], 0
        for passage in passages:
            spans.append((start, start + len(passage), ""))
            start += len(passage) + 1
        yield IndexedDocument(
            mark=FileFingerprint(uri=f"/made/{number:06}", size=start, modified_ns=0),
            document=Document(uri=f"/made/{number:06}", text=" ".join(passages)),
            spans=tuple(spans),
            terms=tuple(passages),
        )


async def fill(library: Library, corpus: str, passages: int) -> list[list[str]]:
    """Put documents into a corpus; return the words of some of their passages."""
    chance = random.Random(7)  # noqa: S311 -- a corpus is the same each time
    batch, remembered = list[IndexedDocument](), list[list[str]]()
    began = time.perf_counter()
    for number, document in enumerate(made_documents(passages, chance), 1):
        batch.append(document)
        if number % 1_000 == 0:
            print(f"{number * PASSAGES:,} passages after {time.perf_counter() - began:.0f} s", flush=True)
        if number % DOCUMENTS == 0 or number == passages // PASSAGES:
            await library.put(corpus, batch, SystemClock().now())
            remembered += [each.terms[0].split() for each in batch]
            batch = []
    print(f"filled in {time.perf_counter() - began:.0f} s")
    return remembered


def queries(remembered: Sequence[list[str]], chance: random.Random) -> Iterator[list[str]]:
    while True:
        words = [word for word in chance.choice(remembered) if int(word[1:]) >= STOP_WORDS]
        if len(words) >= 5:
            yield chance.sample(words, 5)


def multiply(server: Postgres, times: int) -> None:
    """Copy the passages of the corpus under other ids, so that there are so many times as many."""
    began, size = time.perf_counter(), server.scalar("SELECT max(id) FROM library.passages")
    for copied in range(1, times):
        shift = f"{copied}::bigint * {size}"
        server.run(
            f'INSERT INTO library.passages SELECT id + {shift}, corpus, source, start, "end", heading '  # noqa: S608
            f"FROM library.passages WHERE id <= {size}",
            f"INSERT INTO library.passage_terms SELECT corpus, passage + {shift}, length, terms "  # noqa: S608
            f"FROM library.passage_terms WHERE passage <= {size}",
            f"INSERT INTO library.postings SELECT corpus, term, first + {shift}, size, "  # noqa: S608
            f"ARRAY(SELECT own + {shift} FROM unnest(passages) AS own), occurrences, lengths "
            f"FROM library.postings WHERE first <= {size}",
        )
        print(f"copy {copied} after {time.perf_counter() - began:.0f} s", flush=True)
    server.run("UPDATE library.corpora SET generation = generation + 1", "VACUUM ANALYZE")


async def measure(
    name: str, library: Library, corpus: str, asked: Iterator[list[str]], count: int, *, cold: bool
) -> None:
    milliseconds, cpu = [], 0.0
    for number in range(count):
        words = next(asked)
        if cold:
            probe = next(made_documents(PASSAGES, random.Random(number)))  # noqa: S311 -- as above
            mark = probe.mark.revised(uri=f"/probe/{number}")
            await library.put(corpus, [probe.revised(mark=mark)], SystemClock().now())
        began, used = time.perf_counter(), time.process_time()
        assert await library.search(corpus, words, HITS)
        milliseconds.append((time.perf_counter() - began) * 1e3)
        cpu += time.process_time() - used
    cuts = quantiles(milliseconds, n=100)
    print(
        f"{name:22} p50 {cuts[49]:7.1f} ms, p95 {cuts[94]:7.1f} ms, longest {max(milliseconds):7.1f} ms, "
        f"CPU of this process {cpu / count * 1e3:.1f} ms"
    )


async def bench(store: SqlStore, passages: int, folder: Path, server: Postgres | None = None) -> None:
    library = store.library
    roots = [folder / "documents"]
    roots[0].mkdir()
    if data := os.environ.get("QUAESTOR_BENCH_DATA"):
        with tarfile.open(Path(data) / "peps" / "peps.tar.xz") as archive:
            archive.extractall(roots[0], filter="data")
    else:
        (roots[0] / "none.txt").write_text("No documents were named.")
    corpus = (await index_corpus(library, SystemClock(), roots, lambda _: None)).corpus
    indexed = min(passages, MOST_INDEXED) if server else passages
    remembered = await fill(library, corpus, indexed)
    if server:
        multiply(server, passages // indexed)
    state = await library.corpus_state(corpus)
    print(f"{state.documents:,} documents, {state.passages:,} passages; load {os.getloadavg()[0]:.1f}")
    asked = queries(remembered, random.Random(8))  # noqa: S311 -- as above
    await measure("cold", library, corpus, asked, COLD, cold=True)
    await measure("words not asked before", library, corpus, asked, QUERIES, cold=False)
    peps = ["generator", "coroutine", "delegation", "subgenerator", "yield"]
    began = time.perf_counter()
    found = await library.search(corpus, peps, HITS)
    print(f"PEPs: {(time.perf_counter() - began) * 1e3:.1f} ms, {[Path(hit.uri).name for hit in found[:3]]}")


async def main() -> None:
    kind, passages = (sys.argv[1:] or ["postgres"])[0], int((sys.argv[2:] or ["1000000"])[0])
    with TemporaryDirectory() as folder:
        if kind == "sqlite":
            store: SqlStore = open_store(Path(folder) / "quaestor.db")
            await bench(store, passages, Path(folder))
            await store.close()
            return
        server = _server(DURABLE_SETTINGS)
        if isinstance(server, str):
            raise SystemExit(server)
        store = open_server(server.schema("library"))
        await bench(store, passages, Path(folder), server)
        for table in ("postings", "passage_terms", "passages", "blobs"):
            size = server.scalar(f"SELECT pg_size_pretty(pg_total_relation_size('library.{table}'))")
            print(f"{table}: {size}")
        await store.close()


if __name__ == "__main__":
    asyncio.run(main())
