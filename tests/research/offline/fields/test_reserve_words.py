import pytest

from quaestor.research.offline.fields.reserve_words import ALL_CHANGED, END_COLUMN, GONE_STATE, PART_NAME


@pytest.mark.parametrize(
    "name",
    [
        "of which roof",
        "thereof doors",
        "- davon Reinigung",
        "dont toit",
        "de los cuales techo",
        "di cui tetto",
        "waarvan dak",
        "dos quais teto",
        "в том числе крыша",
        "其中屋顶",
    ],
)
def test_a_part_is_known_by_the_first_words_of_its_name(name: str) -> None:
    assert PART_NAME.match(name)
    assert not PART_NAME.match("Roof")


@pytest.mark.parametrize(
    ("value", "gone"),
    [
        ("sold to Teal RC in 2019", True),
        ("2019 verkauft", True),
        ("was withdrawn", True),
        ("fermée", True),
        ("продана", True),
        ("已售", True),
        ("soldier", False),
        ("URI no longer exists", False),
        ("not yet", False),
        ("Alarm clock", False),
    ],
)
def test_a_value_tells_that_its_row_is_gone_at_its_start(value: str, gone: bool) -> None:
    assert (GONE_STATE.match(value) is not None) == gone


@pytest.mark.parametrize(("column", "ends"), [("Left", True), ("Bemerkung", True), ("Until", True), ("Laid", False)])
def test_a_column_of_ends_and_remarks_is_known_by_its_name(column: str, ends: bool) -> None:
    assert (END_COLUMN.search(column) is not None) == ends


@pytest.mark.parametrize(
    ("said", "is_all"),
    [
        ("All our prices go up in May.", True),
        ("Everything is dearer now.", True),
        ("Prices rose by a tenth.", True),
        ("Alles wird teurer.", True),
        ("Tous les tarifs augmentent.", True),
        ("Tout coûte plus.", True),
        ("Ann found prices between £900 and £1,300 plus a heated jar.", False),
        ("Ann found prices up to £900.", False),
        ("Prices are more than those of Ann.", False),
    ],
)
def test_that_all_prices_change_is_told_in_words_of_one_language(said: str, *, is_all: bool) -> None:
    assert (ALL_CHANGED.search(said) is not None) is is_all
