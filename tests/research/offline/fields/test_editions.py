import pytest

from quaestor.research.offline.fields.editions import find_newer, named_year


@pytest.mark.parametrize(
    ("stem", "other", "is_newer"),
    [
        ("fees-2019", "fees", True),
        ("fees-2019", "fees_2021", True),
        ("fees-2019", "fees-2018", False),
        ("fees-2019", "fees-2019", False),
        ("fees-2019", "rules-2021", False),
        ("fees", "fees-2021", False),
    ],
)
def test_a_document_of_the_same_name_without_a_year_or_with_a_later_one_is_newer(
    stem: str, other: str, is_newer: bool
) -> None:
    assert find_newer(stem, [stem, other]) == (other if is_newer else "")


def test_a_name_with_two_years_names_none() -> None:
    assert [named_year(name) for name in ("fees-2019", "from-2019-to-2021", "route-12345", "fees")] == [
        "2019",
        "",
        "",
        "",
    ]
