from pathlib import Path

import pytest

from quaestor.app import open_home
from quaestor.research.brief.record_items import find_items, is_same_series
from quaestor.research.contracts.brief import Brief

JUNE = "# Committee, 20 June 2022\n\n1. **Cellar.** The cellar may be used in the morning only.\n2. **Jars.** Bought.\n"
MAY = "# Committee, 9 May 2023\n\n1. **Lids.** None.\n2. **Cellar.** Open all day again.\n"
MORNING = "The cellar may be used in the morning only."
LATER = "later: “Cellar. Open all day again.” (Committee, 9 May 2023)"


async def write_and_ask(folder: Path, records: dict[str, str], question: str) -> str | None:
    for name, text in records.items():
        path = folder / "records" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    async with open_home(folder / "home", model="offline", questions=False) as quaestor:
        made = await quaestor.research(question, [folder / "records"])
    assert isinstance(made, Brief)
    return next(one.status for one in made.passages if MORNING in one.context.text)


async def test_an_item_of_minutes_is_shown_with_the_last_one_of_its_label(tmp_path: Path) -> None:
    records = {
        "2022-06-20.md": JUNE,
        "2022-09-12.md": "# Committee, 12 September 2022\n\n1. **Cellar.** Nothing new.\n",
        "2023-05-09.md": MAY,
    }
    assert await write_and_ask(tmp_path, records, "When may one use the cellar in the morning?") == LATER


async def test_a_label_of_what_all_records_are_about_is_not_what_is_asked(tmp_path: Path) -> None:
    records = {"2022-06-20.md": JUNE, "2023-05-09.md": MAY}
    far = "Bees flew over the hills of Harwick, and the sun shone on them. " * 9
    others = {f"note-{number}.md": f"# Note {number}\n\n{far}The cellar has jar {number}.\n" for number in range(25)}
    asked = "When may one use the cellar in the morning?"
    for name, kept, told in (("a", {}, LATER), ("b", others, None)):
        (tmp_path / name).mkdir()
        assert await write_and_ask(tmp_path / name, {**records, **kept}, asked) == told


async def test_an_item_is_shown_with_a_later_one_of_its_label_that_has_the_words_which_are_asked(
    tmp_path: Path,
) -> None:
    ann, bob = ("3. Elections: chair Joan Fry, secretary Ann Lee.", "3. Elections: chair Joan Fry, secretary Bob Ray.")
    none = "3. Elections: chair Kim Poe, treasurer Bob Ray."
    for name, later, told in (("a", bob, True), ("b", none, False)):
        folder = tmp_path / name / "records"
        folder.mkdir(parents=True)
        for year, said in ((2022, ann), (2023, later)):
            (folder / f"{year}-11-16.md").write_text(f"# Meeting, 16 November {year}\n\n1. Jars.\n2. Lids.\n{said}\n")
        async with open_home(tmp_path / f"home-{name}", model="offline", questions=False) as quaestor:
            made = await quaestor.research("Who is the secretary now?", [folder])
        assert isinstance(made, Brief)
        shown = next(one for one in made.passages if "Ann Lee" in one.context.text)
        assert (f"later: “{bob.removeprefix('3. ')}” (Meeting, 16 November 2023)" in (shown.status or "")) is told


async def test_a_later_item_that_holds_a_correction_is_shown_whole(tmp_path: Path) -> None:
    june = JUNE.replace("in the morning only.", "in the morning only. The cellar fee is 200.")
    may = MAY.replace(
        "Open all day again.", "The fee of the cellar in the morning was raised from 200 to 300. New hours."
    )
    records = {"2022-06-20.md": june, "2023-05-09.md": may}
    said = "later: “Cellar. The fee of the cellar in the morning was raised from 200 to 300. New hours.”"

    status = await write_and_ask(tmp_path, records, "What is the fee for the cellar in the morning?")
    assert status == f"{said} (Committee, 9 May 2023)"


async def test_the_last_minutes_are_mostly_a_draft_which_is_said(tmp_path: Path) -> None:
    question = "When may one use the cellar in the morning?"
    named = {"2022-06-20.md": JUNE, "2023-05-09.md": MAY.replace("2023", "2023 (draft)")}
    stated = {"2022-06-20.md": JUNE, "2023-05-09.md": MAY.replace("\n\n", "\n\nStatus: draft\n\n", 1)}

    assert await write_and_ask(tmp_path / "a", named, question) == LATER.replace("2023", "2023 (draft)")
    assert await write_and_ask(tmp_path / "b", stated, question) == LATER.replace("2023", "2023: Status: draft")


