from collections.abc import Iterator
from datetime import date
from hashlib import sha256

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from quaestor.contracts.errors import UsageError
from quaestor.contracts.library import Document, FileFingerprint, IndexedDocument, Library
from quaestor.contracts.source import DateRange, Hit, Quote
from storage.samples import NOON, document, later, skipped

FOX = document("/d/fox.txt", "The quick brown fox", "jumps over the lazy dog", title="Fox")
HEN = document("/d/hen.txt", "A hen is no fox", "and Ærø is no 日本", title="Hen")


def name_of(indexed: IndexedDocument) -> str:
    return sha256(indexed.document.text.encode()).hexdigest()


def found(hits: Iterator[Hit] | list[Hit]) -> list[tuple[str, str]]:
    return [(hit.uri, hit.passage.text) for hit in hits]


async def filled(library: Library, *documents: IndexedDocument, root: str = "/d") -> str:
    corpus = await library.open_corpus([root])
    await library.put(corpus, documents, NOON)
    return corpus


async def test_a_corpus_is_its_set_of_roots(library: Library) -> None:
    first = await library.open_corpus(["/b", "/a", "/b"])
    assert await library.open_corpus(["/a", "/b"]) == first
    assert await library.open_corpus(["/a"]) != first
    assert (await library.corpus_state(first)).roots == ("/a", "/b")


@pytest.mark.parametrize("corpus", ["", "corpus_9", "corpus_1 ", "1", "x' OR 1=1", "\0", "\ud800"])
async def test_an_unknown_corpus_is_an_error(library: Library, corpus: str) -> None:
    await filled(library, FOX)
    for asked in (
        library.marks(corpus),
        library.put(corpus, [HEN], NOON),
        library.drop(corpus, ["/d/fox.txt"]),
        library.corpus_state(corpus),
        library.search(corpus, ["fox"], 3),
        library.frequencies(corpus, ["fox"]),
        library.held(corpus, [name_of(FOX)]),
    ):
        with pytest.raises(UsageError):
            await asked


async def test_counts_what_it_holds(library: Library) -> None:
    corpus = await filled(library, FOX, HEN, skipped("/d/a.pdf", "needs the extra docs"))
    state = await library.corpus_state(corpus)
    assert (state.corpus, state.documents, state.passages) == (corpus, 2, 4)
    assert state.skipped == (("/d/a.pdf", "needs the extra docs"),)
    assert await library.marks(corpus) == [
        FileFingerprint(uri="/d/a.pdf", size=9, modified_ns=1),
        FOX.mark,
        HEN.mark,
    ]


async def test_a_hit_is_the_words_of_its_source(library: Library) -> None:
    corpus = await filled(library, FOX, HEN)
    [hit] = await library.search(corpus, ["日本"], 5)
    assert (hit.title, hit.uri, hit.passage.heading) == ("Hen", "/d/hen.txt", "part 2")
    assert hit.passage.text == HEN.document.text[hit.passage.start : hit.passage.end] == "and Ærø is no 日本"
    assert hit.passage.source == name_of(HEN)
    assert hit.score > 0
    assert await library.text(hit.passage.source) == HEN.document.text


async def test_any_term_finds_and_more_terms_rank_higher(library: Library) -> None:
    corpus = await filled(library, FOX, HEN)
    hits = await library.search(corpus, ["fox", "hen"], 5)
    assert found(list(hits)) == [("/d/hen.txt", "A hen is no fox"), ("/d/fox.txt", "The quick brown fox")]
    assert hits[0].score > hits[1].score
    assert await library.search(corpus, ["fox", "hen"], 1) == hits[:1]
    assert await library.search(corpus, ["HEN", "fox", "hen", "FOX"], 5) == hits
    assert await library.search(corpus, ["HEN"], 5) == await library.search(corpus, ["hen"], 5)


