from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from fakes.time import ManualClock
from quaestor.contracts.library import Document, FileFingerprint, IndexedDocument, Library
from quaestor.contracts.source import Hit
from quaestor.contracts.tools import SearchInput
from quaestor.evidence.tokenization import term_string
from quaestor.storage.sqlite import open_store
from quaestor.tools.corpus import index_corpus
from quaestor.tools.passage_search import SearchFeatures, SearchPassages

NOISE = {
    f"noise{number}": f"Of ships and towns, part {number}. The harbour {word} was painted by the town council."
    for number, word in enumerate(("wall", "gate", "crane", "shed", "quay", "dock", "slip", "yard", "pier", "mole"))
}
CHAIN = {
    "bell": "The Constancy Bell was given to the town by Anna Brandt after the storm.",
    "brandt": "Anna Brandt (born in Ferring) was a keeper who wrote letters.",
    "ferring": "Ferring is a village of potters. In Ferring the river freezes every winter.",
}
NOTES = {
    "note-0007": "Title: Iron towers\nNote: 7\nReplaces: 3\n\nHow towers are made.",
    "note-0003": "Title: Wooden masts\nNote: 3\nAuthor: Henrike Vos\n\nHow masts are made.",
    **{
        f"note-{number:04}": f"Title: Matter {number}\nNote: {number}\n\nWho wrote of towers and of iron."
        for number in range(20, 35)
    },
}


@pytest.fixture
async def library() -> AsyncIterator[Library]:
    store = open_store(":memory:")
    yield store.library
    await store.close()


async def shelved(
    library: Library,
    folder: Path,
    texts: dict[str, str],
    choices: SearchFeatures = SearchFeatures(),  # noqa: B008 -- frozen
) -> SearchPassages:
    for name, text in texts.items():
        (folder / f"{name}.txt").write_text(text, encoding="utf-8")
    state = await index_corpus(library, ManualClock(), [folder], lambda _: None)
    return SearchPassages(library, state.corpus, choices)


async def found(search: SearchPassages, query: str, limit: int = 6) -> tuple[Hit, ...]:
    return (await search.run(SearchInput(query=query, limit=limit))).hits


def names(hits: tuple[Hit, ...]) -> list[str]:
    return [Path(hit.uri).stem for hit in hits]


async def test_the_names_in_the_best_passages_lead_on(library: Library, tmp_path: Path) -> None:
    query = "Which river freezes where the giver of the Constancy Bell was born?"
    search = await shelved(library, tmp_path, CHAIN | NOISE)
    assert set(names(await found(search, query, 3))) == set(CHAIN)


async def test_without_hops_they_do_not(library: Library, tmp_path: Path) -> None:
    search = await shelved(library, tmp_path, CHAIN | NOISE, SearchFeatures(hops=False))
    assert "brandt" not in names(await found(search, "Who gave the Constancy Bell to the town after the storm?", 2))
    search = SearchPassages(library, search._corpus)
    assert "brandt" in names(await found(search, "Who gave the Constancy Bell to the town after the storm?", 2))


async def test_a_reference_is_followed(library: Library, tmp_path: Path) -> None:
    search = await shelved(library, tmp_path, NOTES)
    query = 'Who wrote the note that "Iron towers" replaces?'
    assert {"note-0007", "note-0003"} <= set(names(await found(search, query, 3)))
    search = SearchPassages(library, search._corpus, SearchFeatures(references=False))
    assert "note-0003" not in names(await found(search, query, 3))


async def test_what_a_document_that_is_called_by_its_number_says_is_found_in_its_long_sections(
    library: Library, tmp_path: Path
) -> None:
    long = " ".join(f"The keeper of station {word} lights it before dusk." for word in ("one", "two", "three") * 12)
    sections = {f"Part {number}": "Of stations." for number in range(8)} | {"Duties": f"{long} Oil is kept cold."}
    guide = "Title: A guide\nNote: 8\n\n" + "\n\n".join(f"{name}\n=======\n\n{text}" for name, text in sections.items())
    others = {f"note-{number:04}": f"Title: Oil {number}\nNote: {number}\n\nOil of kind 8." for number in range(20, 60)}
    search = await shelved(library, tmp_path, {"note-0008": guide, **others})

    hits = await found(search, "What does Note 8 say about oil?")
    assert any("Oil is kept cold." in hit.passage.text for hit in hits)


