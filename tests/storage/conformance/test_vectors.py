import math
from datetime import date, timedelta
from itertools import product

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from quaestor.contracts.errors import UsageError
from quaestor.contracts.library import Library
from quaestor.contracts.source import DateRange, Hit
from storage.samples import NOON, document

MODEL = "lab:small"
FOX = document("/d/fox.txt", "The quick brown fox", "jumps over the lazy dog", title="Fox")
HEN = document("/d/hen.txt", "A hen is no fox", title="Hen")
EAST, NORTH, NORTH_EAST = (1.0, 0.0), (0.0, 1.0), (math.sqrt(0.5), math.sqrt(0.5))
TEXTS = ["Fox\npart 1\nThe quick brown fox", "Fox\npart 2\njumps over the lazy dog", "Hen\npart 1\nA hen is no fox"]


async def filled(library: Library) -> str:
    corpus = await library.open_corpus(["/d"])
    await library.put(corpus, [FOX, HEN], NOON)
    return corpus


async def kept(library: Library, *vectors: tuple[float, float], model: str = MODEL) -> str:
    corpus = await filled(library)
    await library.put_vectors(model, dict(zip(TEXTS, vectors, strict=False)))
    return corpus


def words(hits: "list[Hit] | tuple[Hit, ...]") -> list[str]:
    return [hit.passage.text for hit in hits]


async def test_a_passage_stands_for_its_title_its_heading_and_its_words(library: Library) -> None:
    corpus = await filled(library)
    assert await library.texts_without_vectors(corpus, MODEL, 9) == TEXTS
    assert await library.texts_without_vectors(corpus, MODEL, 2) == TEXTS[:2]


async def test_what_is_kept_is_no_longer_missing(library: Library) -> None:
    corpus = await filled(library)
    await library.put_vectors(MODEL, {TEXTS[1]: EAST})
    assert await library.texts_without_vectors(corpus, MODEL, 9) == [TEXTS[0], TEXTS[2]]
    assert await library.texts_without_vectors(corpus, "lab:other", 9) == TEXTS
    await library.put_vectors(MODEL, {TEXTS[0]: EAST, TEXTS[2]: NORTH})
    assert await library.texts_without_vectors(corpus, MODEL, 9) == []


async def test_a_text_that_two_passages_share_is_missing_once(library: Library) -> None:
    corpus = await library.open_corpus(["/d"])
    twins = [document(f"/d/{name}", "The same.", f"Not {name}.", title="Twin") for name in "ab"]
    await library.put(corpus, twins, NOON)
    texts = await library.texts_without_vectors(corpus, MODEL, 9)
    assert len(texts) == 3
    await library.put_vectors(MODEL, dict.fromkeys(texts, EAST))
    assert words(list(await library.nearest(corpus, MODEL, EAST, 9))) == ["The same.", "Not a.", "The same.", "Not b."]


async def test_a_vector_is_given_back_as_32_bit_numbers(library: Library) -> None:
    await library.put_vectors(MODEL, {"a": (0.6, 0.8)})
    vector = await library.vector(MODEL, "a")
    assert vector is not None
    assert tuple(vector) == pytest.approx((0.6, 0.8), abs=1e-7)
    assert await library.vector("lab:other", "a") is None
    assert await library.vector(MODEL, "A") is None


async def test_the_first_vector_of_a_text_stays(library: Library) -> None:
    await library.put_vectors(MODEL, {"a": EAST})
    await library.put_vectors(MODEL, {"a": NORTH})
    assert await library.vector(MODEL, "a") == EAST


async def test_vectors_of_two_lengths_are_refused_and_none_is_kept(library: Library) -> None:
    await library.put_vectors(MODEL, {"a": EAST})
    for made in ({"b": (1.0, 0.0, 0.0)}, {"b": EAST, "c": (1.0,)}):
        with pytest.raises(UsageError, match="numbers"):
            await library.put_vectors(MODEL, made)
    assert await library.vector(MODEL, "b") is None
    await library.put_vectors("lab:other", {"b": (1.0, 0.0, 0.0)})


async def test_the_nearest_come_first_with_their_cosine(library: Library) -> None:
    corpus = await kept(library, NORTH, NORTH_EAST, EAST)
    hits = await library.nearest(corpus, MODEL, EAST, 9)
    assert words(list(hits)) == ["A hen is no fox", "jumps over the lazy dog"]
    assert [hit.score for hit in hits] == pytest.approx([1, math.sqrt(0.5)], abs=1e-6)
    assert (hits[0].title, hits[0].uri, hits[0].passage.heading) == ("Hen", "/d/hen.txt", "part 1")
    assert await library.nearest(corpus, MODEL, EAST, 1) == hits[:1]