async def test_a_search_may_be_held_to_passages_with_a_term(library: Library) -> None:
    corpus = await filled(library, FOX, HEN)
    hits = await library.search(corpus, ["fox"], 5, among=["hen", "wolf"])
    assert found(list(hits)) == [("/d/hen.txt", "A hen is no fox")]
    assert found(list(await library.search(corpus, ["wolf"], 5, ["hen"]))) == found(list(hits))
    assert found(list(await library.search(corpus, [], 5, ["hen"]))) == found(list(hits))
    assert await library.search(corpus, ["fox"], 5, ["wolf"]) == []


async def test_what_a_search_is_held_to_may_only_filter(library: Library) -> None:
    corpus = await filled(library, FOX, HEN)
    [alone] = await library.search(corpus, ["fox", "hen"], 1)
    hits = await library.search(corpus, ["fox", "hen"], 5, ["hen", "wolf"], only_filters=True)
    assert [(hit.place, hit.score) for hit in hits] == [(alone.place, alone.score)]
    assert await library.search(corpus, ["fox", "hen"], 5, (), only_filters=True) == await library.search(
        corpus, ["fox", "hen"], 5
    )
    assert await library.search(corpus, ["wolf"], 5, ["hen"], only_filters=True) == []
    assert await library.search(corpus, [], 5, ["hen"], only_filters=True) == []
    assert await library.search(corpus, ["fox"], 5, ["wolf"], only_filters=True) == []
    many = [f"word{number}" for number in range(390)]
    filtered = await library.search(corpus, ["fox"], 5, [*many, "hen"], only_filters=True)
    assert [hit.place for hit in filtered] == [alone.place]


async def test_tells_how_common_terms_are(library: Library) -> None:
    corpus = await filled(library, FOX, HEN)
    counts = await library.frequencies(corpus, ["FOX", "hen", "no", "wolf", "fox"])
    assert (counts.passages, counts.of) == (4, {"fox": 2, "hen": 1, "no": 2, "wolf": 0})
    await library.drop(corpus, ["/d/hen.txt"])
    counts = await library.frequencies(corpus, ["fox", "hen"])
    assert (counts.passages, counts.of) == (2, {"fox": 1, "hen": 0})


async def test_equal_scores_are_in_order_of_path_and_place(library: Library) -> None:
    corpus = await filled(
        library,
        document("/d/c", "elk one", "elk two"),
        document("/d/b", "elk six"),
        document("/d/a", "elk ten"),
    )
    order = ["elk ten", "elk six", "elk one", "elk two"]
    for limit in range(1, 5):
        hits = await library.search(corpus, ["elk"], limit)
        assert [hit.passage.text for hit in hits] == order[:limit]


@pytest.mark.parametrize(
    "terms",
    [[], [""], ['"'], ['fox" OR "hen'], ["NEAR(fox hen)"], ["fox*"], ["-"], ["terms:fox"], ["fox\0"], ["fox hen"]],
)
async def test_hostile_terms_find_nothing(library: Library, terms: list[str]) -> None:
    corpus = await filled(library, FOX, HEN)
    assert await library.search(corpus, terms, 5) == []


@pytest.mark.parametrize("term", ['say"so"', "don't", "c++", "a_b", "3.5", "{x|y}", "日本", "$table", "a,b"])
async def test_a_term_is_what_stands_between_blanks(library: Library, term: str) -> None:
    corpus = await filled(library, document("/d/a", f"one {term} two"), document("/d/b", "say don c a b 3 5 x y 日"))
    assert [hit.uri for hit in await library.search(corpus, [term], 5)] == ["/d/a"]


async def test_many_terms_are_no_error(library: Library) -> None:
    corpus = await filled(library, FOX)
    assert await library.search(corpus, ["fox", *(f"w{number}" for number in range(5000))], 5)


async def test_a_document_is_replaced(library: Library) -> None:
    corpus = await filled(library, FOX, HEN)
    assert await library.search(corpus, ["wolf"], 5) == []
    anew = document("/d/fox.txt", "Nothing but a wolf", modified=2)
    await library.put(corpus, [anew], later(5))
    assert await library.search(corpus, ["quick"], 5) == []
    assert found(list(await library.search(corpus, ["wolf"], 5))) == [("/d/fox.txt", "Nothing but a wolf")]
    assert anew.mark in await library.marks(corpus)
    assert (await library.corpus_state(corpus)).documents == 2
    assert await library.text(name_of(FOX)) == FOX.document.text


