from pathlib import PurePath

import pytest

from quaestor.research.offline.fields.editions import (
    earlier_editions,
    earlier_files,
    find_newer,
    named_year,
    names_edition,
)


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


@pytest.mark.parametrize(
    ("name", "other", "is_earlier"),
    [
        ("Work instruction (version 6, 2023-01-16)", "Work instruction (version 7, 2025-03-03)", True),
        ("Fares 2022", "Fares 2024", True),
        ("Guide v2.9", "Guide v2.10", True),
        ("Sitzung vom 7. Oktober 2024", "Sitzung vom 4. November 2024", False),
        ("Work instruction (version 7, 2023-01-16)", "Work instruction (version 6, 2025-03-03)", False),
        ("Fares 2022", "Rules 2024", False),
        ("Fares", "Fares 2024", False),
        ("2022", "2024", False),
        ("Step 1", "Step 2", False),
    ],
)
def test_a_document_is_earlier_than_one_whose_name_has_a_later_version_or_year(
    name: str, other: str, *, is_earlier: bool
) -> None:
    assert earlier_editions({"a": name, "b": other}) == ({"a"} if is_earlier else set())


def test_a_text_may_name_an_edition() -> None:
    named = ["What does version 6 say?", "What was paid in 2022?", "How long is it boiled?"]
    assert [names_edition(text) for text in named] == [True, True, False]


@pytest.mark.parametrize(
    ("title", "path", "is_earlier"),
    [
        ("Fees (valid from 1 August 2021)", "club/fees-2021.md", True),
        ("Fees", "club/fees_2021.md", True),
        ("Fees", "other/fees-2021.md", False),
        ("Fees", "club/rules-2021.md", False),
        ("Fees", "club/fees-2025.md", False),
        ("Meeting of 3 May 2021", "club/fees-2021.md", False),
        ("Fees as of 3 May 2021", "club/fees-2021.md", True),
        ("Beiträge, Stand 3. Mai 2021", "club/fees-2021.md", True),
    ],
)
def test_a_file_beside_one_that_is_called_so_with_a_later_year_is_earlier_but_no_record(
    title: str, path: str, *, is_earlier: bool
) -> None:
    documents = {"this": (title, PurePath(path)), "other": ("What members pay", PurePath("club/fees-2024.md"))}
    assert ("this" in earlier_files(documents)) == is_earlier


@pytest.mark.parametrize(
    ("stem", "other", "is_earlier"),
    [
        ("cast_v1", "cast_v2", True),
        ("cast-v1", "cast-v2_FINAL", True),
        ("cast rev 1", "cast rev 2", True),
        ("cast_v2", "cast_v1", False),
        ("cast_v1", "props_v2", False),
        ("cast_v1_2024", "cast_v2_2025", True),
        ("cast_v1_2025", "cast_v2_2024", False),
        ("cast_v1_of_all", "cast_v2_of_all", False),
        ("cast-2024-v1", "cast-2024-v2", True),
        ("cast-2025-v1", "cast-2024-v2", False),
        ("notes-v1.2", "notes-v1.3", False),
        ("act1", "act2", False),
    ],
)
def test_a_file_that_is_called_so_with_a_later_version_at_its_end_is_later(
    stem: str, other: str, *, is_earlier: bool
) -> None:
    documents = {"this": ("Cast", PurePath(f"play/{stem}.csv")), "other": ("Cast", PurePath(f"play/{other}.csv"))}
    assert ("this" in earlier_files(documents)) == is_earlier
