"""A date that another sentence takes back is no direct answer; one beside other dates of the same thing is."""

from pathlib import Path

import pytest

from quaestor.app import open_home
from quaestor.research.brief.disputed_dates import asked_event, disputes_date, is_remark
from quaestor.research.contracts.brief import Brief
from quaestor.research.offline.words.dates import find_dates


def disputed(
    sentence: str, said: str = "1866", asked: str = "When was the mill built?", title: str = "A history"
) -> bool:
    """Return whether a sentence of the same document disputes a date."""
    return disputes_date(sentence, find_dates(said)[0], asked_event(asked), title, is_beside=True)


@pytest.mark.parametrize(
    "sentence",
    [
        "1866 is wrong, the contract is of 1868.",
        "Page 2: for 1866 read 1867.",
        "The mill can't be older than 1869.",
        "The mill was not built before 1869.",
        "The mill has stood there since 1849.",
        "The mill had to go in 1901 and was put up again in 1902.",
        "Correction: the mill is two years older than stated.",
    ],
)
def test_a_sentence_that_corrects_denies_or_dates_the_same_otherwise_disputes_a_date(sentence: str) -> None:
    assert disputed(sentence)


@pytest.mark.parametrize(
    "sentence",
    [
        "The mill was painted in 1901.",
        "The mill had no wheel until 1901.",
        "The mill has had a cellar since 1901.",
        "The barn is not older than 1869.",
        "In 1901 the mill burned, but was saved.",
        "Correction: the barn is two years older than stated.",
        "The survey of the barn has two errors.",
        "The mill reports an error when its wheel stops.",
    ],
)
def test_what_is_told_of_other_times_and_things_disputes_no_date(sentence: str) -> None:
    assert not disputed(sentence)


def test_another_document_corrects_one_by_its_name_and_a_document_itself_by_the_thing_or_the_year() -> None:
    event, said = asked_event("When was the mill built?"), find_dates("1866")[0]
    for sentence, elsewhere in (("Our history has two errors.", True), ("Our leaflet has two errors.", False)):
        assert disputes_date(sentence, said, event, "A history", is_beside=False) is elsewhere
        assert not disputes_date(sentence, said, event, "A history", is_beside=True)
    assert not disputed("The check of this history: 1902 is wrong, the church is of 1903.")


def test_a_day_that_is_denied_is_disputed_without_its_year() -> None:
    asked = "When was the café opened?"
    assert disputed("The café was opened on 3 June, not on 3 July.", "3 July 2023", asked)
    assert not disputed("The café was opened on 3 July by the mayor.", "3 July 2023", asked)
    assert not disputed("Nobody may end the lease, but not before 3 July 2026.", "3 July 2023", asked)
    assert disputed("Page 2: for 2023 read 2022.", "3 July 2023", asked)


@pytest.mark.parametrize(
    ("sentence", "is_one"),
    [
        ("Correction: 1871.", True),
        ("(Note by Ann: wrong, the permit is of 1868!)", True),
        ("(It is of brick.)", False),
        ("Architect: Ann Lee.", False),
        ("The barn was built in 1868.", False),
    ],
)
def test_a_remark_in_brackets_or_with_a_label_takes_a_date_back_with_another_one(sentence: str, is_one: bool) -> None:
    assert is_remark(sentence, find_dates("1866")[0]) is is_one


