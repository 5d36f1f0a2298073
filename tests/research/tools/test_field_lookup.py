from collections.abc import AsyncIterator
from datetime import date
from pathlib import Path
from time import process_time

import pytest

from quaestor.app import Quaestor, open_home
from quaestor.contracts.source import ANY_DATE, DateRange
from quaestor.research.contracts.brief import Brief, CheckedAnswer
from quaestor.research.tools.field_lookup import FieldLookup
from quaestor.research.views.document import render_document

PORTS = "port,country,depth\nSaltmere,Orlia,9\nQuell,Orlia,14\nTannis,Vesk,7\n"


@pytest.fixture
async def quaestor(tmp_path: Path) -> AsyncIterator[Quaestor]:
    async with open_home(tmp_path / "home", model="offline", questions=False) as opened:
        yield opened


@pytest.fixture
def documents(tmp_path: Path) -> Path:
    folder = tmp_path / "documents"
    folder.mkdir()
    (folder / "ports.csv").write_text(PORTS, encoding="utf-8")
    for number, status in enumerate(("open", "closed", "open"), 1):
        text = f"Rule: {number}\nTitle: Lamp {number}\nStatus: {status}\n\nA lamp burns oil.\n"
        (folder / f"rule-{number}.txt").write_text(text, encoding="utf-8")
    return folder


async def brief(quaestor: Quaestor, question: str, documents: Path) -> Brief:
    made = await quaestor.research(question, [documents])
    assert isinstance(made, Brief)
    return made


async def test_an_empty_cell_is_no_list(quaestor: Quaestor, documents: Path) -> None:
    (documents / "log.csv").write_text("day,visitor,item,brand\n1,Ann Lee,toaster,Ek\n2,Bo Ray,kettle,\n")

    made = await brief(quaestor, "What brand was the kettle of Bo Ray?", documents)
    assert made.answer is None
    assert (await brief(quaestor, "What brand was the toaster of Ann Lee?", documents)).answer == "Ek"


async def test_a_list_is_answered_with_every_row_that_shows_it(quaestor: Quaestor, documents: Path) -> None:
    made = await brief(quaestor, "Which ports are in Orlia?", documents)

    proof = made.answer_proof
    assert made.answer == "Saltmere; Quell"
    assert proof
    assert (proof.kind, proof.label) == (CheckedAnswer.LIST, "by “country” in the table ports.csv")
    assert [row.quote.text for row in proof.rows] == ["Saltmere,Orlia,9", "Quell,Orlia,14"]
    assert all(PORTS[row.quote.start : row.quote.end] == row.quote.text for row in proof.rows)
    assert {row.quote.source for row in proof.rows} <= {source.sha256 for source in made.sources}
    assert not any("list" in gap for gap in made.gaps)


async def test_a_count_is_answered_from_the_headers_of_all_documents(quaestor: Quaestor, documents: Path) -> None:
    made = await brief(quaestor, "How many rules have the status open?", documents)

    proof = made.answer_proof
    assert (made.answer, proof.kind if proof else None) == ("2", CheckedAnswer.COUNT)
    assert proof
    assert [(row.name, row.quote.text) for row in proof.rows] == [
        ("Rule 1: Lamp 1", "Status: open"),
        ("Rule 3: Lamp 3", "Status: open"),
    ]


async def test_a_list_that_is_not_whole_is_declined_and_why(quaestor: Quaestor, documents: Path) -> None:
    (documents / "rule-4.txt").write_text("Lamp oil burns in the open.\n", encoding="utf-8")
    made = await brief(quaestor, "Which rules have the status open?", documents)

    assert made.answer is None
    assert any("given: 1 of these documents state no fields" in gap for gap in made.gaps)


async def test_a_cell_is_a_field_whose_row_is_shown(quaestor: Quaestor, documents: Path) -> None:
    made = await brief(quaestor, "What is the depth of Quell?", documents)

    assert made.answer == "14"
    assert made.answer_proof
    assert (made.answer_proof.kind, made.answer_proof.label) == (
        CheckedAnswer.FIELD,
        "“depth” of Quell in the table ports.csv, row 2",
    )


