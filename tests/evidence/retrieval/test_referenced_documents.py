import pytest

from quaestor.evidence.retrieval.document_names import MAX_LEADS, lead_keys, referenced_keys


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("PEP: 634\nReplaces: 622\nRequires: 12, 013 and 14\n", ("=pep+622", "=pep+12", "=pep+13", "=pep+14")),
        ("Python-Version: 3.10\nCreated: 12-Sep-2020\n", ()),
        ("See [the bell](docs/fog-bell.md#cost).", ("=fog+bell",)),
        ("See [[Leading Lights|the lights]].", ("=lead+light",)),
        ("As :pep:`622` says.", ("=pep+622",)),
    ],
)
def test_a_reference_is_the_name_of_another_document(text: str, found: tuple[str, ...]) -> None:
    assert referenced_keys(text, ["=pep+634"]) == found


def test_a_number_alone_refers_to_nothing_outside_a_series() -> None:
    assert referenced_keys("Replaces: 622\n", ["=matching"]) == ()


def test_names_that_were_asked_for_or_are_its_own_lead_nowhere() -> None:
    text = "Then Hank Snow sang, and in Nashville they heard Hello Love."
    asked = ["=hank+snow", "=hank", "=snow", "=hello", "=love"]
    assert lead_keys(text, ["=hello+love"], asked) == ("=nashvill",)


def test_a_list_of_hundreds_is_followed_in_part() -> None:
    text = ", ".join(f"Name{'x' * number}" for number in range(1, 200))
    assert len(lead_keys(text, [], [])) == MAX_LEADS
