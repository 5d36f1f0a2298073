import pytest

from quaestor.research.offline.fields.calculation import Operation, calculate
from quaestor.research.offline.fields.cell_lookup import find_cell
from quaestor.research.offline.fields.collections import Collection, StoredText, table_collections
from quaestor.research.offline.fields.doubtful_rows import doubt_cell
from quaestor.research.offline.fields.enumeration import enumerate_things
from quaestor.research.reports.fixed_words import report_words


def tables(name: str, text: str) -> list[Collection]:
    return list(table_collections(StoredText(source=name, title=name, uri=f"/d/{name}", text=text)))


def refused(question: str, text: str, name: str = "things.csv") -> str:
    found = enumerate_things(question, tables(name, text))
    assert found
    assert bool(found.refusal) != bool(found.members)
    return found.refusal.partition(" (the table")[0]


BOATS = "boat,seats,condition\nKestrel,4,good\nPlover,2,{}\nHeron,8,\n"


@pytest.mark.parametrize(
    ("condition", "reason"),
    [
        ("sold to Teal RC in 2019", "“condition” may say that some of the rows do not count"),
        ("under construction", "“condition” may say that some of the rows do not count"),
        ("not yet built", "“condition” may say that some of the rows do not count"),
        ("im Bau", "“condition” may say that some of the rows do not count"),
        ("broken up", "“condition” may say that some of the rows do not count"),
        ("~~good~~", "“Plover” may not be a thing like the other rows"),
        ("needs varnish", ""),
    ],
)
def test_a_row_that_tells_of_its_end_is_not_counted_as_a_thing(condition: str, reason: str) -> None:
    assert refused("How many boats are there?", BOATS.format(condition)) == reason


def test_a_column_that_few_rows_fill_may_tell_which_do_not_count() -> None:
    few = "boat,seats,x\nKestrel,4,\nPlover,4,\nHeron,4,lent to Teal\nTern,8,\n"

    assert refused("List all boats", few) == "“x” may say that some of the rows do not count"
    assert refused("List all boats", few.replace(",\n", ",-\n")) == ""
    assert refused("How many boats have the x lent to Teal?", few) == ""
    assert refused("How many boats have seats 4?", few) == ""


def test_numbers_are_not_added_up_where_few_rows_fill_a_column() -> None:
    found = calculate(
        "What is the total of the seats?",
        Operation.SUM,
        tables("b.csv", "boat,seats,x\nKestrel,4,\nPlover,4,\nTern,8,lent\n"),
    )

    assert found
    assert found.refusal.startswith("“x” may say that some of the rows do not count")


def test_a_column_of_ends_may_tell_which_rows_do_not_count_however_many_fill_it() -> None:
    text = "boat,seats,{}\nKestrel,4,2019\nPlover,2,2020\nHeron,8,\n"

    assert refused("How many boats are there?", text.format("left")) == (
        "“left” may say that some of the rows do not count"
    )
    assert refused("How many boats are there?", text.format("laid")) == ""


@pytest.mark.parametrize("row", ["Closed since 2022:,,", "of which doors,2,good"])
def test_a_line_between_rows_and_a_part_of_a_row_are_no_things(row: str) -> None:
    reason = f"“{row.partition(',')[0]}” may not be a thing like the other rows"

    assert refused("How many boats are there?", f"{BOATS.format('good')}{row}\n") == reason
    assert refused("List all boats", f"{BOATS.format('good')}{row}\n") == reason


CLASSES = "class,teacher\n1a,Ms Ohlsen\n1b,Mr Tran\n2a,{}\n2b,Ms Ohlsen\n"


@pytest.mark.parametrize(
    ("teacher", "reason"),
    [
        ("to be found", "“to be found” may not be a thing like the other rows"),
        ("Ms Varga", ""),
        ("M. Tran", "“Mr Tran” and “M. Tran” may be the same"),
        ("Tran M.", "“Mr Tran” and “Tran M.” may be the same"),
        ("Tran Mr", "“Mr Tran” and “Tran Mr” may be the same"),
        ("Ms Tran-Ohlsen", ""),
        ("Varga Tran", ""),
        ("N.N.", "“N.N.” may not be a thing like the other rows"),
        ("TBA", "“TBA” may not be a thing like the other rows"),
    ],
)
def test_a_placeholder_and_a_name_that_may_be_of_the_same_person_end_a_list(teacher: str, reason: str) -> None:
    assert refused("List all teachers", CLASSES.format(teacher)) == reason


def test_values_that_are_all_in_small_letters_are_no_placeholders() -> None:
    assert refused("List all colours", "buoy,colour\nEk,red\nDell,green\nQuell,Blue\n") == ""