async def test_a_document_that_is_split_anew_has_its_new_passages(library: Library) -> None:
    corpus = await filled(library, FOX)
    whole = FOX.model_copy(update={"spans": ((4, 9, "all"),), "terms": ("quick",)})
    await library.put(corpus, [whole], NOON)
    assert found(list(await library.search(corpus, ["quick"], 5))) == [("/d/fox.txt", "quick")]
    assert (await library.corpus_state(corpus)).passages == 1


async def test_a_document_becomes_one_that_is_skipped(library: Library) -> None:
    corpus = await filled(library, FOX)
    await library.put(corpus, [skipped("/d/fox.txt", "unreadable")], NOON)
    state = await library.corpus_state(corpus)
    assert (state.documents, state.passages) == (0, 0)
    assert await library.search(corpus, ["fox"], 5) == []


async def test_a_dropped_document_leaves_its_source(library: Library) -> None:
    corpus = await filled(library, FOX, HEN)
    await library.drop(corpus, ["/d/fox.txt", "/d/unknown"])
    assert [hit.uri for hit in await library.search(corpus, ["fox"], 5)] == ["/d/hen.txt"]
    assert await library.marks(corpus) == [HEN.mark]
    assert await library.text(name_of(FOX)) == FOX.document.text


async def test_says_which_texts_a_corpus_holds_now_wherever_they_stand(library: Library) -> None:
    corpus = await filled(library, FOX, HEN, skipped("/d/a.pdf", "needs the extra docs"))
    other = document("/e/x", "fox fox")
    second = await filled(library, other, HEN, root="/e")
    asked = [name_of(FOX), name_of(HEN), name_of(other), "0" * 64]
    assert await library.held(corpus, asked) == {name_of(FOX), name_of(HEN)}
    assert await library.held(second, asked) == {name_of(other), name_of(HEN)}
    assert await library.held(corpus, []) == frozenset()
    moved = document("/d/moved.txt", "The quick brown fox", "jumps over the lazy dog", title="Moved")
    await library.put(corpus, [moved], later(5))
    await library.drop(corpus, ["/d/fox.txt", "/d/hen.txt"])
    assert await library.held(corpus, asked) == {name_of(FOX)}
    await library.put(corpus, [document("/d/moved.txt", "Nothing but a wolf")], later(6))
    assert await library.held(corpus, asked) == frozenset()


async def test_names_the_texts_of_a_corpus_once_in_order_of_path(library: Library) -> None:
    again = document("/d/a.txt", "The quick brown fox", "jumps over the lazy dog", title="Again")
    corpus = await filled(library, FOX, HEN, skipped("/d/a.pdf", "needs the extra docs"))
    assert await library.texts_of(corpus) == [name_of(FOX), name_of(HEN)]
    await library.put(corpus, [document("/d/g.txt", "Nothing but a wolf"), again], later(5))
    await library.drop(corpus, ["/d/fox.txt"])
    held = [name_of(FOX), name_of(document("/d/g.txt", "Nothing but a wolf")), name_of(HEN)]
    assert await library.texts_of(corpus) == held


@pytest.mark.parametrize("hostile", ["", "\0", "' OR 1=1 --", '"', "[", "日本", "x" * 100_000])
async def test_a_hash_that_is_none_is_held_by_nobody(library: Library, hostile: str) -> None:
    corpus = await filled(library, FOX)
    assert await library.held(corpus, [hostile, name_of(FOX), hostile]) == {name_of(FOX)}


async def test_many_hashes_are_no_error(library: Library) -> None:
    corpus = await filled(library, FOX)
    many = (f"{number:064x}" for number in range(40_000))
    assert await library.held(corpus, [*many, name_of(FOX)]) == {name_of(FOX)}


