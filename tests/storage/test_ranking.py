"""One corpus, the same passages in the same order with the same scores, whatever database keeps it."""

import random
from collections.abc import Sequence
from datetime import date

from fakes.postgres import Postgres
from quaestor.contracts.library import IndexedDocument, Library
from quaestor.contracts.source import ANY_DATE, DateRange
from quaestor.storage import sqlite
from quaestor.storage.postgres import open_store
from storage.samples import NOON, document, later

WORDS = [f"word{number}" for number in range(60)] + ["Ærø", "日本", "c++", "a.b", "O'Neill", '"quoted"', "x" * 400]
WEIGHTS = [1 / (place + 1) for place in range(len(WORDS))]


def papers(chance: random.Random, count: int) -> list[IndexedDocument]:
    """Return documents of words as frequent as in a language, some twice, some dated."""
    made = []
    for number in range(count):
        passages = [
            " ".join(chance.choices(WORDS, WEIGHTS, k=chance.randint(1, 40))) for _ in range(chance.randint(1, 6))
        ]
        made.append(document(f"/d/{number:03}", *passages))
    made += [each.revised(mark=each.mark.revised(uri=f"{each.mark.uri}-again")) for each in made[:5]]
    dated = [
        each.revised(document=each.document.revised(published=date(2020 + place % 6, 1, 1)))
        for place, each in enumerate(made[::3])
    ]
    return made + dated


async def ranked(library: Library, chance: random.Random) -> list[object]:
    corpus = await library.open_corpus(["/d"])
    documents = papers(chance, 60)
    for start in range(0, len(documents), 7):
        await library.put(corpus, documents[start : start + 7], NOON)
    await library.drop(corpus, [f"/d/{number:03}" for number in range(0, 60, 4)])
    await library.put(corpus, papers(chance, 9), later(1))
    found: list[object] = [await library.corpus_state(corpus), await library.frequencies(corpus, WORDS)]
    for _ in range(80):
        found += await _search(library, corpus, chance)
    return found


async def _search(library: Library, corpus: str, chance: random.Random) -> Sequence[object]:
    terms, among = chance.sample(WORDS, chance.randint(1, 9)), chance.sample(WORDS, chance.choice((0, 0, 1, 3)))
    dates = chance.choice((ANY_DATE, DateRange(first=date(2021, 6, 1)), DateRange(last=date(2022, 6, 1))))
    filters = chance.random() < 0.5
    return await library.search(corpus, terms, chance.randint(1, 30), among, dates, only_filters=filters)


async def test_every_database_ranks_and_scores_alike(postgres: Postgres) -> None:
    stores = [sqlite.open_store(":memory:"), open_store(postgres.home())]
    expected, found = [await ranked(store.library, random.Random(7)) for store in stores]
    assert found == expected
    for store in stores:
        await store.close()