@pytest.mark.parametrize(
    ("question", "june", "may", "text"),
    [
        ("When could one use the cellar in the morning in 2022?", "2022-06-20.md", "2023-05-09.md", MAY),
        ("When may one use it in the morning only?", "2022-06-20.md", "2023-05-09.md", MAY),
        ("When may one use the cellar in the morning?", "2022-06-20.md", "2021-05-09.md", MAY),
        ("When may one use the cellar in the morning?", "2022-06-20.md", "guests/2023-05-09.md", MAY),
        (
            "When may one use the cellar in the morning?",
            "2022-06-20.md",
            "guests.md",
            MAY.replace("9 May 2023", "guests"),
        ),
        (
            "When may one use the cellar in the morning?",
            "2022-06-20.md",
            "2023-05-09.md",
            MAY.replace("# ", "# DRAFT: "),
        ),
        (
            "When may one use the cellar in the morning?",
            "2022-06-20.md",
            "2023-05-09.md",
            MAY.replace("# ", "# Youth "),
        ),
        ("When could one use the cellar in the morning in June?", "2022-06-20.md", "2023-05-09.md", MAY),
        (
            "When may one use the cellar in the morning?",
            "2022-06-20-committee.md",
            "2023-05-09-youth.md",
            MAY.replace("# Committee, 9 May 2023", ""),
        ),
    ],
    ids=[
        "of a year",
        "not asked about",
        "earlier",
        "in another folder",
        "without a day",
        "the draft of another series",
        "of another body",
        "of a month",
        "of a file of another body",
    ],
)
async def test_what_is_no_later_item_of_the_series_is_not_shown_with_it(
    tmp_path: Path, question: str, june: str, may: str, text: str
) -> None:
    records = {june: JUNE, may: text.replace("9 May 2023", "9 May 2021") if "2021" in may else text}
    assert "Open all day" not in (await write_and_ask(tmp_path, records, question) or "")


async def test_an_item_is_called_in_capitals_or_before_a_colon_too(tmp_path: Path) -> None:
    records = {
        "2022-06-20.md": JUNE.replace("1. **Cellar.**", "- Old cellar:"),
        "2023-05-09.md": MAY.replace("**Cellar.**", "OLD CELLAR."),
    }
    status = await write_and_ask(tmp_path, records, "When may one use the old cellar in the morning?")
    assert status == LATER.replace("Cellar", "OLD CELLAR")


@pytest.mark.parametrize(
    ("one", "other", "is_one"),
    [
        (("Committee, 3 May 2024, Old Mill", "a"), ("Committee, Wed 12 June 2024, 7 pm", "b"), True),
        (("Protokoll der Versammlung vom 3. Mai 2024", ""), ("PROTOKOLL VERSAMMLUNG 24.11.2023", ""), True),
        (("Building committee, 3 May", ""), ("Committee, 9 May", ""), False),
        (("3 May 2024: Committee", ""), ("9 June 2024: Committee", ""), True),
        (("", "2024-05-03_board"), ("", "2024-06-09_board"), True),
        (("", "2024-05-03_board"), ("", "2024-06-09_youth"), False),
    ],
)
def test_records_of_one_body_are_a_series(one: tuple[str, str], other: tuple[str, str], *, is_one: bool) -> None:
    assert is_same_series(one, other) is is_one


@pytest.mark.parametrize("label", ["Present", "Asisten", "Anwesend"])
async def test_who_was_there_is_told_of_no_later_day(tmp_path: Path, label: str) -> None:
    records = {
        "2022-06-20.md": JUNE.replace("**Cellar.** The", f"**{label}.** Those of the cellar. The"),
        "2023-05-09.md": MAY.replace("Cellar", label),
    }
    asked = f"Which of those {label.casefold()} were of the cellar to be used in the morning?"
    assert "Open all day" not in (await write_and_ask(tmp_path, records, asked) or "")


async def test_of_two_later_records_of_one_day_one_is_shown(tmp_path: Path) -> None:
    records = {"2022-06-20.md": JUNE, "2023-05-09-a.md": MAY, "2023-05-09-b.md": MAY.replace("all day", "at noon")}
    status = await write_and_ask(tmp_path, records, "When may one use the cellar in the morning?")
    assert status
    assert "again" in status


