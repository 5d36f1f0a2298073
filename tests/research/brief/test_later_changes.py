import pytest

from quaestor.research.brief.later_changes import later_changes
from quaestor.research.brief.marked_sentence import MarkedSentence

OLDEST = "Lids 3.8 are the oldest lids supported."
LIMIT = "The jar limit is now 60 grams."


def changes(newer: str, marked: str, heading: str = "3.0.0 (2025-02-10)", own: str = "2.6.0 (2024-11-02)") -> list[str]:
    text = f"# Changes\n\n## {heading}\n\n- Songs.\n{newer}\n\n## {own}\n\n- {marked}\n"
    about = MarkedSentence(text=marked, heading=f"Changes > {own}", title="Changes", days=())
    places = later_changes(text, "text/markdown", text.rindex(marked), about)
    return [text[start:end] for start, end in places]


@pytest.mark.parametrize(
    ("entry", "marked", "is_found"),
    [
        ("Removed: support for lids 3.8.", OLDEST, True),
        ("Entfernt: support for lids 3.8.", OLDEST, True),
        ("Reverted: the jar limit is 30 grams again. It broke.", LIMIT, True),
        ("Revert: support for the oldest lids", "Mark support for the oldest lids as safe.", True),
        ("Revert: support for the oldest boats", "Mark support for the oldest lids as safe.", False),
        ("Support for the oldest lids is now", "Mark support for the oldest lids as safe.", False),
        ("The jar limit is now 90 grams.", LIMIT, True),
        ("The oldest lids 3.8 have been deleted. By Ann.", OLDEST, True),
        ("The oldest lids 3.7 have been deleted. By Ann.", OLDEST, False),
        ("Added: support for lids 3.8.", OLDEST, False),
        ("Removed: support for lids 3.7.", OLDEST, False),
        ("Removed: support for boats 3.8.", OLDEST, False),
        ("Reverted: the boat limit is 30 grams again.", LIMIT, False),
        ("The jar limit is checked.", LIMIT, False),
        ("The jar is now blue.", LIMIT, False),
        ("Now ([#45](https://a.example/jar/45))", "Jars hold 60 grams ([#12](https://a.example/jar/12))", False),
        ("Now https://a.example/jar/45", "Jars hold 60 grams, https://a.example/jar/12", False),
    ],
)
def test_an_entry_of_a_later_release_takes_back_what_has_all_its_words(
    entry: str, marked: str, *, is_found: bool
) -> None:
    assert changes(f"- {entry}", marked) == ([entry] if is_found else [])


FLAG = "`print`'s `--explicit` flag now implies `--lots`, so that all lots are shown."


@pytest.mark.parametrize(
    ("entry", "is_found"),
    [
        ("The two flags are decoupled again (`--explicit` no\n  longer implies `--lots`).", True),
        ("`--explicit` impliziert `--lots` nicht mehr", False),
        ("`--explicit` no longer implies `--jars`.", False),
        ("`--explicit` no longer implies `--lot`.", False),
        ("`--explicit` no longer hides `--lots`.", False),
        ("The flag no longer implies lots.", False),
        ("`--explicit` implies `--lots`.", False),
    ],
)
def test_a_clause_of_a_later_entry_denies_what_is_told_of_code(entry: str, *, is_found: bool) -> None:
    assert changes(f"- {entry}", FLAG) == ([entry] if is_found else [])


def test_what_stands_below_the_word_for_it_was_removed() -> None:
    assert changes("\n### Removed\n\n- Support for lids 3.8.", OLDEST) == ["Support for lids 3.8."]
    assert changes("\n### Added\n\n- Support for lids 3.8.", OLDEST) == []


@pytest.mark.parametrize(
    ("heading", "own", "is_found"),
    [
        ("Version 2.10", "Version 2.9", True),
        ("6 June 2025", "2 May 2025", True),
        ("3.0.0", "2.6.0 (2024-11-02)", True),
        ("Version 2.9", "Version 2.10", False),
        ("2.5.9 (2025-02-10)", "2.6.0 (2024-11-02)", False),
        ("Unreleased", "2.6.0", False),
        ("3.2 Lids", "3.1 Jars", False),
        ("News", "Songs", False),
        ("Lids 3.1.x", "Lids 2.9.x", True),
        ("Lids 2.9.x", "Lids 3.1.x", False),
    ],
)
def test_only_what_is_later_by_its_heading_takes_something_back(heading: str, own: str, *, is_found: bool) -> None:
    assert bool(changes("- Removed: support for lids 3.8.", OLDEST, heading, own)) is is_found


def test_a_day_in_what_introduces_a_list_makes_it_no_list_of_changes() -> None:
    text = "# Rules\n\nSince 1 June 2025 these hold:\n\n- The lid is shut by noon.\n"
    marked = "The lid is shut by noon."
    about = MarkedSentence(text=marked, heading="Rules > Since 1 June 2025 these hold:", title="Rules", days=())
    assert list(later_changes(text, "text/markdown", text.index(marked), about)) == []
