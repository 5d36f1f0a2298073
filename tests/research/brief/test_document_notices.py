import pytest

from quaestor.research.brief.document_notices import heading_notices, section_notice

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


@pytest.mark.parametrize("mark", [".. versionremoved:: 8.0", ".. deprecated-removed:: 7.2 8.0"])
def test_a_directive_at_the_head_of_a_section_tells_that_what_stands_below_it_is_gone(mark: str) -> None:
    text = f"# House\n\nWell.\n\n## Jars\n\n.. deprecated:: 7.2\n{mark}\n\nJars are of tin.\n\n## Lids\n\nOf cork.\n"
    assert told(text, "Jars are of tin.") == mark
    assert told(text, "Of cork.") is None
    assert told(text.replace(mark, ".. versionadded:: 8.0"), "Jars are of tin.") is None
    below = text.replace(f"{mark}\n\n", "\n").replace("of tin.", f"of tin.\n\n{mark}\n\nThey are red.")
    assert told(below, "They are red.") is None


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


SHUT = "Until further notice, jar hours have been suspended"
TIMES = f"### When\n\n#### {SHUT}\n\nWeekly.\n"
HOURS = f"# House\n\n## Jar hours\n\nThere are jar hours.\n\n{TIMES}\n## Lids\n\nOf cork.\n"


@pytest.mark.parametrize(
    ("text", "words", "found"),
    [
        (HOURS, "There are jar hours.", [SHUT]),
        (HOURS, "Weekly.", []),
        (HOURS, "Of cork.", []),
        (HOURS.replace("## Jar hours", "## Lamps"), "There are jar hours.", []),
        (HOURS.replace("have been suspended", "are suspended jars").replace("are suspended", "long"), "There are", []),
        (HOURS.replace("### When", "## When").replace("####", "###"), "There are jar hours.", []),
    ],
)
def test_a_heading_within_a_section_says_that_what_it_is_called_by_is_over(
    text: str, words: str, found: list[str]
) -> None:
    places = heading_notices(text, "text/markdown", text.index(words))
    assert [text[slice(*place)].lstrip("# ") for place in places] == found
