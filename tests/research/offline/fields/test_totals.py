import pytest

from quaestor.research.offline.fields.collections import Collection, StoredText, table_collections

CATCH = "boat,kilos,crew\nEk,40,2\nDell,90,3\nQuell,65,2\n"


def table(text: str) -> Collection:
    [found] = table_collections(StoredText(source="catch", title="catch.csv", uri="/d/catch.csv", text=text))
    return found


def totals(text: str) -> list[str]:
    return [one.name for one in table(text).totals]


def unsure(text: str) -> list[str]:
    return [one.name for one in table(text).things if one.may_be_total]


@pytest.mark.parametrize(
    "name",
    [
        "Total",
        "Sub-total of the day",
        "Whole catch in total",
        "All boats",
        "Summe Fang",
        "Gesamtfang",
        "Zwischensumme",
        "Total général",
        "Somme",
        "Suma",
        "Totale",
        "Soma",
        "Eindtotaal",
        "Razem",
        "Итого",
        "",
    ],
)
def test_a_row_that_is_called_a_total_and_adds_up_is_no_thing(name: str) -> None:
    found = table(f"{CATCH}{name},195,7\n")

    assert [one.name for one in found.totals] == [name]
    assert [one.name for one in found.things] == ["Ek", "Dell", "Quell"]


def test_totals_of_groups_are_left_out_of_the_total_of_all() -> None:
    rows = ("boat,coast,kilos", "Ek,east,40", "Dell,east,90", "Subtotal east,east,130", "Quell,west,65", "Tern,west,5")

    assert totals("\n".join((*rows, "Subtotal west,west,70", "Overall,,200\n"))) == [
        "Subtotal east",
        "Subtotal west",
        "Overall",
    ]


def test_a_total_may_be_above_what_it_adds_up_and_a_mean_is_known_to_its_last_digit() -> None:
    assert totals("boat,kilos\nTotal,195\nEk,40\nDell,90\nQuell,65\n") == ["Total"]
    assert totals("boat,kilos\nEk,40\nDell,91\nQuell,66\nDurchschnitt,65.7\n") == ["Durchschnitt"]
    assert unsure("boat,kilos\nEk,40\nDell,91\nQuell,66\nTotal,65.7\n") == ["Total"]


def test_a_total_is_known_by_its_name_or_its_first_cell() -> None:
    assert totals("coast,name,kilos\neast,Ek,40\neast,Dell,90\neast,Total,130\n") == ["Total"]
    assert totals("no,name,kilos\n1,Ek,40\n2,Dell,90\n3,Quell,65\nTotal,three boats,195\n") == ["three boats"]


def test_an_empty_cell_adds_nothing_and_one_without_a_number_ends_a_sum() -> None:
    assert totals("boat,kilos\nEk,40\nDell,-\nQuell,65\nTotal,105\n") == ["Total"]
    assert totals("boat,kilos\nEk,0\nDell,65\nTotal,65\n") == ["Total"]
    assert unsure("boat,kilos\nEk,40\nDell,some\nQuell,65\nTotal,105\n") == ["Total"]


@pytest.mark.parametrize(
    "row",
    [
        "Total Station,700,9",  # a boat may be called so, and the numbers do not tell
        "Total,195,8",
        "Total,65,2",  # as the row above it
        "Total,195 kg,",
        "Total,,",
        "All boats,,",
        "Tous les boats,,",
        ",77,9",
    ],
)
def test_a_row_that_is_called_a_total_and_does_not_add_up_may_be_one(row: str) -> None:
    assert totals(f"{CATCH}{row}\n") == []
    assert unsure(f"{CATCH}{row}\n") == [row.partition(",")[0]]


def test_where_nothing_can_be_summed_up_no_name_is_that_of_a_total() -> None:
    assert unsure("ending,kind\n.total,brand\n.sum,brand\n.org,plain (3rd)\n") == []
    assert unsure("ending,price\n.total,5 EUR\n.sum,4 EUR\n.org,9 EUR\n") == [".total", ".sum"]


def test_two_small_numbers_that_add_up_show_no_total_whose_name_has_a_word_of_its_own() -> None:
    assert unsure("device,pieces\nLevel,1\nTripod,1\nTotal Station,2\n") == ["Total Station"]
    assert totals("device,pieces\nLevel,1\nTripod,1\nTotal devices,2\n") == ["Total devices"]


@pytest.mark.parametrize("row", ["Total Station,20,9", "Tern,196,9", "Totem,196,9", "All Saints,196,9"])
def test_what_is_less_than_every_other_number_or_is_not_called_a_total_is_a_thing(row: str) -> None:
    assert (totals(f"{CATCH}{row}\n"), unsure(f"{CATCH}{row}\n")) == ([], [])


@pytest.mark.parametrize(
    ("name", "rest"),
    [
        ("Whole fleet", "195,7"),
        ("All three", "195,7"),
        ("Whole fleet", "195,50"),
        ("Ek and Dell", "130,5"),
        ("Ek & Quell", "105,9"),
    ],
)
def test_a_row_whose_numbers_or_name_sum_up_others_may_be_a_total_whatever_it_is_called(name: str, rest: str) -> None:
    assert unsure(f"{CATCH}{name},{rest}\n") == [name]


def test_a_name_of_other_names_or_a_sum_of_two_shows_no_total() -> None:
    menu = "dish,price\nFish,8\nChips,3\nFish and chips,10\n"
    seats = "boat,seats,built\nEk,2,1998\nDell,4,2005\nQuell,2,2005\nTern,8,1989\nCoot,3,2012\n"

    assert unsure(menu) == []
    assert unsure("boat,seats\nEk,2\nDell,4\nQuell,6\n") == []
    assert unsure(seats) == []


ACCOUNT = "item,francs\nCatch,900\nFerry,300\nTotal in,1200\nRope,400\nOil,150\nNets,50\nTotal out,600\n"


@pytest.mark.parametrize("name", ["Result", "Saldo", "Überschuss des Jahres", "Résultat"])
def test_what_one_total_leaves_of_another_is_no_thing(name: str) -> None:
    assert totals(f"{ACCOUNT}{name},600\n")[-1] == name
    assert unsure(f"{ACCOUNT}{name},620\n") == [name]
    assert (totals(f"{CATCH}{name},50,1\n"), unsure(f"{CATCH}{name},50,1\n")) == ([], [])


def test_where_more_rows_seem_to_be_totals_than_a_table_has_none_is_sure() -> None:
    rows = "".join(f"Total {number},1\n" for number in range(200))

    assert len(unsure(f"boat,kilos\nEk,0\n{rows}")) == 200