async def test_what_points_away_is_not_near(library: Library) -> None:
    corpus = await kept(library, NORTH, (-1.0, 0.0), EAST)
    assert words(list(await library.nearest(corpus, MODEL, EAST, 9))) == ["A hen is no fox"]


async def test_equal_ones_are_in_order_of_path_and_place(library: Library) -> None:
    corpus = await kept(library, EAST, EAST, EAST)
    hits = await library.nearest(corpus, MODEL, EAST, 9)
    assert [hit.uri for hit in hits] == ["/d/fox.txt", "/d/fox.txt", "/d/hen.txt"]


async def test_what_has_no_vector_is_not_found(library: Library) -> None:
    corpus = await kept(library, EAST)
    assert words(list(await library.nearest(corpus, MODEL, EAST, 9))) == ["The quick brown fox"]
    assert await library.nearest(corpus, "lab:other", EAST, 9) == []


async def test_a_change_of_the_corpus_is_seen(library: Library) -> None:
    corpus = await kept(library, EAST, EAST, EAST)
    await library.drop(corpus, ["/d/fox.txt"])
    assert words(list(await library.nearest(corpus, MODEL, EAST, 9))) == ["A hen is no fox"]
    await library.put(corpus, [document("/d/fox.txt", "Nothing but a wolf", title="Fox")], NOON)
    assert await library.texts_without_vectors(corpus, MODEL, 9) == ["Fox\npart 1\nNothing but a wolf"]


async def test_only_what_is_dated_early_enough_is_near(library: Library) -> None:
    corpus = await library.open_corpus(["/d"])
    dated = [
        each.model_copy(update={"document": each.document.model_copy(update={"published": day})})
        for each, day in ((FOX, date(2020, 5, 1)), (HEN, None))
    ]
    await library.put(corpus, dated, NOON)
    await library.put_vectors(MODEL, dict.fromkeys(TEXTS, EAST))
    day = date(2020, 5, 1)
    for dates, count in (
        (DateRange(last=day - timedelta(days=1)), 1),
        (DateRange(last=day), 3),
        (DateRange(first=day), 3),
        (DateRange(first=day + timedelta(days=1)), 1),
    ):
        assert len(await library.nearest(corpus, MODEL, EAST, 9, dates)) == count


async def test_an_unknown_corpus_has_no_vectors(library: Library) -> None:
    for asked in (library.texts_without_vectors("corpus_9", MODEL, 1), library.nearest("corpus_9", MODEL, EAST, 1)):
        with pytest.raises(UsageError):
            await asked


async def test_the_best_of_a_large_corpus_are_found(library: Library) -> None:
    """Of 2,500 passages; 12 corners of a cube in 12 dimensions are the likely ones, and one is the vector itself."""
    corners = [tuple(sign / math.sqrt(12) for sign in signs) for signs in product((1, -1), repeat=12)][:2500]
    corpus = await library.open_corpus(["/d"])
    await library.put(corpus, [document("/d/all", *(f"corner {number}" for number in range(2500)))], NOON)
    texts = await library.texts_without_vectors(corpus, MODEL, 2500)
    await library.put_vectors(MODEL, dict(zip(texts, corners, strict=True)))
    wanted = corners[2100]
    hits = await library.nearest(corpus, MODEL, wanted, 8)
    assert hits[0].passage.text == "corner 2100"
    cosines = sorted((sum(map(float.__mul__, wanted, corner)) for corner in corners), reverse=True)
    assert [hit.score for hit in hits] == pytest.approx(cosines[:8], abs=1e-6)


ANGLES = st.floats(0, 2 * math.pi, allow_nan=False)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(angles=st.lists(ANGLES, min_size=3, max_size=3), asked=ANGLES)
async def test_no_passage_is_nearer_than_the_first(library: Library, angles: list[float], asked: float) -> None:
    model = f"{MODEL} {angles}"
    corpus = await kept(library, *((math.cos(angle), math.sin(angle)) for angle in angles), model=model)
    hits = await library.nearest(corpus, model, (math.cos(asked), math.sin(asked)), 3)
    cosines = sorted((math.cos(asked - angle) for angle in angles), reverse=True)
    near = [cosine for cosine in cosines if cosine > 1e-6]
    assert [hit.score for hit in hits][: len(near)] == pytest.approx(near, abs=1e-6)
