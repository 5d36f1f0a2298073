import pytest

from quaestor.research.offline.words.field_names import key_without_unit, name_measure


@pytest.mark.parametrize(
    ("key", "bare"),
    [
        ("height in metres", "height"),
        ("height_in_m", "height"),
        ("height_m", "height"),
        ("price EUR", "price"),
        ("area in square metres", "area"),
        ("height in feet above the sea", "height"),
        ("Höhe in Metern", "Höhe"),
        ("altura en metros", "altura"),
        ("высота в метрах", "высота"),
        ("in metres", "in metres"),
        ("birth year", "birth year"),
        ("born in London", "born in London"),
        ("population in 2020", "population in 2020"),
    ],
)
def test_a_unit_is_no_part_of_what_a_field_is_called(key: str, bare: str) -> None:
    assert key_without_unit(key) == bare


def test_an_adjective_that_asks_is_taken_out_and_the_fields_it_means_are_named() -> None:
    rest, keys = name_measure("Wie hoch ist der Turm?")

    assert "hoch" not in rest
    assert {"height", "höhe"} <= set(keys.split())
    assert name_measure("How many towers are high?") == ("How many towers are high?", "")