async def test_every_side_of_a_comparison_has_its_place(library: Library, tmp_path: Path) -> None:
    copies = {f"bells{number}": f"Fog bells ring in fog, as said {number} times of fog bells." for number in range(8)}
    lights = {"lights": "Leading lights guide ships through a channel of sand."}
    search = await shelved(library, tmp_path, copies | lights)
    assert "lights" in names(await found(search, "compare fog bells in fog with leading lights", 3))


async def test_a_story_is_searched_for_in_all_its_parts(library: Library, tmp_path: Path) -> None:
    story = "They met in Ferring in winter. Anna Brandt came late. The Constancy Bell rang. A crane was painted."
    search = await shelved(library, tmp_path, CHAIN | NOISE)
    assert set(names(await found(search, story, 4))) == {*CHAIN, "noise2"}


async def test_a_query_that_names_nothing_is_ranked_by_its_words(library: Library, tmp_path: Path) -> None:
    search = await shelved(library, tmp_path, CHAIN | NOISE)
    state = search._corpus
    ranked = await library.search(state, ["river", "freez", "winter"], 3)
    assert [hit.passage for hit in await found(search, "river freezes winter", 3)] == [hit.passage for hit in ranked]


@pytest.mark.parametrize(
    "query",
    [
        "Which river freezes where Anna Brandt was born?",
        "painted harbour",
        "Ferring? Bell! Brandt; crane. Anna Brandt of. The quay is. Dock and pier.",
    ],
)
async def test_the_same_query_finds_the_same_and_more_places_change_nothing(
    library: Library, tmp_path: Path, query: str
) -> None:
    search = await shelved(library, tmp_path, CHAIN | NOISE)
    most = await found(search, query, 12)
    assert await found(search, query, 12) == most
    assert len({(hit.passage.source, hit.passage.start) for hit in most}) == len(most)
    for limit in range(1, 12):
        assert await found(search, query, limit) == most[:limit]


async def test_behind_those_that_hold_a_query_together_come_two_that_hold_most_of_it_alone(
    library: Library, tmp_path: Path
) -> None:
    filler = " ".join(f"In year {year} the potters sold jars of every size." for year in range(1800, 1815))
    said = "The river freezes where Anna Brandt was born."
    parts = {
        f"part{n}": f"Anna Brandt, part {n}: the {word}." for n, word in enumerate(["river", "freezes", "born"] * 4)
    }
    search = await shelved(library, tmp_path, parts | {"whole": f"{filler} {said} {filler}"} | NOISE)
    query = "Which river freezes where Anna Brandt was born?"
    ranked = names(await found(search, query, 12))
    assert "whole" in ranked[10:]
    assert ranked[:10] == names(await found(search, query, 10))


async def test_copies_give_way_to_what_says_something_new_however_few_are_asked_for(
    library: Library, tmp_path: Path
) -> None:
    trees = {"a": "ash", "b": "elm", "c": "elm", "d": "fir", "e": "oak"}
    texts = {name: "heron " * (9 - rank) + f"{tree} " * (3 + rank) for rank, (name, tree) in enumerate(trees.items())}
    search = await shelved(library, tmp_path, texts)
    for limit in range(1, 6):
        assert names(await found(search, "heron", limit)) == ["a", "b", "d", "e", "c"][:limit]


async def test_function_words_alone_are_searched_as_they_are(library: Library, tmp_path: Path) -> None:
    search = await shelved(library, tmp_path, CHAIN)
    assert await found(search, "was it by the")
    assert not await found(search, "?!")


RUSSIAN = {
    "lamp": "Здесь описаны старые лампы, которые горели на башнях порта.",
    "ship": "Корабли стояли в порту, и никто не знал, когда они уйдут.",
}


