from quaestor.storage.sqlite import open_store
from storage.samples import NOON, document

CROWD = [f"elk number {number}" for number in range(10_100)]


async def test_a_term_in_very_many_passages_gives_way_to_rarer_ones() -> None:
    library = open_store(":memory:").library
    corpus = await library.open_corpus(["/d"])
    await library.put(corpus, [document("/d/crowd", *CROWD), document("/d/few", "a fox", "an owl")], NOON)
    assert [hit.uri for hit in await library.search(corpus, ["elk", "owl", "fox"], 9)] == ["/d/few", "/d/few"]
    assert [hit.passage.text for hit in await library.search(corpus, ["elk"], 2)] == CROWD[:2]
    assert [hit.passage.text for hit in await library.search(corpus, ["elk", "number"], 2)] == CROWD[:2]


async def test_the_first_sixty_terms_are_asked_for() -> None:
    library = open_store(":memory:").library
    corpus = await library.open_corpus(["/d"])
    await library.put(corpus, [document("/d/few", "a fox", "an owl")], NOON)
    others = [f"w{number}" for number in range(59)]
    assert [hit.passage.text for hit in await library.search(corpus, [*others, "w0", "fox", "owl"], 9)] == ["a fox"]
