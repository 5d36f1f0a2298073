import pytest

from quaestor.research.brief.record_items import find_items


@pytest.mark.parametrize(
    ("line", "label"),
    [
        ("**Lids.** They are dear.", ("lid",)),
        ("3. Lids: they are dear.", ("lid",)),
        ("Art. 3 \u2013 Lids. They are dear.", ("lid",)),
        ("**\u00a7 3 Lids.** They are dear.", ("lid",)),
        ("Article 3 Lids of tin. They are dear.", ("lid", "of", "tin")),
        ("TOP 3: they are dear.", ("top", "3")),
        ("TOP 3: Lids. They are dear.", ("top", "3")),
        ("Art. 3 was about lids. They are dear.", None),
        ("Lids. They are dear.", None),
    ],
)
def test_an_item_is_called_by_its_label_without_the_place_that_it_has(line: str, label: tuple[str, ...] | None) -> None:
    found = [one.label for one in find_items(f"Rules of jars\n\n{line}\n")]
    assert found == ([label] if label else [])