@pytest.mark.parametrize(
    ("item", "label"),
    [
        ("TOP 2 Schlüssel", "TOP 4 Schlüssel"),
        ("2. Schlüssel", "4. Schlüssel"),
        ("## Schlüssel\n", "## 4. Schlüssel\n"),
        ("## TOP 2 Schlüssel\n", "## Schlüssel\n"),
    ],
)
async def test_a_line_or_a_heading_above_it_is_the_label_of_an_item(tmp_path: Path, item: str, label: str) -> None:
    lacking, found = "Zwei Hallenschlüssel fehlen.", "Nr. 7 hat sich gefunden."
    first = f"# Sitzung, 20. Juni 2022\n\n1. Kasse\nDrei Kronen.\n\n{item}\n{lacking}\n"
    last = f"# Sitzung, 9. Mai 2023\n\n2. Dach\nOffen.\n\n{label}\n{found}\n"
    (tmp_path / "records").mkdir()
    (tmp_path / "records" / "2022-06-20.md").write_text(first)
    (tmp_path / "records" / "2023-05-09.md").write_text(last)
    async with open_home(tmp_path / "home", model="offline", questions=False) as quaestor:
        made = await quaestor.research("Welcher Hallenschlüssel fehlt noch?", [tmp_path / "records"])

    assert isinstance(made, Brief)
    [shown] = [one for one in made.passages if one.text == lacking]
    assert (shown.status or "").startswith("später: “")
    assert (shown.status or "").endswith(f"{found}” (Sitzung, 9. Mai 2023)")
    assert "Offen" not in (shown.status or "")


def test_the_items_of_a_section_have_labels_of_their_own() -> None:
    items = "# Sitzung\n\n## Tore\n\n- **Jar.** Offen.\n\n## Lids\n\nNone.\n\n## Chair\n\nAnn.\n"
    assert [one.label for one in find_items(items)] == [("jar",), ("lid",)]
    assert [*find_items("# Tore\n\nOffen.\n")] == []  # the title of all of it
    assert [one.label for one in find_items(items.replace("None.", "None. " * 900))] == [("jar",)]


def test_what_is_the_label_of_several_is_who_speaks() -> None:
    said = "- Ann: the jars are of tin\n- Bo: they are not\n- Ann: they are\n- Jars: to be bought\n"
    text = f"# Call\n\n- Da: Ann, Bo\n{said}"
    assert [one.label for one in find_items(text)] == [("bo",), ("jar",)]


@pytest.mark.parametrize(
    ("shown", "label", "question", "told"),
    [
        ("Cellar", "Cellar key", "When may one use the cellar in the morning?", True),
        ("Cellar key", "Cellar", "When may one use the cellar in the morning?", True),
        ("Cellar 2022", "Cellar", "When may one use the cellar in the morning?", True),
        ("Cellar", "Cellar 2024", "When may one use the cellar in the morning?", False),
        ("Cellar", "Key", "When may one use the cellar in the morning?", False),
        ("Cellar key", "Cellar lamp", "When may one use the cellar in the morning?", False),
        ("Cellar", "Cellar key", "What is open in the morning?", False),
    ],
)
async def test_an_item_is_shown_with_a_later_one_whose_label_has_the_word_that_is_asked_too(
    tmp_path: Path, shown: str, label: str, question: str, told: bool
) -> None:
    june = JUNE.replace("**Cellar.**", f"**{shown}.**")
    may = MAY.replace("**Cellar.** Open all day again.", f"**{label}.** Open all morning.")
    status = await write_and_ask(tmp_path, {"2022-06-20.md": june, "2023-05-09.md": may}, question)
    said = f"later: “{label}. Open all morning.” (Committee, 9 May 2023)"
    assert status == (said if told else None)


async def test_the_heading_of_an_item_with_a_number_is_its_label_whatever_begins_with_words_and_a_colon(
    tmp_path: Path,
) -> None:
    june = f"# Committee, 20 June 2022\n\n## ITEM 1 New cellar\n\nOffer of Bo Lee: 190. {MORNING}\n"
    may = "# Committee, 9 May 2023\n\n## ITEM 2 Lids\n\nNone.\n\n## ITEM 3 Cellar\n\nSecond offer of Ann: 120. Taken.\n"
    records = {"2022-06-20.md": june, "2023-05-09.md": may}
    status = await write_and_ask(tmp_path, records, "Who makes the new cellar?")
    assert status == "later: “Second offer of Ann: 120. Taken.” (Committee, 9 May 2023)"