async def test_an_inflected_word_finds_other_forms_of_it(library: Library, tmp_path: Path) -> None:
    search = await shelved(library, tmp_path, RUSSIAN)

    assert names(await found(search, "Какая лампа горела на башне?")) == ["lamp"]


async def test_an_index_that_was_made_without_stems_is_searched_by_words_as_they_stand(
    library: Library, tmp_path: Path
) -> None:
    text = RUSSIAN["lamp"]
    path = tmp_path / "lamp.txt"
    old = IndexedDocument(
        mark=FileFingerprint(uri=str(path), size=1, modified_ns=1),
        document=Document(uri=str(path), title="lamp", text=text),
        spans=((0, len(text), ""),),
        terms=(term_string(text),),
    )
    corpus = await library.open_corpus([str(tmp_path)])
    await library.put(corpus, [old], ManualClock().now())
    search = SearchPassages(library, corpus, SearchFeatures(spelling=False))

    assert names(await found(search, "старые лампы")) == ["lamp"]
    assert names(await found(search, "лампа")) == []


async def test_a_word_that_nothing_holds_is_searched_as_the_one_rare_word_it_is_near_to(
    library: Library, tmp_path: Path
) -> None:
    search = await shelved(library, tmp_path, NOISE | CHAIN)
    answer = await search.run(SearchInput(query="Where was Anna Brandd a keepr?"))
    assert [one.pair for one in answer.similar] == [("Brandd", "Brandt"), ("keepr", "keeper")]
    assert names(answer.hits)[0] == "brandt"


@pytest.mark.parametrize(
    "query",
    [
        "Where is the town council?",
        'Who wrote "Anna Brandd"?',
        "Who was Bannd Brnt?",
        "Where are the harbor walks?",
        "Where is the Harbuor?",
    ],
    ids=[
        "nothing is misspelt",
        "what is quoted is meant",
        "too short or too far",
        "a common word",
        "a name that a common word is near to",
    ],
)
async def test_nothing_else_is_searched_in_the_place_of_a_word(library: Library, tmp_path: Path, query: str) -> None:
    padded = {f"more{place}": f"Of the harbour, part {place}." for place in range(30)}
    search = await shelved(library, tmp_path, NOISE | CHAIN | padded)
    assert (await search.run(SearchInput(query=query))).similar == ()


async def test_a_common_word_is_meant_by_its_nearest_alone(library: Library, tmp_path: Path) -> None:
    padded = {f"more{place}": f"Of the harbour and of compressing, part {place}." for place in range(30)}
    search = await shelved(library, tmp_path, NOISE | padded | {"rare": "They were competing."})
    answer = await search.run(SearchInput(query="Where are the harbuor walks compresing?"))

    assert [one.pair for one in answer.similar] == [("harbuor", "harbour"), ("compresing", "compressing")]


async def test_a_word_that_lacks_a_doubled_letter_is_nearest_to_the_one_that_has_it(
    library: Library, tmp_path: Path
) -> None:
    padded = {f"more{place}": f"An account of nets, part {place}." for place in range(30)}
    search = await shelved(library, tmp_path, NOISE | padded | {"rare": "The library has an amount."})
    answer = await search.run(SearchInput(query="Which acount has the libary?"))
    assert [one.pair for one in answer.similar] == [("acount", "account"), ("libary", "library")]


async def test_a_form_that_none_of_the_few_passages_holds_which_are_read_is_meant(
    library: Library, tmp_path: Path
) -> None:
    padded = {f"more{place}": f"The nets support the boats, part {place}." for place in range(30)}
    search = await shelved(library, tmp_path, NOISE | padded | {"rare": "Nets are used for sorting."})
    answer = await search.run(SearchInput(query="When did they stop suporting the nets?"))
    assert [one.pair for one in answer.similar] == [("suporting", "supporting")]


async def test_a_form_that_no_passage_holds_is_meant_by_one_mistake_alone(library: Library, tmp_path: Path) -> None:
    search = await shelved(library, tmp_path, NOISE | {"one": "There were eleven boats."})
    assert (await search.run(SearchInput(query="Where is the elevator?"))).similar == ()


