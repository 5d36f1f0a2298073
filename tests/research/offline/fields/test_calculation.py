import pytest

from quaestor.research.offline.fields.calculation import calculate, find_operation
from quaestor.research.offline.fields.collections import Collection, StoredText, table_collections

PORTS = "port,country,berths (number)\nSaltmere,Orlia,9\nQuell,Orlia,14\nTannis,Vesk,7\nBrill,Vesk,14\n"


def tables(text: str = PORTS) -> list[Collection]:
    return list(table_collections(StoredText(source="ports", title="ports.csv", uri="/d/ports.csv", text=text)))


def answer(question: str, text: str = PORTS) -> str | None:
    operation = find_operation(question)
    found = operation and calculate(question, operation, tables(text))
    return found.answer if found else None


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("Which port has the most berths?", "Quell, row 2; Brill, row 4 (14)"),
        ("Which port in Orlia has the fewest berths?", "Saltmere, row 1 (9)"),
        ("How many berths are there in total?", "44"),
        ("What is the sum of the berths of ports in Vesk?", "21"),
    ],
)
def test_a_column_of_numbers_is_compared_and_summed(question: str, expected: str) -> None:
    assert answer(question) == expected


PLOTS = "plot,tenant,sqm,rent eur\n1,Ann Lee,120,40\n2,Bo Ek,310,20\n3,Cy Dot,60,60\n"


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("Which plot is the largest?", None),
        ("What is the total of the plots?", None),
        ("Who rents the largest plot?", None),
        ("Which plot has the largest rent?", "3, row 3 (60)"),
        ("Whose rent is the lowest?", "2, row 2 (20)"),
    ],
)
def test_what_names_the_rows_is_no_size_and_a_verb_no_column(question: str, expected: str | None) -> None:
    assert answer(question, PLOTS) == expected


def test_a_column_that_is_compared_is_named_without_its_unit() -> None:
    fees = "port,fee EUR,length in metres,length in feet\nEk,31,2,6.6\nDell,3,9,29.5\n"

    assert answer("Which port has the highest fee?", fees) == "Ek, row 1 (31)"
    assert answer("Which port has the largest length in feet?", fees) == "Dell, row 2 (29.5)"
    assert answer("Which port has the largest length?", fees) is None


@pytest.mark.parametrize(
    "question",
    [
        "Which country has the most ports?",
        "Which is the largest port?",
        "Which port has the most berths and the fewest cranes?",
        "Which port has the most berths after 1900?",
        "Which port has the most berths except Quell?",
        "Who runs the port with the most berths?",
        "How many berths are there?",
    ],
)
def test_what_is_not_accounted_for_is_not_calculated(question: str) -> None:
    assert answer(question) is None


@pytest.mark.parametrize("cell", ["", "1,200", "about 12", "n/a"])
def test_a_row_without_a_number_ends_a_calculation(cell: str) -> None:
    assert answer("Which port has the most berths?", f'{PORTS}Dell,Orlia,"{cell}"\n') is None


def test_two_tables_that_both_fit_give_no_answer() -> None:
    operation = find_operation("Which port has the most berths?")
    assert operation
    assert calculate("Which port has the most berths?", operation, [*tables(), *tables()]) is None


SOUTH = "port,country,berths (number)\nEk,Vesk,31\nDell,Vesk,3\n"


def answer_over(question: str, *texts: str) -> str | None:
    operation = find_operation(question)
    assert operation
    found = calculate(question, operation, [table for text in texts for table in tables(text)])
    return found.answer if found else None


def test_the_largest_of_two_tables_that_are_parts_of_one_list() -> None:
    assert answer_over("Which port has the most berths?", PORTS, SOUTH) == "Ek, row 1 (31)"
    assert answer_over("Which port has the fewest berths?", SOUTH, PORTS) == "Dell, row 2 (3)"


@pytest.mark.parametrize(
    "other",
    [
        SOUTH.replace("country", "region"),
        SOUTH.replace("Ek", "Quell"),
        SOUTH.replace("31", "n/a"),
    ],
)
def test_tables_with_other_columns_or_with_a_thing_in_both_are_no_parts_of_one_list(other: str) -> None:
    assert answer_over("Which port has the most berths?", PORTS, other) is None


def test_no_sum_is_taken_over_two_tables() -> None:
    assert answer_over("How many berths are there in total?", PORTS, SOUTH) is None


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("Which port has the most berths?", "Quell, row 2; Brill, row 4 (14)"),
        ("How many berths are there in total?", "44"),
    ],
)
def test_a_total_is_neither_the_largest_nor_added_to_what_it_adds_up(question: str, expected: str) -> None:
    assert answer(question, f"{PORTS}All ports,,44\n") == expected
    assert answer(question, f"{PORTS}All ports,,45\n") is None


def test_a_table_with_what_may_be_a_total_is_not_passed_over_for_another() -> None:
    assert answer_over("Which port has the most berths?", PORTS, f"{SOUTH}Total ports,,40\n") is None


def test_a_printed_minus_is_one() -> None:
    cold = "station,temperature\nVik,\N{MINUS SIGN}12\nMoen,\N{MINUS SIGN}31\nDal,4\n"
    assert answer("Which station has the lowest temperature?", cold) == "Moen, row 2 (-31)"


SONGS = "Song,Artist,Chart position,Weeks\nBlue Rain,Ola,3,12\nGo Home,The Tins,1,7\nNight Bus,Mo,14,2\n"


def test_the_most_is_told_by_the_column_that_is_asked_for_if_it_names_the_rows() -> None:
    assert answer("Which artist has the most weeks?", SONGS) == "Ola (12)"
    assert answer("Which song has the most weeks?", SONGS) == "Blue Rain, row 1 (12)"
    assert not answer("Which artist has the most weeks?", SONGS.replace("Mo", "Ola"))
    assert answer("Which song has the most weeks?", SONGS.replace("Mo", "Ola")) == "Blue Rain, row 1 (12)"


def test_ranks_are_not_compared_and_neither_is_who_has_none() -> None:
    assert not answer("Which song has the highest chart position?", SONGS)
    ranked = "Boat,Place,Points\nTern,1,10\nCoot,2,8\nHeron,{},0\n"
    assert answer("Which boat has the lowest points?", ranked.format(3)) == "Heron, row 3 (0)"
    assert not answer("Which boat has the lowest points?", ranked.format("DNF"))
    towns = "Station,Place,Rain\nA1,Oslo,10\nB1,Rome,8\n"
    assert answer("Which station has the most rain?", towns) == "A1, row 1 (10)"
