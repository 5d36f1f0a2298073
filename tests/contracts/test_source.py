from datetime import UTC, datetime

import pytest

from quaestor.contracts.source import Source


def source(*pages: int) -> Source:
    return Source(
        sha256="0" * 64,
        title="",
        uri="a.pdf",
        media_type="application/pdf",
        characters=30,
        retrieved_at=datetime(2026, 1, 1, tzinfo=UTC),
        pages=pages,
    )


@pytest.mark.parametrize(("place", "page"), [(0, 1), (9, 1), (10, 2), (19, 2), (20, 4), (29, 4)])
def test_a_character_stands_on_a_page(place: int, page: int) -> None:
    assert source(0, 10, 20, 20).page(place) == page


def test_what_has_no_pages_names_none() -> None:
    assert source().page(5) is None