async def test_equal_texts_are_found_once_under_the_first_path(library: Library) -> None:
    twin = document("/d/a.txt", "The quick brown fox", "jumps over the lazy dog", title="Twin")
    corpus = await filled(library, FOX, HEN)
    alone = await library.search(corpus, ["fox"], 5)
    await library.put(corpus, [twin], later(9))
    both = await library.search(corpus, ["fox"], 5)
    assert [(hit.uri, hit.title) for hit in both] == [("/d/a.txt", "Twin"), ("/d/hen.txt", "Hen")]
    assert sorted(hit.score for hit in both) == sorted(hit.score for hit in alone)
    await library.drop(corpus, ["/d/a.txt"])
    assert await library.search(corpus, ["fox"], 5) == alone


async def test_corpora_share_sources_and_nothing_else(library: Library) -> None:
    first = await filled(library, FOX, HEN)
    before = await library.search(first, ["fox"], 5)
    second = await filled(library, FOX, document("/e/x", "fox fox"), root="/e")
    assert await library.search(first, ["fox"], 5) == before
    assert len(await library.search(second, ["fox"], 5)) == 2
    await library.drop(second, ["/d/fox.txt"])
    assert await library.search(first, ["fox"], 5) == before


async def test_a_document_is_kept_outside_any_corpus(library: Library) -> None:
    document = Document(
        uri="https://a.org/bell", title="Bell", text="First page.\nSecond.", published=date(2024, 5, 6), pages=(0, 12)
    )
    source = await library.keep(document, NOON)
    assert (source.uri, source.title, source.retrieved_at) == ("https://a.org/bell", "Bell", NOON)
    assert (source.published, source.pages) == (date(2024, 5, 6), (0, 12))
    assert await library.text(source.sha256) == document.text
    assert await library.keep(document.model_copy(update={"uri": "https://b.org"}), later(9)) == source
    assert await library.source(source.sha256) == source


async def test_a_source_outside_any_session_is_named_by_its_first_path(library: Library) -> None:
    await filled(library, FOX)
    twin = document("/e/a.txt", "The quick brown fox", "jumps over the lazy dog", title="Twin")
    await filled(library, twin, root="/e")
    source = await library.source(name_of(FOX))
    assert source is not None
    assert (source.title, source.uri, source.media_type) == ("Fox", "/d/fox.txt", "text/plain")
    assert (source.characters, source.retrieved_at) == (len(FOX.document.text), NOON)
    assert await library.source("0" * 64) is None
    assert await library.text("0" * 64) is None


@pytest.mark.parametrize(
    "broken",
    [
        FOX.model_copy(update={"spans": ((0, 99, ""),), "terms": ("fox",)}),
        FOX.model_copy(update={"spans": ((-1, 3, ""),), "terms": ("fox",)}),
        FOX.model_copy(update={"spans": ((3, 3, ""),), "terms": ("fox",)}),
        FOX.model_copy(update={"terms": ("fox",)}),
        document("/d/x", "lone \ud800"),
    ],
)
async def test_a_batch_with_a_broken_document_leaves_nothing(library: Library, broken: IndexedDocument) -> None:
    corpus = await library.open_corpus(["/d"])
    with pytest.raises(UsageError, match="/d/"):
        await library.put(corpus, [HEN, broken], NOON)
    assert await library.marks(corpus) == []
    assert await library.search(corpus, ["fox"], 5) == []
    assert await library.source(name_of(HEN)) is None


async def test_a_batch_that_ends_early_leaves_nothing(library: Library) -> None:
    def torn() -> Iterator[IndexedDocument]:
        yield HEN
        raise InterruptedError

    corpus = await library.open_corpus(["/d"])
    with pytest.raises(InterruptedError):
        await library.put(corpus, torn(), NOON)
    assert await library.marks(corpus) == []
    await library.put(corpus, [HEN], NOON)
    assert len(await library.search(corpus, ["fox"], 5)) == 1


