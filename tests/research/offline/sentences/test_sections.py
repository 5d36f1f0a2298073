import pytest

from quaestor.research.offline.sentences.sections import section_of


@pytest.mark.parametrize(
    ("heading", "is_named"),
    [
        ("Steps > Vote to Test", True),
        ("Steps > Step 2.4: Vote to Test", True),
        ("2. Vote to Test", True),
        ("§ 7 Vote to Test", True),
        ("Steps > Vote to Adopt", False),
        ("Steps > Before the Vote to Test", False),
        ("Steps > 2.4", False),
    ],
)
def test_a_section_is_called_by_its_heading_without_the_number(heading: str, *, is_named: bool) -> None:
    assert section_of("Jars", heading).is_named("vote to test") is is_named
