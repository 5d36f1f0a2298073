import pytest

from quaestor.tools.reading.part_names import is_part_name, tells_more


@pytest.mark.parametrize("heading", ["Security", "Noteworthy changes", "Wesentliche Änderungen", "Abstract"])
def test_a_part_of_any_text_is_no_name_of_one(heading: str) -> None:
    assert is_part_name(heading)


@pytest.mark.parametrize("heading", ["Fog bells", "Changes of the tide", "Important", ""])
def test_other_headings_are_names(heading: str) -> None:
    assert not is_part_name(heading)


@pytest.mark.parametrize(
    ("file", "heading", "tells"),
    [
        ("version-2-0-10-released", "Broker", True),
        ("fees", "Fees 2025", False),
        ("README", "Fog bells", False),
        ("2024-05-03", "Fog bells", False),
        ("", "Fog bells", False),
    ],
)
def test_a_file_tells_more_that_has_other_words(file: str, heading: str, tells: bool) -> None:
    assert tells_more(file, heading) is tells