@pytest.mark.parametrize(
    ("told", "other", "asked", "answer"),
    [
        ("The mill was built in 1866.", "The mill was painted in 1901.", "When was the mill built?", "1866"),
        ("The mill fair was on 3 May 2025.", "The mill fair is put off to 17 May.", "When was the mill fair?", None),
        ("The mill fair was on 3 May 2025.", "The mill is shut on 17 May.", "When was the mill fair?", "3 May 2025"),
        ("The mill was built in 1866.", "The mill cannot be older than 1869.", "When was the mill built?", None),
        ("The mill was built in 1866.", "Our history of the valley has an error.", "When was the mill built?", None),
        ("The mill was built in 1866. Correction: 1868.", "Nothing else.", "When was the mill built?", None),
        ("> The mill was built in 1866.\n\nNot quite.", "Nothing else.", "When was the mill built?", None),
        (
            "Die Mühle wurde 1866 gebaut. Die Scheune ist alt. Nach anderen Quellen war der Bau ein Jahr später.",
            "Nichts weiter.",
            "Wann wurde die Mühle gebaut?",
            None,
        ),
        (
            "Die Mühle wurde 1866 gebaut.",
            "Laut Grundbuch steht die Mühle seit 1849.",
            "Wann wurde die Mühle gebaut?",
            None,
        ),
        ("Die Mühle wurde 1866 gebaut.", "Die Mühle wurde 1901 gestrichen.", "Wann wurde die Mühle gebaut?", "1866"),
        (
            "The mill was built in 1866.",
            "The mill is of 1866, they say. The beam has 1868.",
            "When was the mill built?",
            None,
        ),
        (
            "The mill was built in 1866.",
            "We wrote 1866 for the mill, and a beam has 1686.",
            "When was the mill built?",
            None,
        ),
        (
            "The mill was built in 1866.",
            "The mill was built in 1866. In 1901 it was painted.",
            "When was the mill built?",
            "1866",
        ),
        ("The mill was built in 1866. It burned in 1901.", "The mill is red.", "When was the mill built?", "1866"),
        ("The mill was built in 1866.", "Our mill turns 150 this year (2014).", "When was the mill built?", None),
        ("The mill was built in 1866.", "In 2016 the mill turned 150.", "When was the mill built?", "1866"),
        ("The mill was built in 1866.", "In 2014 the mill ground 150 sacks.", "When was the mill built?", "1866"),
        ("The mill was sold in 1866.", "The sale of the mill fell through.", "When was the mill sold?", None),
        ("The mill was sold in 1866.", "The sale of the barn fell through.", "When was the mill sold?", "1866"),
        (
            "## Quiz: true or false?\n\n- The mill was built in 1866.\n- It is red.",
            "No.",
            "When was the mill built?",
            None,
        ),
        ("## Is the mill old?\n\nThe mill was built in 1866.", "No.", "When was the mill built?", "1866"),
        ("## Dates still to check\n\nThe mill was built in 1866.", "No.", "When was the mill built?", None),
        ("## What might have been\n\nThe mill was built in 1866.", "No.", "When was the mill built?", None),
        ("## The story of stone\n\nThe mill was built in 1866.", "No.", "When was the mill built?", "1866"),
        ("The mill was built in 1866. The plan, at least.", "No.", "When was the mill built?", None),
        ("The mill was built in 1866 (see the card, which is glued).", "No.", "When was the mill built?", None),
        ("The mill was built in 1866 (by Bo Ek).", "No.", "When was the mill built?", "1866"),
        ("The mill was built in 1866.", "The mill was built by the squire.", "When was the mill built?", None),
        ("The mill was built in 1866.", "Work at the mill began in 1869.", "When was the mill built?", None),
        ("The mill was built in 1866, others say a year later.", "No.", "When was the mill built?", None),
        ("The mill was built in about 1866.", "No.", "When was the mill built?", None),
        ("The mill was built in 1866.", "The plan of the mill is of the year after.", "When was the mill built?", None),
        ("The mill was built in 1866.", "The barn is of the year after.", "When was the mill built?", "1866"),
        (
            "The mill was sold to the town in 1866.",
            "The deed of the town: the year after.",
            "When was the mill sold to the town?",
            None,
        ),
    ],
)
async def test_a_date_is_answered_unless_some_document_disputes_it(
    tmp_path: Path, told: str, other: str, asked: str, answer: str | None
) -> None:
    folder = tmp_path / "valley"
    folder.mkdir()
    (folder / "history.md").write_text(f"# A history of the valley\n\n{told}\n")
    (folder / "letter.txt").write_text(f"Dear Bo,\n\n{other}\n\nYours, Ann\n")
    async with open_home(tmp_path / "home", model="offline", questions=False) as quaestor:
        made = await quaestor.research(asked, [folder])

    assert isinstance(made, Brief)
    assert made.answer == answer


@pytest.mark.parametrize(
    ("other", "asked", "answer"),
    [
        ("# Upper Mill\n\nIn May a lamp was built into the mill.\n", "When was the mill built?", None),
        ("# Upper Mill\n\nThe mill has two wheels.\n", "When was the mill built?", None),
        ("# Walks\n\n## Upper Mill\n\nThe mill has two wheels.\n", "When was the mill built?", None),
        ("# Upper Mill\n\nIn May a lamp was built into the mill.\n", "When was the Harbour Mill built?", "1866"),
        ("# Minutes of the Harbour Mill\n\nWhat was built is red.\n", "When was the mill built?", "1866"),
        ("# A walk to the mill\n\nWhat was built is red.\n", "When was the mill built?", "1866"),
        ("# The best of the Harbour Mill\n\n## Mill\n\nThe mill is red.\n", "When was the mill built?", "1866"),
        ("# Upper Barn\n\nIn May a lamp was built into the mill.\n", "When was the mill built?", "1866"),
        ("# List\n\n| Mill | Built |\n|---|---|\n| A | 1866 |\n| B | 1901 |\n", "When was the mill built?", None),
        ("# List\n\n| Mill | Painted |\n|---|---|\n| A | 1899 |\n| B | 1901 |\n", "When was the mill built?", "1866"),
    ],
)
async def test_the_date_of_one_of_several_is_not_that_of_what_they_all_are(
    tmp_path: Path, other: str, asked: str, answer: str | None
) -> None:
    folder = tmp_path / "valley"
    folder.mkdir()
    told = "The Harbour Mill was built in 1866." if "Harbour" in asked else "The mill was built in 1866."
    (folder / "harbour.md").write_text(f"# Harbour Mill\n\n{told} It has one wheel.\n")
    (folder / "other.md").write_text(other)
    async with open_home(tmp_path / "home", model="offline", questions=False) as quaestor:
        made = await quaestor.research(asked, [folder])

    assert isinstance(made, Brief)
    assert made.answer == answer


async def test_german_names_of_several_end_in_what_they_are(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("# Hafenmuseum\n\nDas Museum wurde 1952 eröffnet.\n")
    async with open_home(tmp_path / "home", model="offline", questions=False) as quaestor:
        alone = await quaestor.research("Wann wurde das Museum eröffnet?", [tmp_path / "a.md"])
        (tmp_path / "b.md").write_text("# Glasmuseum\n\nDas Museum hat drei Räume, die im Mai eröffnet werden.\n")
        beside = await quaestor.research("Wann wurde das Museum eröffnet?", [tmp_path / "a.md", tmp_path / "b.md"])

    assert isinstance(alone, Brief)
    assert isinstance(beside, Brief)
    assert (alone.answer, beside.answer) == ("1952", None)