async def test_a_word_that_is_near_to_forms_of_one_word_is_searched_as_that(library: Library, tmp_path: Path) -> None:
    texts = {"one": "The withdrawal of the boats.", "two": "The boats were withdrawn.", "three": "Nets hang there."}
    search = await shelved(library, tmp_path, texts)
    assert [one.pair for one in (await search.run(SearchInput(query="Who signed the withdrawl?"))).similar] == [
        ("withdrawl", "withdrawal")
    ]


async def test_a_name_in_one_word_may_be_misspelt_though_passages_hold_its_parts(
    library: Library, tmp_path: Path
) -> None:
    texts = {"one": "`LampKeeper` keeps lamps.", "two": "The lamp of the keeper.", "three": "Nets hang there."}
    search = await shelved(library, tmp_path, texts)
    similar = [
        (await search.run(SearchInput(query=f"What is {name}?"))).similar for name in ("LampKeepr", "LampKeeper")
    ]
    assert [[one.pair for one in each] for each in similar] == [[("LampKeepr", "LampKeeper")], []]


async def test_a_question_in_another_language_than_every_passage_is_spelt_as_it_should_be(
    library: Library, tmp_path: Path
) -> None:
    search = await shelved(library, tmp_path, {"one": "He called his uncle all the vile names that he knew."})
    query = "Wie viele Boote hatte er auf der Reise?"

    assert (await search.run(SearchInput(query=query))).similar == ()
    assert [one.pair for one in (await search.run(SearchInput(query="Are there viele?"))).similar] == [
        ("viele", "vile")
    ]


async def test_a_misspelt_word_in_small_letters_is_searched_as_no_name(library: Library, tmp_path: Path) -> None:
    texts = {"one": "Vehicle lists are kept.", "two": "Each vehicle is listed.", "three": "Nets hang there."}
    search = await shelved(library, tmp_path, texts)
    similar = [
        (await search.run(SearchInput(query=f"Where is the {word}?"))).similar for word in ("vehcile", "Vehcile")
    ]

    assert [[one.found for one in each] for each in similar] == [["vehicle"], ["Vehicle"]]


async def test_a_common_word_of_english_is_spelt_as_it_should_be(library: Library, tmp_path: Path) -> None:
    texts = {"one": "A change of the top scorer.", "two": "Luis has the prize.", "three": "Nets hang there."}
    search = await shelved(library, tmp_path, texts)

    assert (await search.run(SearchInput(query="Who scored and what is the charge?"))).similar == ()
    assert [one.pair for one in (await search.run(SearchInput(query="What is the chnage?"))).similar] == [
        ("chnage", "change")
    ]


async def test_a_word_that_is_near_to_two_is_searched_as_it_is(library: Library, tmp_path: Path) -> None:
    texts = {"one": "The brands of the town.", "two": "The branch of a tree.", "three": "Brandy is burnt wine."}
    search = await shelved(library, tmp_path, texts)
    assert (await search.run(SearchInput(query="What is brandh?"))).similar == ()


@pytest.mark.parametrize(("title", "is_found"), [("", True), ("Title: Lamp\n\n", False)], ids=["small", "capital"])
async def test_a_document_is_named_in_small_letters_where_its_title_has_them(
    library: Library, tmp_path: Path, title: str, is_found: bool
) -> None:
    codes = {f"codes{place}": f"The exit codes of ship {place} and all codes of its lamp." for place in range(30)}
    wick = "\n\n".join(("The wick is trimmed by hand. " * 180, "Two codes end it.", "It is hung on the wall. " * 180))
    search = await shelved(library, tmp_path, codes | {"lamp.1": f"{title}{wick}"})

    assert ("lamp.1" in names(await found(search, "What are the exit codes of lamp?"))) is is_found


