"""Whole runs as of a day."""

from pathlib import Path

import pytest

from quaestor.app import open_home
from quaestor.contracts.errors import UsageError
from quaestor.contracts.result import Result

QUESTION = "When was the Aldmouth lighthouse built?"


async def researched(tmp_path: Path, **options: str) -> Result:
    docs = tmp_path / "docs"
    docs.mkdir()
    (docs / "old.txt").write_text("Date: 2020-03-01\n\nThe Aldmouth lighthouse was built in 1831 by Henrike Vos.\n")
    (docs / "new.txt").write_text(
        "Date: 2024-03-01\n\nThe Aldmouth lighthouse was built in 1829, as was found lately.\n"
    )
    (docs / "undated.txt").write_text("The Aldmouth lighthouse was built of granite from the quarry of Esk.\n")
    async with open_home(tmp_path / "home", effort="low", **options) as q:
        return await q.run(await q.start(QUESTION, await q.index([docs])))


async def test_what_is_dated_later_is_not_cited_and_what_has_no_date_is_named(tmp_path: Path) -> None:
    report = (await researched(tmp_path, as_of="2022-01-01")).report
    assert report is not None
    assert not any("1829" in citation.text for citation in report.citations())
    assert {source.uri.rpartition("/")[2] for source in report.sources} <= {"old.txt", "undated.txt"}
    undated = any(source.published is None for source in report.sources)
    assert any("No date is known of undated.txt" in gap for gap in report.gaps) == undated


async def test_without_a_day_everything_is_used_and_no_date_is_missed(tmp_path: Path) -> None:
    report = (await researched(tmp_path)).report
    assert report is not None
    assert any("1829" in citation.text for citation in report.citations())
    assert not any("No date is known" in gap for gap in report.gaps)


async def test_what_is_dated_earlier_is_not_cited_either(tmp_path: Path) -> None:
    report = (await researched(tmp_path, since="2022-01-01")).report
    assert report is not None
    assert {source.uri.rpartition("/")[2] for source in report.sources} <= {"new.txt", "undated.txt"}
    assert any("1829" in citation.text for citation in report.citations())


async def test_days_in_the_wrong_order_are_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no day is from 2024-01-01 to 2022-01-01"):
        await researched(tmp_path, since="2024-01-01", as_of="2022-01-01")
