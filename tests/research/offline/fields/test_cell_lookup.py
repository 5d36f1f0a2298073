import pytest

from quaestor.research.offline.fields.cell_lookup import find_cell
from quaestor.research.offline.fields.collections import Collection, StoredText, table_collections

PORTS = "port,country,depth (m),opened\nSaltmere,Orlia,9,1820\nQuell,Orlia,14,1871\nTannis,Vesk,7,1871 (east)\n"


def tables(name: str, text: str) -> list[Collection]:
    return list(table_collections(StoredText(source=name, title=name, uri=f"/d/{name}", text=text)))


@pytest.mark.parametrize(
    ("question", "value"),
    [
        ("What is the depth of Quell?", "14"),
        ("Which country is Tannis in?", "Vesk"),
        ("What is the depth of Orlia?", None),
        ("What is the depth of Quell and Tannis?", None),
        ("Who dug the depth of Quell?", None),
    ],
)
def test_a_cell_is_found_by_the_names_of_its_row_and_column_alone(question: str, value: str | None) -> None:
    found = find_cell(question, tables("ports.csv", PORTS))

    assert (found[2].value if found else None) == value


def test_a_row_is_called_by_its_word_where_the_first_column_measures_something() -> None:
    held = tables("crashes.csv", "rate,loss,abbrev,side\n18.8,784,AL,east\n11.2,1301,NJ,east\n14,710,IN,west\n")
    found = find_cell("What is the loss of NJ?", held)

    assert found
    assert (found[1].name, found[2].value) == ("NJ", "1301")
    assert [one.name for one in held[0].things] == ["AL", "NJ", "IN"]
    years = tables("deeds.csv", "year,deed\n1901,dug\n1902,sold\n")
    assert [one.name for one in years[0].things] == ["1901", "1902"]


LIGHTS = "light,first lit,height in metres,Gewicht [kg],built of\nLast Ness,1791,41,9,oak\nVos Mole,1802,37,8,\n"


@pytest.mark.parametrize(
    ("question", "value"),
    [
        ("What is the height of Vos Mole?", "37"),
        ("What is the height in metres of Vos Mole?", "37"),
        ("What is the height in feet of Vos Mole?", None),
        ("How high is Vos Mole?", "37"),
        ("Wie schwer ist Vos Mole?", "8"),
        ("How old is Vos Mole?", None),
        ("When was Vos Mole first lit?", "1802"),
        ("What is the height of Last Ness?", "41"),
        ("What is the highest height of Vos Mole?", None),
        ("What is not the height of Vos Mole?", None),
        ("What is Last Ness built of?", "oak"),
    ],
)
def test_a_column_is_named_without_its_unit_and_may_have_a_word_of_order_in_it(
    question: str, value: str | None
) -> None:
    found = find_cell(question, tables("lights.csv", LIGHTS))

    assert (found[2].value if found else None) == value


@pytest.mark.parametrize(
    ("question", "column"),
    [
        ("Wie ist die Höhe von Vos Mole?", "Höhe in Metern"),
        ("Welche Höhe hat Vos Mole?", "Höhe (m)"),
        ("¿Cuál es la altura de Vos Mole?", "altura en metros"),
        ("Quelle est la hauteur de Vos Mole ?", "hauteur en mètres"),
        ("Qual è l'altezza di Vos Mole?", "altezza in metri"),
        ("Qual é a altura de Vos Mole?", "altura em metros"),
        ("Wat is de hoogte van Vos Mole?", "hoogte in meter"),
        ("Какова высота Vos Mole?", "высота в метрах"),
    ],
)
def test_small_words_of_a_question_need_no_cell_in_its_language(question: str, column: str) -> None:
    found = find_cell(question, tables("lights.csv", f"light,{column}\nVos Mole,37\n"))

    assert found
    assert found[2].value == "37"


def test_of_columns_that_differ_in_their_unit_only_one_that_is_named_whole_answers() -> None:
    two = tables("lights.csv", "light,height (m),height in feet\nVos Mole,37,121\n")
    plain = tables("lights.csv", "light,height,height in feet\nVos Mole,37,121\n")
    whole, unclear = (find_cell(f"What is the height {unit} of Vos Mole?", two) for unit in ("in feet", ""))
    named = find_cell("What is the height of Vos Mole?", plain)

    assert whole
    assert whole[2].value == "121"
    assert unclear is None
    assert named
    assert named[2].value == "37"


RELEASES = "version,codename,note,created,release\n10,Lark,long,2017-06-17,2019-07-06\n11,Wren,short,2019-07-06\n"


@pytest.mark.parametrize(
    ("question", "row", "value"),
    [
        ("When was Lark released?", "Lark", "2019-07-06"),
        ("What is the release of lark?", "Lark", "2019-07-06"),
        ("When was version 10 released?", "10", "2019-07-06"),
        ("What is the codename of version 11?", "11", "Wren"),
        ("When was Wren created?", "Wren", "2019-07-06"),
        ("When was Wren released?", "", ""),
        ("What is released of Lark?", "", ""),
        ("When was long created?", "", ""),
    ],
)
def test_a_row_is_also_known_by_its_code_and_a_date_by_another_form_of_its_column(
    question: str, row: str, value: str
) -> None:
    found = find_cell(question, tables("releases.csv", RELEASES))

    assert (found[1].name if found else "", found[2].value if found else "") == (row, value)


def test_of_rows_whose_names_differ_in_case_the_one_that_is_spelt_so_is_meant() -> None:
    entities = tables("entities.csv", "entity,code\nEacute,201\neacute,233\n")
    found = find_cell("What is the code of eacute?", entities)

    assert found
    assert found[2].value == "233"
    assert find_cell("What is the code of EACUTE?", entities) is None


SETTINGS = """# Reference

## Worker

| Setting | Default | Meaning |
|---|---|---|
| `worker.count` | number of cores | How many jobs run |
| `worker.timeout` | 15m | When a job is killed |
"""


def test_a_row_may_be_named_by_a_word_that_also_asks() -> None:
    found = find_cell("What is the default of worker.count?", tables("reference.md", SETTINGS))

    assert found
    assert (found[1].name, found[2].value) == ("worker.count", "number of cores")


def test_a_cell_of_a_total_is_found_where_it_is_asked_for() -> None:
    catches = tables("boats.csv", "boat,catch\nEk,4\nDell,9\nQuell,2\nTotal of east,15\n")
    found = find_cell("What is the catch of the total of east?", catches)

    assert found
    assert (found[1].row, found[2].value) == (4, "15")


LOANS = "jar,lent to,closed by,sealed\nTall,Ann Lee,Bo Ek,yes\nWide,Cy Dot,Ann Lee,no\n"


@pytest.mark.parametrize(
    ("question", "value"),
    [
        ("Who lent the Tall?", None),
        ("To whom was the Tall lent?", "Ann Lee"),
        ("Is the Tall closed?", None),
        ("Who closed the Tall?", "Bo Ek"),
        ("Is the Tall sealed?", "yes"),
    ],
)
def test_a_column_of_a_direction_is_asked_by_it_and_only_yes_or_no_answers_whether(
    question: str, value: str | None
) -> None:
    found = find_cell(question, tables("loans.csv", LOANS))
    assert (found[2].value if found else None) == value