@pytest.mark.parametrize(
    ("query", "similar"),
    [
        ("Is there Wi-Fi?", [("Wi-Fi", "Wifi")]),
        ("Where is the taproom?", [("taproom", "tap room")]),
        ("When may I reapply?", []),
        ("Which boy bands sang?", [("boy bands", "boybands")]),
        ("Where is the tap room?", []),
        ("Which e-mail came?", []),
        ("Where is the taperoom?", []),
        ("Is it notable?", []),
        ("Where is Ann's Mall?", []),
    ],
)
async def test_a_word_is_also_searched_as_passages_write_it_in_two_or_in_one(
    library: Library, tmp_path: Path, query: str, similar: list[tuple[str, str]]
) -> None:
    texts = {
        "one": "The wifi is in the tap room; an email came.",
        "two": "You may re-apply. All boybands sang.",
        "three": "A room with no tape. Ann's Small Mall. The bands of a boat are not able.",
    }
    answer = await (await shelved(library, tmp_path, texts)).run(SearchInput(query=query))

    assert [one.pair for one in answer.similar] == similar


async def test_a_word_is_found_with_and_without_its_hyphen(library: Library, tmp_path: Path) -> None:
    search = await shelved(library, tmp_path, NOISE | {"one": "Wi-Fi costs nothing.", "two": "The wifi was slow."})

    for query in ("Is there Wi-Fi?", "Is there wifi?"):
        assert {*names(await found(search, query))[:2]} == {"one", "two"}


async def test_what_is_written_in_short_is_found_by_its_words(library: Library, tmp_path: Path) -> None:
    search = await shelved(library, tmp_path, NOISE | {"rows": "Day,Course\nMon,Spanish\n", "off": "Fifteen off it."})

    assert names(await found(search, "Which course is on Monday?"))[0] == "rows"
    assert names(await found(search, "Is there a 15% discount?"))[0] == "off"


@pytest.mark.parametrize(
    ("query", "pair"),
    [
        ("Was hat die Firma gespendet?", None),
        ("Was wurde abgelehnt und wann?", ("abgelehnt", "ablehnen")),
        ("Wann ist die Kündigung zu schicken?", ("Kündigung", "Kündigungsfrist")),
        ("Was ist der Herbst?", None),
    ],
)
async def test_a_german_word_that_no_passage_holds_is_searched_as_its_verb_or_by_what_it_begins(
    library: Library, tmp_path: Path, query: str, pair: tuple[str, str] | None
) -> None:
    texts = {
        "one": "Die Spende kam mit der Ablehnung und das endet hier.",
        "two": "Die Kündigungsfrist ist lang und das ist im Herbstmarkt so.",
    }
    answer = await (await shelved(library, tmp_path, texts)).run(SearchInput(query=query))

    assert [one.pair for one in answer.similar] == ([pair] if pair else [])


async def test_a_german_word_is_not_taken_for_another_that_is_written_nearly_so(
    library: Library, tmp_path: Path
) -> None:
    texts = {"one": "Das Geländer ist neu und das ist so.", "two": "Wir haften nicht und das ist so."}
    search = await shelved(library, tmp_path, texts)
    for query in ("Was hat sich da geändert?", "Wer darf hier Tiere halten?"):
        assert (await search.run(SearchInput(query=query))).similar == ()
    written = await search.run(SearchInput(query="Wie neu ist das Gelender?"))
    assert [one.pair for one in written.similar] == [("Gelender", "Geländer")]


async def test_a_compound_that_no_passage_holds_is_searched_as_its_kind(library: Library, tmp_path: Path) -> None:
    texts = {"kind": "Der Beitrag ist hoch und das ist so.", "more": "Die Lampe ist hoch und das ist so."}
    answer = await (await shelved(library, tmp_path, texts)).run(SearchInput(query="Wie teuer ist der Jahresbeitrag?"))

    assert [one.pair for one in answer.similar] == [("Jahresbeitrag", "Beitrag")]
    assert names(answer.hits) == ["kind"]


async def test_a_word_of_which_no_passage_holds_a_stem_is_found_in_texts_of_another_language(
    library: Library, tmp_path: Path
) -> None:
    texts = {
        "hof": "Die Lampe im Hof ist neu und das ist so.",
        "kauf": "Die Farbe für den Zaun ist da und das ist so.",
        "news": "The Sommerfest is moved to the end of the month, and all of us are there.",
    }
    assert names(await found(await shelved(library, tmp_path, texts), "Wann ist das Sommerfest?", 1)) == ["news"]