async def test_every_format_shows_what_was_listed(quaestor: Quaestor, documents: Path) -> None:
    made = await brief(quaestor, "Which ports are in Orlia?", documents)

    assert "- Quell: Quell,Orlia,14" in render_document(made, "md")
    assert "<q><bdi>Quell,Orlia,14</bdi></q>" in render_document(made, "html")
    assert '"quote": "Quell,Orlia,14"' in render_document(made, "json")


async def test_documents_that_are_dated_later_are_not_counted(quaestor: Quaestor, documents: Path) -> None:
    late = "---\ntitle: Late\ndate: 2026-01-01\nstate: open\n---\n\nLate.\n"
    early = late.replace("2026", "2020").replace("Late", "Early")
    folder = documents.parent / "dated"
    folder.mkdir()
    for name, text in (("late.md", late), ("early.md", early)):
        (folder / name).write_text(text, encoding="utf-8")
    corpus = (await quaestor.index([folder])).corpus
    lookup = FieldLookup(quaestor.library)
    question = "How many documents have the state open?"
    every, some = [
        await lookup.of_corpus(question, corpus, day) for day in (ANY_DATE, DateRange(last=date(2025, 1, 1)))
    ]

    assert every
    assert some
    assert (every.answer, some.answer) == ("2", "1")


async def test_labels_are_in_the_language_that_is_asked_for(quaestor: Quaestor, documents: Path) -> None:
    index = await quaestor.index([documents])
    lookup = FieldLookup(quaestor.library, "de")
    asked = ("Which ports are in Orlia?", "How many rules have the status open?", "Which port has the largest depth?")
    labels = [found.label for each in asked if (found := await lookup.of_corpus(each, index.corpus, ANY_DATE))]

    assert labels == [
        "nach “country”, Tabelle ports.csv",
        "nach “Status”, Kopfzeilen von 3 Dokumenten Rule",
        "größter Wert von “depth”, 3 Zeilen, Tabelle ports.csv",
    ]


async def test_why_no_list_is_given_is_told_in_the_language_that_is_asked_for(
    quaestor: Quaestor, documents: Path
) -> None:
    (documents / "rule-4.txt").write_text("Lamp oil burns in the open.\n", encoding="utf-8")
    index = await quaestor.index([documents])
    lookup = FieldLookup(quaestor.library, "de")
    unread = await lookup.of_corpus("Which rules have the status open?", index.corpus, ANY_DATE)
    chosen = await lookup.of_corpus("Which ports have not the country Orlia?", index.corpus, ANY_DATE)

    assert unread
    assert unread.refusal.startswith("1 dieser Dokumente nennen keine Felder, etwa ")
    assert chosen
    assert chosen.refusal == "sie enthält Wörter, die vergleichen, auswählen oder verneinen"


async def test_a_brief_in_another_language_names_field_and_row_in_it(quaestor: Quaestor, documents: Path) -> None:
    (documents / "häfen.csv").write_text("Hafen,Tiefe in Metern\nQuell,14\nTannis,7\n", encoding="utf-8")
    made = await brief(quaestor, "Wie ist die Tiefe von Quell?", documents)

    assert made.answer == "14"
    assert made.answer_proof
    assert made.answer_proof.label == "“Tiefe in Metern” von Quell, Tabelle häfen.csv, Zeile 1"


