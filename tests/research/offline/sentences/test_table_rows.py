from collections.abc import Callable

import pytest

from quaestor.contracts.source import Hit
from quaestor.research.contracts.roles import ReadInput
from quaestor.research.offline.reader import read_passages
from quaestor.research.offline.sentences.extracts import extract_with_lines
from quaestor.research.offline.sentences.table_rows import is_of_called_table, without_silent_rows
from quaestor.research.offline.words.question import parse_question
from quaestor.research.offline.words.word_forms import word_forms

HitOf = Callable[..., Hit]
JARS = "Jar,Shelf number,Holds honey\nblue,3,yes\nred,4,yes\nwhite,4,no\n"


def read(question: str, found: Hit) -> list[str]:
    forms = word_forms(question)
    lines, _ = extract_with_lines([found], forms)
    return [one.claim for one in without_silent_rows(lines, frozenset(parse_question(question).core), forms)]


def test_of_a_table_the_rows_are_read_that_hold_a_word_of_the_question(hit: HitOf) -> None:
    assert read("Which jar is red?", hit(JARS, title="cellar.csv")) == ["red,4,yes"]


@pytest.mark.parametrize("question", ["Which keepers hold honey?", "Which jar is the oldest?"])
def test_where_no_row_holds_a_word_the_columns_are_read_that_a_question_calls(hit: HitOf, question: str) -> None:
    assert read(question, hit(JARS, title="cellar.csv")) == ["Jar,Shelf number,Holds honey"]


@pytest.mark.parametrize(
    ("question", "line"), [("Which jar is red?", "red,4,yes"), ("Which keepers hold honey?", JARS.partition("\n")[0])]
)
def test_the_columns_are_named_below_the_titles_of_a_file(hit: HitOf, question: str, line: str) -> None:
    assert read(question, hit(f"Cellar of Ek,,\n,,\n{JARS}", title="cellar.csv")) == ["Cellar of Ek,,", line]


@pytest.mark.parametrize("question", ["Which number has the keeper?", "What is in the cellar?"])
def test_a_column_is_not_called_by_one_of_its_words(hit: HitOf, question: str) -> None:
    assert read(question, hit(JARS, title="cellar.csv")) == ["blue,3,yes", "red,4,yes", "white,4,no"]


def test_the_columns_of_a_drawn_table_are_read_alike(hit: HitOf) -> None:
    drawn = "| Jar | Holds honey |\n|---|---|\n| blue | yes |\n"

    assert read("Which jar holds honey?", hit(drawn, title="cellar.md")) == ["| Jar | Holds honey |"]
    assert read("Which jar is blue?", hit(drawn, title="cellar.md")) == ["| blue | yes |"]


def test_a_row_that_a_question_names_is_read_beside_a_sentence_with_its_name(hit: HitOf) -> None:
    text = "The red jar stands in the cellar with others.\n\n| Jar | Use |\n|---|---|\n| red | wax |\n| white | oil |\n"
    found = read_passages(ReadInput(question="What is red?", task="What is red?", hits=(hit(text),))).findings

    assert any("wax" in one.claim for one in found)
    assert not any("oil" in one.claim for one in found)


def test_a_row_that_has_a_piece_of_the_name_of_another_row_is_not_read(hit: HitOf) -> None:
    flats = "Flat,Water\nA1,98\nA2,41\nB2,60\nC3,A2\n"
    asked = "How much water has A2 used?"
    found = read_passages(ReadInput(question=asked, task=asked, hits=(hit(flats, title="flats.csv"),))).findings

    told = " ".join(one.claim for one in found)
    assert ("A2,41" in told, "B2,60" in told) == (True, False)


def test_a_row_that_has_but_the_year_of_a_task_is_not_read_beside_one_with_its_words(hit: HitOf) -> None:
    batches = "Batch,Jar,Day\n1,red,2025-01-08\n2,blue,2025-02-05\n3,red,2025-03-09\n"

    def told(asked: str) -> str:
        given = ReadInput(question=asked, task=asked, hits=(hit(batches, title="batches.csv"),))
        return " ".join(one.claim for one in read_passages(given).findings)

    assert ("red,2025-01" in told("How many red jars in 2025?"), "blue" in told("How many red jars in 2025?")) == (
        True,
        False,
    )
    assert "blue" in told("How many jars in 2025?")
    assert "blue" in told("Which batch was red or made in February 2025?")


@pytest.mark.parametrize("name", ["Mill keeper", "Mill keeper[^pm]", "Mill keeper[1]", "Mill keeper*"])
def test_a_row_is_called_by_its_name_without_the_mark_of_a_note(hit: HitOf, name: str) -> None:
    rows = f"| Post | Reserved |\n|---|---|\n| Travel | 75,000 |\n| {name} | 240,000 |\n"
    budget = f"{rows}\nTotal reserved of 650,000: 600,000\n"
    question = "How much is reserved for the mill keeper?"
    reading = read_passages(ReadInput(question=question, task=question, hits=(hit(budget, title="budget.md"),)))

    assert [one.claim for one in reading.findings if "240,000" in one.claim or "600,000" in one.claim] == [
        f"| {name.removesuffix('[^pm]')} | 240,000 |"
    ]


def test_a_row_is_read_of_a_table_that_is_called_as_a_question_asks_though_no_row_says_so(hit: HitOf) -> None:
    names = "No,Keeper,Since\n1,Ann Lee,2023-04-02\n2,Bo Ek,2024-05-20\n"
    told = hit("The waiting list for jars stands at 7.", title="minutes.txt")

    def read(title: str, asked: str = "How many are on the waiting list for jars?") -> list[str]:
        given = ReadInput(question=asked, task=asked, hits=(told, hit(names, title=title)))
        return [one.claim for one in read_passages(given).findings]

    assert read("waiting list 2025.csv") == ["The waiting list for jars stands at 7.", "1,Ann Lee,2023-04-02"]
    assert read("list 2025.csv", "Which list is it?") == ["The waiting list for jars stands at 7."]


@pytest.mark.parametrize(
    ("asked", "names", "is_called"),
    [
        ("wait list jar", "", True),
        ("wait list jar pay", "", True),
        ("wait list jar pay half", "", False),
        ("list", "", False),
        ("wait list jar", "wait", True),
        ("wait list jar", "wait list", False),
    ],
)
def test_a_table_is_called_by_two_words_of_a_question_half_of_them_and_not_by_names_alone(
    hit: HitOf, asked: str, names: str, *, is_called: bool
) -> None:
    lines, _ = extract_with_lines([hit(JARS, title="waiting list.csv")], word_forms(asked))
    core = frozenset(asked.split())
    rows = [one for one in lines if one.is_row]
    assert [is_of_called_table(one, core, frozenset(names.split())) for one in rows] == [is_called] * 3