async def test_names_quotes_that_do_not_stand(library: Library) -> None:
    await filled(library, FOX)
    name = name_of(FOX)
    good = Quote(source=name, start=4, end=9, text="quick")
    moved = Quote(source=name, start=5, end=10, text="quick")
    beyond = Quote(source=name, start=990, end=995, text="quick")
    lost = Quote(source="0" * 64, start=4, end=9, text="quick")
    assert await library.damaged([good, good]) == []
    named = await library.damaged([good, moved, lost, beyond, lost])
    assert len(named) == 3
    assert "'quick' is not at 5..10" in named[0]
    assert "990..995" in named[1]
    assert "0" * 64 in named[2]


WORDS = st.lists(st.sampled_from(["elk", "fox", "hen", "owl"]), min_size=1, max_size=4).map(" ".join)
STEPS = st.lists(
    st.tuples(st.sampled_from(["/d/a", "/d/b", "/d/c"]), st.lists(WORDS, max_size=3)), min_size=1, max_size=8
)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(steps=STEPS)
async def test_the_way_to_a_corpus_leaves_no_trace(library: Library, steps: list[tuple[str, list[str]]]) -> None:
    """No passages stands for dropping the document."""
    worn = await library.open_corpus(["/worn"])
    fresh = await library.open_corpus(["/fresh"])
    for corpus in (worn, fresh):
        await library.drop(corpus, ["/d/a", "/d/b", "/d/c"])
    last: dict[str, IndexedDocument] = {}
    for uri, passages in steps:
        last.pop(uri, None)
        if passages:
            last[uri] = document(uri, *passages)
            await library.put(worn, [last[uri]], NOON)
        else:
            await library.drop(worn, [uri])
    await library.put(fresh, last.values(), NOON)
    for terms in (["elk"], ["fox", "owl"], ["elk", "fox", "hen", "owl"]):
        assert await library.search(worn, terms, 9) == await library.search(fresh, terms, 9)


async def test_what_is_dated_later_is_passed_over_and_what_has_no_date_is_not(library: Library) -> None:
    def dated(name: str, day: date | None) -> IndexedDocument:
        plain = document(f"/d/{name}.txt", f"A fox of {name}")
        return plain.model_copy(update={"document": plain.document.model_copy(update={"published": day})})

    corpus = await filled(
        library, dated("old", date(2020, 1, 1)), dated("new", date(2024, 1, 2)), dated("undated", None)
    )
    before = await library.search(corpus, ["fox"], 9, dates=DateRange(last=date(2024, 1, 1)))
    assert {hit.uri for hit in before} == {"/d/old.txt", "/d/undated.txt"}
    assert len(await library.search(corpus, ["fox"], 9, dates=DateRange(last=date(2024, 1, 2)))) == 3
    since = await library.search(corpus, ["fox"], 9, dates=DateRange(first=date(2020, 1, 2)))
    assert {hit.uri for hit in since} == {"/d/new.txt", "/d/undated.txt"}
    between = DateRange(first=date(2020, 1, 1), last=date(2020, 1, 1))
    assert {hit.uri for hit in await library.search(corpus, ["fox"], 9, dates=between)} == {
        "/d/old.txt",
        "/d/undated.txt",
    }
    assert [
        hit.uri for hit in await library.search(corpus, ["fox"], 9, ["new"], DateRange(last=date(2024, 1, 1)))
    ] == []


async def test_the_vocabulary_has_the_terms_that_begin_so_with_their_passages(library: Library) -> None:
    corpus = await filled(library, document("/d/a.txt", "A fox of fog", "fox foxglove"), document("/d/b.txt", "owl"))
    assert await library.vocabulary(corpus, "f", (3, 4)) == {"fog": 1, "fox": 2}
    assert await library.vocabulary(corpus, "fox", (3, 8)) == {"fox": 2, "foxglove": 1}
    assert await library.vocabulary(corpus, "z", (1, 9)) == {}
    await library.drop(corpus, ["/d/a.txt"])
    assert await library.vocabulary(corpus, "f", (1, 9)) == {}