async def test_why_nothing_is_added_up_says_that_a_sum_was_asked_for(quaestor: Quaestor, tmp_path: Path) -> None:
    folder = tmp_path / "town"
    folder.mkdir()
    (folder / "donations.csv").write_text("donor,amount,state\nRotary,1500,paid\nBrickworks,3000,withdrawn\n", "utf-8")

    unnamed = await brief(quaestor, "What is the total sum of the donations?", folder)
    doubted = await brief(quaestor, "What is the total of the amounts in state paid?", folder)
    whole = await brief(quaestor, "What is the total donations amount?", folder)

    asked = "The question asks for the largest, the smallest or a sum, and none is given: "
    assert f"{asked}no one column of a table accounts for every word of it." in (*unnamed.gaps, *whole.gaps)
    assert (unnamed.answer, whole.answer, doubted.answer) == (None, None, None)


async def test_a_cell_that_is_corrected_below_its_table_is_declined_and_why(quaestor: Quaestor, tmp_path: Path) -> None:
    folder = tmp_path / "town"
    folder.mkdir()
    text = "# Market fees\n\n| Place | Fee |\n|---|---|\n| Food van | 28 |\n| Flower cart | 9 |\n\n{}\n"
    (folder / "fees.md").write_text(text.format("The first of these is three lower this year."), "utf-8")
    made = await brief(quaestor, "What is the fee of a food van?", folder)

    assert made.answer is None
    refusal = "and it is not given as the answer: the text beside the table may speak of it"
    assert [gap for gap in made.gaps if refusal in gap]


async def test_a_table_of_a_year_answers_nothing_beside_a_newer_document_unless_that_year_is_asked_for(
    quaestor: Quaestor, tmp_path: Path
) -> None:
    folder = tmp_path / "school"
    folder.mkdir()
    table = "# Fees of the school\n\n| Course | Fee |\n|---|---|\n| Violin | 230 |\n| Piano | 210 |\n"
    (folder / "fees-2019.md").write_text(table, "utf-8")
    alone = await brief(quaestor, "What is the fee of violin?", folder)
    (folder / "fees.md").write_text(
        "On Tuesdays lessons are given at the school, and the fee is due in May.\n", "utf-8"
    )
    beside = await brief(quaestor, "What is the fee of violin?", folder)
    dated = await brief(quaestor, "What is the fee of violin in 2019?", folder)

    assert alone.answer_proof
    assert (alone.answer, alone.answer_proof.label) == (
        "230",
        "“Fee” of Violin in the table “Fees of the school” in Fees of the school (2019), row 1",
    )
    assert (beside.answer, dated.answer) == (None, "230")
    assert any("“fees” may be newer" in gap for gap in beside.gaps)


async def test_a_table_of_a_year_answers_nothing_above_the_same_list_of_a_later_year(
    quaestor: Quaestor, tmp_path: Path
) -> None:
    folder = tmp_path / "pool"
    folder.mkdir()
    table = "## Season {}\n\n| Ticket | Adult |\n|---|---|\n| Day | {} |\n| {} | 60 |\n\n"
    text = f"# Pool\n\n{table.format(2022, 4, 'Evening')}{table.format(2023, 5, 'Season')}"
    (folder / "prices.md").write_text(text, encoding="utf-8")

    assert (await brief(quaestor, "How much is Evening for an adult?", folder)).answer is None
    assert (await brief(quaestor, "What is Evening for an adult in the season 2022?", folder)).answer == "60"
    assert (await brief(quaestor, "What is Season for an adult?", folder)).answer == "60"


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("How many ports are there?", "Of the ports Quell has been too shallow since May."),
        ("How many ports are there?", "The port of Saltmere has a depth of 21 metres."),
    ],
)
async def test_an_answer_is_declined_where_a_shown_passage_may_speak_of_its_rows(
    quaestor: Quaestor, documents: Path, question: str, said: str
) -> None:
    (documents / "news.txt").write_text(f"{said}\n", encoding="utf-8")
    made = await brief(quaestor, question, documents)

    number = next(one.number for one in made.passages if one.text == said)
    assert made.answer is None
    assert any(f"passage {number} may speak of it" in gap for gap in made.gaps)


