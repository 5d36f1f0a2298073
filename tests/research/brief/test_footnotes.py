import pytest

from quaestor.research.brief.footnotes import footnotes

SAID = "The tablet is in error as to the year, which should be 1721."


def told(text: str, sentence: str) -> list[str]:
    start = text.index(sentence)
    return [text[slice(*place)] for place in footnotes(text, start, start + len(sentence))]


@pytest.mark.parametrize(
    ("reference", "note"),
    [
        ("[^1]", f"[^1]: {SAID}"),
        ("[^tablet]", f"[^tablet]: {SAID}"),
        (" [1]_", f".. [1] {SAID}"),
        ("[#a]_", f".. [#a] {SAID}"),
    ],
)
def test_what_a_footnote_says_belongs_to_the_sentence_with_its_reference(reference: str, note: str) -> None:
    died = "He died in 1723."
    behind = f"# Ann\n\nHe was a mate. {died}{reference} He was 47.\n\n{note}\n\n[^2]: {SAID.upper()}\n"
    within = behind.replace(f"{died}{reference}", f"He died{reference} in 1723.")

    assert told(behind, died) == [SAID]
    assert told(within, f"He died{reference} in 1723.") == [SAID]
    assert told(behind, "He was a mate.") == told(behind, "He was 47.") == []


def test_a_footnote_of_several_lines_is_told_whole_and_one_that_names_a_source_is_not() -> None:
    text = "He died in 1723.[^1][^2][^3]\n\n[^1]: The stone tablet is in error,\n    as to the year of it.\n[^2]: <https://a.example/b/c/d/e>\n"
    assert told(text, "He died in 1723.") == ["The stone tablet is in error,\n    as to the year of it."]
