import pytest

from quaestor.research.brief.document_notices import section_notice

NOTICE = "__Notice__: Jars are kept elsewhere now, see [Lids](lids.md). The rules below are obsolete."
JARS = f"## Jars\n\n{NOTICE}\n\nJars are of tin.\n\nThey are red.\n"
TEXT = f"# House\n\nAll is well.\n\n{JARS}\n## Lids\n\nLids are of cork.\n"


def told(text: str, words: str) -> str | None:
    place = section_notice(text, "text/markdown", text.index(words))
    return text[slice(*place)] if place else None


def test_a_notice_at_the_head_of_a_section_is_of_all_that_stands_below_it() -> None:
    assert told(TEXT, "Jars are of tin.") == NOTICE
    assert told(TEXT, "They are red.") == NOTICE
    for elsewhere in ("All is well.", "Lids are of cork."):
        assert told(TEXT, elsewhere) is None
    assert told(TEXT, "The rules below") is None


@pytest.mark.parametrize(
    "said",
    [
        "The rules below are obsolete.",
        "Note: The option of the mill was removed.",
        "Note: The rules below are short.",
        "Note: The rules below are short. A mill was removed.",
    ],
)
def test_what_says_nothing_of_the_end_of_its_section_is_no_notice(said: str) -> None:
    assert told(TEXT.replace(NOTICE, said), "They are red.") is None


def test_the_notice_above_all_sections_is_the_status_of_the_document() -> None:
    assert told(f"# House\n\n{NOTICE}\n\nAll is well.\n", "All is well.") is None
