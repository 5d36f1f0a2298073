from datetime import UTC, datetime
from pathlib import Path

import pytest

from quaestor.app import open_home
from quaestor.contracts.source import Quote, Source
from quaestor.research.brief.told_days import told_days
from quaestor.research.contracts.brief import Brief, BriefPassage
from quaestor.research.contracts.tools import LaterRecords
from quaestor.research.offline.words.question import parse_question
from quaestor.research.reports.fixed_words import report_words

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


def record(day: str) -> Source:
    return Source(
        sha256=day.replace("-", "").ljust(64, "0"),
        title="Meeting",
        uri=f"/talks/{day}.md",
        media_type="text/markdown",
        characters=9,
        retrieved_at=datetime(2026, 1, 1, tzinfo=UTC),
    )


@pytest.mark.parametrize(
    ("unshown", "others", "told"),
    [
        (("2024-01-09", "2024-03-01"), (), "not shown: 1, the last of 2024-03-01 (“2024-03-01.md”)."),
        (("2025-03-01",), ("2024-09-10",), "not shown: 3, the last of 2025-03-01 (“2025-03-01.md”)."),
        (("2024-03-01",), ("2024-09-10",), "not shown: 3, the last of 2024-09-10 (“2024-09-10.md”)."),
        (("2024-01-09",), (), None),
    ],
)
def test_later_documents_that_were_found_and_are_not_shown_are_counted_too(
    unshown: tuple[str, ...], others: tuple[str, ...], told: str | None
) -> None:
    own = record("2024-02-23")
    words = Quote(source=own.sha256, start=0, end=len(KEPT), text=KEPT)
    passage = BriefPassage(number=1, finding="t1/1", part=ASKED, context=words, **words.model_dump())
    later = [LaterRecords(source=own.sha256, number=2, last=f"{one}.md", day=one) for one in others]
    found = told_days(
        parse_question(ASKED),
        [passage],
        {own.sha256: own},
        unshown=[record(day) for day in unshown],
        later=later,
        words=report_words("en"),
    )
    assert [one.partition("that are ")[2] for one in found] == ([told] if told else [])


@pytest.mark.parametrize("said", ["### 3 March 2025\n\n{kept}", "{kept} On 3 March 2025 it was full."])
async def test_of_a_passage_that_names_a_later_day_none_is_called_the_latest(tmp_path: Path, said: str) -> None:
    folder = written(tmp_path / "cellar", "2025-01-07.md")
    for name, text in (("a", "{kept}"), ("b", said)):
        (folder / "2024-06-29.md").write_text(
            f"# Meeting\n\n{text.format(kept='Nineteen jars of honey are in the cellar.')}\n"
        )
        async with open_home(tmp_path / f"home-{name}", model="offline", questions=False) as quaestor:
            made = await quaestor.research("How many jars of honey are kept in the cellar now?", [folder])
        assert isinstance(made, Brief)
        assert any("The latest of those" in one for one in made.gaps) == (name == "a")


async def test_a_later_document_that_is_told_of_below_the_passages_is_not_counted(tmp_path: Path) -> None:
    folder = tmp_path / "talks"
    folder.mkdir()
    hedge = "The hedge of the orchard is cut by Corkfit of Stonebridge with the ladder."
    change = "Corkfit of Stonebridge, hedge and ladder: the contract has been extended by three gates."
    green = "The hedge of the orchard is green."
    (folder / "2025-02-23.md").write_text(f"# Garden\n\n{hedge}\n")
    (folder / "2025-06-03.md").write_text(f"# News of 3 June 2025\n\nThe mill is open. {change}\n")
    (folder / "2025-06-10.md").write_text(f"# News of 10 June 2025\n\n{green}\n")
    for number in range(20):
        (folder / f"note-{number}.md").write_text(f"# Note {number}\n\nJars of kind {number} are kept in the mill.\n")
    for name, others in (("a", ()), ("b", ("2025-07-01",))):
        for other in others:
            (folder / f"{other}.md").write_text("# Talk\n\nThe songs were loud.\n")
        async with open_home(tmp_path / f"home-{name}", model="offline", questions=False) as quaestor:
            made = await quaestor.research("Who cuts the hedge of the orchard?", [folder])
        assert isinstance(made, Brief)
        assert [one.said.text for one in made.changes] == [green]
        told = [one for one in made.gaps if "Later documents" in one]
        assert [one.partition("not shown: ")[2] for one in told] == [
            f"1, the last of {other} (“{other}.md”)." for other in others
        ]
