from collections.abc import Sequence
from datetime import UTC, date, datetime

import pytest

from quaestor.contracts.source import Source
from quaestor.research.reports.fixed_words import report_words
from quaestor.research.views.source_names import source_names


def named(*documents: tuple[str, str], published: date | None = None) -> list[str]:
    sources = [
        Source(
            sha256=f"{number:064x}",
            title=title,
            uri=uri,
            media_type="text/plain",
            characters=1,
            retrieved_at=datetime(2026, 5, 4, tzinfo=UTC),
            published=published,
        )
        for number, (title, uri) in enumerate(documents)
    ]
    return list(source_names(sources, report_words("en")).values())


@pytest.mark.parametrize(
    ("uris", "name"),
    [
        (["/d/lid.txt"], "Jars"),
        (["/d/lid.txt", "/d/jar.txt"], "Jars (lid.txt)"),
        (["/d/lid.txt", "/d/jar.txt", "/e/lid.txt"], "Jars (d/lid.txt)"),
        (["/d/lid.txt", "/c/d/lid.txt"], "Jars (/d/lid.txt)"),
    ],
)
def test_of_documents_with_one_title_each_has_as_much_of_its_path_as_tells_it_apart(
    uris: Sequence[str], name: str
) -> None:
    assert named(*(("Jars", uri) for uri in uris))[0] == name


def test_a_document_is_named_with_its_date() -> None:
    assert named(("Jars", "/d/lid.txt"), published=date(2024, 6, 1)) == ["Jars, dated 2024-06-01"]
    assert named(("Jars, 2024-06-01", "/d/lid.txt"), published=date(2024, 6, 1)) == ["Jars, 2024-06-01"]


@pytest.mark.parametrize(
    ("title", "file", "name"),
    [
        ("Prices", "prices-2024.md", "Prices (prices-2024.md)"),
        ("Prices", "20240601-prices.md", "Prices (20240601-prices.md)"),
        ("Prices of 2024", "prices-2024.md", "Prices of 2024"),
        ("Prices", "pep-0204.md", "Prices"),
        ("Prices", "20245.md", "Prices"),
        ("", "prices-2024.md", "/d/prices-2024.md"),
    ],
)
def test_a_document_without_a_date_is_named_with_a_file_that_tells_a_year(title: str, file: str, name: str) -> None:
    assert named((title, f"/d/{file}")) == [name]