async def test_a_cell_is_told_with_the_unit_that_stands_beside_it(quaestor: Quaestor, tmp_path: Path) -> None:
    folder = tmp_path / "trails"
    folder.mkdir()
    (folder / "trails.csv").write_text("trail,length,unit\nRidge,14,km\nLoop,900,m\n", encoding="utf-8")
    made = await brief(quaestor, "What is the length of Loop?", folder)

    assert made.answer == "900"
    assert made.answer_proof
    assert made.answer_proof.label == "“length” (m) of Loop in the table trails.csv, row 2"


async def test_a_loss_in_a_document_that_is_not_shown_is_told_in_place_of_a_count(
    quaestor: Quaestor, documents: Path
) -> None:
    (documents / "news.txt").write_text("Tannis was closed in May, so nobody goes there.\n", encoding="utf-8")
    made = await brief(quaestor, "How many ports are there?", documents)

    assert made.answer is None
    assert any("may say otherwise of “Tannis”" in gap for gap in made.gaps)


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("What is the depth of Quell?", "Since men dug there, the depth at Quell is 12."),
        ("Which port has the greatest depth?", "Since men dug there, the depth at Quell is 12."),
        ("What is the total of the depth?", "Since men dug there, the depth at Quell is 12."),
        ("Which ports are in Orlia?", "Tannis now belongs to Orlia."),
        ("What is the country of Tannis?", "Tannis now belongs to Orlia."),
    ],
)
async def test_a_document_that_says_otherwise_of_a_row_declines_all_that_is_taken_of_it(
    quaestor: Quaestor, documents: Path, question: str, said: str
) -> None:
    known = await brief(quaestor, question, documents)
    (documents / "news.txt").write_text(f"{said}\n", encoding="utf-8")
    made = await brief(quaestor, question, documents)

    assert known.answer
    assert made.answer is None
    assert any("“news.txt” may say otherwise of" in gap and f": “{said}”" in gap for gap in made.gaps)


async def test_a_document_that_speaks_of_rows_and_changes_none_takes_no_answer_away(
    quaestor: Quaestor, documents: Path
) -> None:
    told = "Quell is a fine port of Orlia. The depth there is 14 metres. A road leads to Saltmere."
    (documents / "news.txt").write_text(f"{told}\n", encoding="utf-8")

    assert (await brief(quaestor, "What is the total of the depth?", documents)).answer == "30"
    assert (await brief(quaestor, "What is the country of Quell?", documents)).answer == "Orlia"


async def test_a_total_number_is_asked_for_as_how_many_there_are(quaestor: Quaestor, tmp_path: Path) -> None:
    folder = tmp_path / "museums"
    folder.mkdir()
    (folder / "museum.csv").write_text("Museum,Visitors\nGlass Museum,120\nToy Museum,800\n", encoding="utf-8")
    made = await brief(quaestor, "What is the total number of visitors?", folder)

    assert made.answer == "920"
    assert made.passages


async def test_a_cell_that_another_table_holds_otherwise_is_declined_though_only_one_was_found(
    quaestor: Quaestor, tmp_path: Path
) -> None:
    folder = tmp_path / "prices"
    folder.mkdir()
    (folder / "rye.csv").write_text("day,price\n2008-06-30,99.67\n2009-06-30,61\n", encoding="utf-8")
    (folder / "oats.csv").write_text("day,price\n2008-06-30,96.94\n2009-06-30,61\n", encoding="utf-8")
    corpus = (await quaestor.index([folder])).corpus
    [rye] = [
        one for one in await quaestor.library.texts_of(corpus) if "99.67" in (await quaestor.library.text(one) or "")
    ]
    lookup = FieldLookup(quaestor.library)

    async def answer(question: str) -> str | None:
        found = await lookup.of_sources(question, [rye], corpus)
        assert found
        return found.answer or found.refusal

    assert await answer("What was the price on 2008-06-30?") == (
        "2 places answer it, each for itself: the table oats.csv; the table rye.csv"
    )
    assert await answer("What was the price of rye on 2008-06-30?") == "99.67"
    assert await answer("What was the price on 2009-06-30?") == "61"


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("signals.csv", "signal,description\nSIGVT,virtual timer expired\nSIGHUP,terminal went away\n"),
        (
            "signals.rst",
            (
                "Signals\n=======\n\n======  ===============\nSignal  Description\n======  ===============\n"
                "SIGVT   a timer expired\nSIGHUP  went away\n======  ===============\n"
            ),
        ),
    ],
)
async def test_what_a_row_says_itself_tells_of_no_loss(
    quaestor: Quaestor, tmp_path: Path, name: str, text: str
) -> None:
    folder = tmp_path / "signals"
    folder.mkdir()
    (folder / name).write_text(text, encoding="utf-8")

    assert (await brief(quaestor, "List all signals", folder)).answer == "SIGVT; SIGHUP"