def test_two_rows_of_one_surname_with_a_fitting_initial_are_not_counted() -> None:
    keepers = "keeper,since\nJohn Hale,1871\nRobert Fyfe,1889\n{} Hale,1902\n"

    assert refused("How many keepers are there?", keepers.format("J.")) == "“John Hale” and “J. Hale” may be the same"
    assert refused("How many keepers are there?", keepers.format("R.")) == ""
    assert refused("How many keepers are there?", keepers.format("Jane")) == ""


LIBRARIES = "library,books\nOberlenn,8200\n{},3100\nLennmouth,21500\n"


@pytest.mark.parametrize("name", ["Mill Lane (closed)", "planned: Hill Road"])
def test_a_name_with_a_remark_that_others_lack_ends_counts_and_numbers_and_stands_in_a_list(name: str) -> None:
    text = LIBRARIES.format(name)
    reason = f"“{name}” may not be a thing like the other rows"

    assert refused("How many libraries are there?", text) == reason
    assert refused("List all libraries", text) == ""
    for operation, question in (
        (Operation.SUM, "What is the total of the books?"),
        (Operation.SMALLEST, "Which library has the fewest books?"),
    ):
        found = calculate(question, operation, tables("libraries.csv", text))
        assert found
        assert found.refusal.startswith(reason)


def test_what_is_all_remarked_on_is_counted() -> None:
    assert refused("How many libraries are there?", "library,books\nOlm (old),8200\nHill (new),3100\n") == ""


def test_parts_of_a_row_are_not_added_up() -> None:
    text = "item,cost\nRent,1800\nRepairs,2400\nof which roof,1500\n"
    found = calculate("What is the total cost?", Operation.SUM, tables("shed.csv", text))

    assert found
    assert (found.answer, found.refusal) == (
        "",
        "“of which roof” may not be a thing like the other rows (the table shed.csv)",
    )


HALLS = "# Halls\n\n| Hall | Rent |\n|---|---|\n| Gym | 90 |\n| Station | 0 |\n\n{}\n"


@pytest.mark.parametrize(
    ("below", "is_told"),
    [("0 stands for what is not let.", True), ("The last row counts twice.", True), ("Ring before you come.", False)],
)
def test_a_number_of_which_the_prose_beside_a_table_speaks_is_not_the_least(below: str, is_told: bool) -> None:
    found = calculate("Which hall has the lowest rent?", Operation.SMALLEST, tables("halls.md", HALLS.format(below)))

    assert found
    assert found.refusal.startswith("the text beside the table may speak of it") == is_told
    assert bool(found.answer) != is_told


def test_rows_of_which_the_prose_beside_a_table_takes_something_back_are_not_listed() -> None:
    said = "the text beside the table may speak of it"

    assert refused("List all halls", HALLS.format("The gym is not let."), "halls.md") == said
    assert refused("How many halls are there?", HALLS.format("The gym is near the quay."), "halls.md") == ""


@pytest.mark.parametrize(("below", "is_told"), [("The gym is shut.", True), ("Ring before you come.", False)])
def test_a_cell_of_which_the_prose_beside_a_table_speaks_is_no_answer(below: str, is_told: bool) -> None:
    found = find_cell("What is the rent of the gym?", tables("halls.md", HALLS.format(below)))

    assert found
    assert bool(doubt_cell(*found, report_words(None))) == is_told


def test_a_cell_that_is_struck_out_or_in_such_a_row_is_no_answer() -> None:
    struck = HALLS.format("").replace("| 90", "| ~~90~~ 80")
    assert find_cell("What is the rent of the gym?", tables("halls.md", struck)) is None

    found = find_cell("What is the rent of the gym?", tables("halls.md", HALLS.format("").replace("Gym", "~~Gym~~")))
    assert found
    assert doubt_cell(*found, report_words(None)).startswith("“~~Gym~~” may not be a thing")


MEMBERS = "Name,Section,Since\nAnn Pole,Tennis,2011\nBen Carr,Tennis,2018\n{}\nCy Fenn,Chess,2009\n"


@pytest.mark.parametrize(
    "row",
    ["left:,,", "Former members,,", "Di (cancelled),Tennis,2012", "Eve?,Tennis,2012", "Di (not yet),Tennis,2012"],
)
def test_a_line_between_rows_and_a_name_that_denies_what_is_asked_decline_what_a_value_chose(row: str) -> None:
    reason = f"“{row.partition(',')[0]}” may not be a thing like the other rows"

    assert refused("Which members are in the Tennis section?", MEMBERS.format(row), "members.csv") == reason
    assert refused("How many members are in the Tennis section?", MEMBERS.format(row), "members.csv") == reason


@pytest.mark.parametrize("row", ["Di Marr,,", "State Library,,", "Di (Orm),Tennis,2012", "Di (not yet),Chess,2012"])
def test_a_row_with_nothing_in_it_and_a_remark_that_denies_nothing_take_no_list_away(row: str) -> None:
    assert refused("Which members are in the Tennis section?", MEMBERS.format(row), "members.csv") == ""
