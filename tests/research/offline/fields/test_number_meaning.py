import pytest

from quaestor.research.offline.fields.calculation import calculate, find_operation
from quaestor.research.offline.fields.cell_lookup import find_cell
from quaestor.research.offline.fields.collections import Collection, StoredText, table_collections
from quaestor.research.offline.fields.doubtful_rows import doubt_cell
from quaestor.research.offline.fields.number_meaning import unit_beside
from quaestor.research.reports.fixed_words import report_words


def tables(text: str, name: str = "trails.csv") -> list[Collection]:
    return list(table_collections(StoredText(source=name, title=name, uri=f"/d/{name}", text=text)))


def outcome(question: str, text: str, name: str = "trails.csv") -> str:
    operation = find_operation(question)
    found = operation and calculate(question, operation, tables(text, name))
    assert found
    return found.refusal.partition(" (the table")[0] or found.answer


def doubt(question: str, text: str, name: str = "cities.md") -> str:
    found = find_cell(question, tables(text, name))
    assert found
    return doubt_cell(*found, report_words(None)).partition(" (the table")[0]


UNITS = "the numbers of “length” have different units"
NO_NUMBERS = "values of “{}” may not be plain numbers"
SCALE = "what stands beside the table may give its numbers a scale, as thousands"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("trail,length,unit\nRidge,14,km\nLoop,900,m\nFern,3,km\n", UNITS),
        ("trail,length,of\nRidge,14,km\nLoop,900,m\nFern,3,km\n", UNITS),
        ("trail,length,unit\nRidge,14,km\nLoop,900,\nFern,3,km\n", UNITS),
        ("trail,length,unit\nRidge,14,km\nLoop,9,km\nFern,3,km\n", "Ridge, row 1 (14)"),
        ("trail,length,surface\nRidge,14,gravel\nLoop,9,sand\nFern,3,gravel\n", "Ridge, row 1 (14)"),
    ],
)
def test_numbers_of_several_units_are_not_compared(text: str, expected: str) -> None:
    assert outcome("Which trail has the greatest length?", text) == expected


def test_numbers_of_several_currencies_are_not_added_up() -> None:
    fees = "trail,fee,currency\nRidge,14,EUR\nLoop,9,CHF\n"
    assert outcome("What is the sum of the fees?", fees) == "the numbers of “fee” have different units"


def test_a_cell_is_told_with_the_unit_beside_it() -> None:
    [table] = tables("trail,length,unit,guide\nRidge,14,km,Ann\nLoop,900,m,Ben\n")
    assert [unit_beside(one, "length", table) for one in table.things] == ["km", "m"]
    assert [unit_beside(one, "guide", table) for one in table.things] == ["", ""]


def test_the_highest_version_is_not_the_largest_number() -> None:
    text = "package,version,licence\nalpha,3.9,MIT\nbeta,3.10,MIT\n"
    assert outcome("Which package has the highest version?", text) == NO_NUMBERS.format("version")


@pytest.mark.parametrize(
    ("numbers", "expected"),
    [
        (("1.200", "800", "2.450"), NO_NUMBERS.format("visitors")),
        (("1.25", "800", "2.450"), "803.7"),
        (("0.200", "800", "2.450"), "802.65"),
    ],
)
def test_a_dot_that_may_part_thousands_is_no_point(numbers: tuple[str, ...], expected: str) -> None:
    text = "museum;visitors\n" + "".join(f"M{place};{number}\n" for place, number in enumerate(numbers))
    assert outcome("What is the sum of the visitors?", text) == expected


@pytest.mark.parametrize("none", ["-999", "-99.9", "9999", "-9999.0"])
def test_a_number_that_stands_for_none_is_not_the_smallest_and_no_cell(none: str) -> None:
    text = f"station,rain,height\nAlder,812,210\nCedar,{none},80\nDrum,401,12\n"
    assert outcome("Which station has the smallest rain?", text) == NO_NUMBERS.format("rain")
    assert doubt("What is the rain of Cedar?", text, "rain.csv") == NO_NUMBERS.format("rain")
    assert doubt("What is the rain of Drum?", text, "rain.csv") == ""


CITIES = (
    "# Cities\n\n{}\n\n| City | {} | Mayor |\n| --- | --- | --- |\n| Arden | 48 | Poole |\n| Bream | 112 | Stone |\n"
)


@pytest.mark.parametrize(
    ("above", "column", "expected"),
    [
        ("All figures are in thousands.", "Population", SCALE),
        ("Angaben in Tausend.", "Population", SCALE),
        ("All figures are in thousands.", "Population (thousands)", ""),
        ("All figures are of the census.", "Population", ""),
    ],
)
def test_a_scale_beside_a_table_is_part_of_its_numbers(above: str, column: str, expected: str) -> None:
    text = CITIES.format(above, column)
    assert doubt("What is the population of Arden?", text) == expected
    assert doubt("Who is the mayor of Arden?", text) == ""
    assert outcome("Which city has the largest population?", text, "cities.md") == (expected or "Bream, row 2 (112)")


def test_a_scale_in_the_heading_of_a_table_is_part_of_its_numbers() -> None:
    text = CITIES.format("", "Population").replace("# Cities", "# Cities, in millions")
    assert doubt("What is the population of Arden?", text) == SCALE


def test_numbers_of_years_are_not_added_up() -> None:
    text = "year,members\n2019,41\n2020,38\n"
    told = "its rows are days or years, and what each has may be the same again"
    assert outcome("What is the sum of the members?", text) == told
    assert outcome("What is the sum of the members?", text.replace("2019", "Ann").replace("2020", "Ben")) == "79"


def test_a_column_of_places_that_there_are_is_none_of_ranks() -> None:
    classes = "class,places\nSpanish,12\nArabic,10\n"

    assert outcome("What is the total of the places of the classes?", classes, "classes.csv") == "22"
    assert outcome("What is the total of the place?", classes.replace("places", "place"), "classes.csv") == (
        NO_NUMBERS.format("place")
    )