async def test_no_table_is_looked_for_where_a_text_tells_many_things_before_it_asks(
    quaestor: Quaestor, documents: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    corpus = (await quaestor.index([documents])).corpus
    lookup = FieldLookup(quaestor.library)
    listed: list[str] = []
    texts_of = quaestor.library.texts_of

    async def recorded(name: str) -> tuple[str, ...]:
        listed.append(name)
        return tuple(await texts_of(name))

    monkeypatch.setattr(quaestor.library, "texts_of", recorded)
    told = "We keep lamps. We buy oil by the barrel. It comes by ship. The ship is late. Which ports are in Orlia?"

    assert await lookup.of_corpus(told, corpus, ANY_DATE) is None
    assert listed == []
    assert await lookup.of_corpus("Which ports are in Orlia?", corpus, ANY_DATE)
    assert listed == [corpus]


async def test_rows_of_a_data_file_are_not_compared_with_each_other(quaestor: Quaestor, tmp_path: Path) -> None:
    folder = tmp_path / "data"
    folder.mkdir()
    rows = "".join(f"Place{number},{number},{number * 7 % 1000}.5,{number * 3}\n" for number in range(400))
    (folder / "places.csv").write_text(f"place,height,rain,people\n{rows}", "utf-8")
    corpus = (await quaestor.index([folder])).corpus
    started = process_time()
    found = await FieldLookup(quaestor.library).of_corpus("Which place has the largest height?", corpus, ANY_DATE)

    assert found
    assert found.answer == "Place399, row 400 (399)"
    assert process_time() - started < 5


async def test_a_count_is_declined_where_a_document_tells_another_number_of_what_was_counted(
    quaestor: Quaestor, documents: Path
) -> None:
    (documents / "news.txt").write_text("A lamp was sold to a man from Vesk.\n", "utf-8")
    asked = "How many ports are there?"
    told = await brief(quaestor, asked, documents)
    (documents / "news.txt").write_text("Since the flood we are down to two ports. Four lamps burn.\n", "utf-8")
    denied = await brief(quaestor, asked, documents)
    of_country = await brief(quaestor, "How many ports have the country Orlia?", documents)

    assert (told.answer, denied.answer, of_country.answer) == ("3", None, "2")
    assert any("down to two ports" in gap for gap in denied.gaps)


async def test_beside_a_direct_answer_it_is_said_that_other_documents_are_in_another_language(
    quaestor: Quaestor, tmp_path: Path
) -> None:
    folder = tmp_path / "school"
    folder.mkdir()
    (folder / "classes.csv").write_text("Class,Fee\nRussian,150\nPolish,140\n", encoding="utf-8")
    (folder / "news.md").write_text("The school is open on all days of the week but on Sundays.\n", encoding="utf-8")
    german = "Liebe alle, der Russischkurs kostet ab sofort etwas mehr, und das Sommerfest ist im Juli.\n"
    (folder / "mail.txt").write_text(german, encoding="utf-8")
    made = await brief(quaestor, "What is the fee of Russian?", folder)

    assert made.answer == "150"
    assert any("in another language than the question" in gap for gap in made.gaps)
