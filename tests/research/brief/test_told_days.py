from pathlib import Path

import pytest

from quaestor.app import open_home
from quaestor.research.contracts.brief import Brief

KEPT = "Seventeen jars of honey are kept in the cellar."
ASKED = "How many jars of honey are kept in the cellar?"


def written(place: Path, *later: str, first: str = "2024-02-23.md") -> Path:
    """Write a record of a day, and others that tell of something else."""
    (place / first).parent.mkdir(parents=True)
    (place / first).write_text(f"# Meeting\n\n{KEPT}\n")
    for name in later:
        (place / name).parent.mkdir(parents=True, exist_ok=True)
        (place / name).write_text(f"# Talk\n\nThe songs of {name} were loud.\n")
    return place


async def older_than(folder: Path, question: str = ASKED, as_of: str | None = None) -> list[str]:
    """Return what a brief tells of documents of later days."""
    home = folder.parent / f"home-{folder.name}"
    async with open_home(home, model="offline", questions=False, as_of=as_of) as quaestor:
        made = await quaestor.research(question, [folder])
    assert isinstance(made, Brief)
    assert made.passages[0].text == KEPT
    return [one for one in made.gaps if "Later documents" in one]


async def test_a_passage_of_a_day_is_told_to_be_older_than_documents_that_are_not_shown(tmp_path: Path) -> None:
    folder = written(tmp_path / "talks", "2024-01-09.md", "minutes-2024-09-10.md", "2025-02-28-songs/README.md", "x.md")
    (folder / "photo-2025-03-01.md").write_bytes(b"\x00\x01\x02")  # it has no words
    [told] = await older_than(folder)
    assert told.startswith("[1] is of 2024-02-23. Later documents, by the day in their names, that are not shown: 2,")
    assert told.endswith("the last of 2025-02-28 (“2025-02-28-songs/README.md”).")
    assert await older_than(folder, as_of="2024-12-31") == []  # what is later than that is not to be known


async def test_the_last_document_and_one_of_no_day_are_told_to_be_older_than_none(tmp_path: Path) -> None:
    assert await older_than(written(tmp_path / "last", "2024-02-22.md", "2024-02-23-b.md")) == []
    assert await older_than(written(tmp_path / "undated", "2025-02-28.md", first="jars.md")) == []


@pytest.mark.parametrize(
    "asked",
    [
        "When are seventeen jars of honey kept in the cellar?",
        "How many jars of honey were kept in the cellar on 23 February 2024?",
        "How many jars of honey were kept in the cellar?",
        "How many jars of honey are kept in the cellar in 2023?",
    ],
)
async def test_what_was_so_at_a_time_no_later_document_changes(tmp_path: Path, asked: str) -> None:
    assert await older_than(written(tmp_path / "then", "2025-02-28.md"), asked) == []


async def test_the_first_passage_of_a_day_is_the_one_that_is_old(tmp_path: Path) -> None:
    folder = written(tmp_path / "rules", "2025-02-28.md", first="rules.md")
    (folder / "2024-01-09.md").write_text("# Meeting\n\nThe jars of honey in the cellar are seventeen or more.\n")
    assert [one.split(". ")[0] for one in await older_than(folder)] == ["[2] is of 2024-01-09"]


async def test_later_documents_that_are_shown_are_not_told_again(tmp_path: Path) -> None:
    folder = written(tmp_path / "shown", "2025-01-07.md")
    (folder / "2025-02-28.md").write_text("# Meeting\n\nThe jars in the cellar are of glass, and honey is in them.\n")
    [told] = await older_than(folder)
    assert told.endswith("that are not shown: 1, the last of 2025-01-07 (“2025-01-07.md”).")
    (folder / "2025-01-07.md").unlink()
    assert await older_than(folder) == []
