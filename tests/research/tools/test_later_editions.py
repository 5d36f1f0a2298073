from pathlib import Path

import pytest

from quaestor.app import open_home
from quaestor.research.contracts.brief import Brief

HEAD = "# Timetable {years}\n\n| Group | Day | Time | Coach |\n|---|---|---|---|\n"
OLD = f"{HEAD}| Juniors | Monday | 17:00 | Max Hall |\n"
NEW = OLD.replace("Monday | 17:00 | Max Hall", "Thursday | 16:30 | Ida Moss")
JUNIORS = "When do the juniors train?"
THURSDAY = "later: “Juniors | Thursday | 16:30 | Ida Moss” ({name})"


async def status_of(folder: Path, files: dict[str, str], question: str, words: str) -> str | None:
    """Return the status of the passage with these words, where a brief on the files answers a question."""
    for name, text in files.items():
        path = folder / "club" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    async with open_home(folder / "home", model="offline", questions=False) as quaestor:
        made = await quaestor.research(question, [folder / "club"])
    assert isinstance(made, Brief)
    return next(one.status for one in made.passages if words in one.context.text)


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("times_2023-2024.md", "times_2024-2025.md", "times_2024-2025.md"),
        ("times_2023-24.md", "times_2024-25.md", "times_2024-25.md"),
        ("2023/times.md", "2024/times.md", "2024/times.md"),
        ("times 2023.md", "times 2024.md", "times 2024.md"),
        ("times_2024-2025.md", "times_2023-2024.md", None),
        ("times_2023.md", "plan_2024.md", None),
        ("a/times_2023.md", "b/times_2024.md", None),
        ("times_2023-05.md", "times_2023-06.md", None),
    ],
)
async def test_a_row_stands_beside_that_of_the_file_which_is_called_so_with_later_years(
    tmp_path: Path, old: str, new: str, told: str | None
) -> None:
    files = {old: OLD.format(years="A"), new: NEW.format(years="B")}
    status = await status_of(tmp_path, files, JUNIORS, "Max Hall")
    assert status == (THURSDAY.format(name=told) if told else None)


async def test_of_several_later_files_the_last_is_told(tmp_path: Path) -> None:
    files = {
        f"times_{year}.md": NEW.format(years=year).replace("Thursday", day)
        for year, day in ((2024, "Friday"), (2026, "Thursday"), (2025, "Sunday"))
    }
    files["times_2023.md"] = OLD.format(years="A")
    assert await status_of(tmp_path, files, JUNIORS, "Max Hall") == THURSDAY.format(name="times_2026.md")


async def test_a_question_that_names_a_year_asks_for_what_was_so_then(tmp_path: Path) -> None:
    files = {"times_2023.md": OLD.format(years="2023"), "times_2024.md": NEW.format(years="2024")}
    assert await status_of(tmp_path, files, "When did the juniors train in 2023?", "Max Hall") is None


async def test_a_row_that_a_later_file_has_no_more_stands_beside_the_title_of_that_file(tmp_path: Path) -> None:
    files = {
        "times_2023.md": OLD.format(years="2023"),
        "times_2024.md": NEW.format(years="2024").replace("Juniors", "Men"),
    }
    status = await status_of(tmp_path, files, "When do the juniors train?", "Max Hall")
    assert status == "later: “Timetable 2024” (times_2024.md)"


async def test_a_later_list_that_replaces_others_is_told_though_it_has_no_word_of_it(tmp_path: Path) -> None:
    old = "# List\n\nLift, call Max Hall: 31.\n"
    for name, title in (("a", "List as of 3 May 2024, replaces all others"), ("b", "List as of 3 May 2024")):
        folder = tmp_path / name
        folder.mkdir()
        files = {"list_2023.md": old, "list_2024.md": f"# {title}\n\nLadder: call Ann Lee.\n"}
        status = await status_of(folder, files, "Whom do I call about the lift?", "Max Hall")
        assert status == (f"later: “{title}” (list_2024.md)" if name == "a" else None)


async def test_of_a_later_report_that_does_not_speak_of_it_nothing_is_told(tmp_path: Path) -> None:
    closed = "# Report {year}\n\nThe hall was closed in May for new windows.\n"
    dance = "# Report 2024\n\nA dance was held by the {what} in May.\n"
    for name, what in (("a", "club"), ("b", "closed hall windows")):
        folder = tmp_path / name
        folder.mkdir()
        files = {"report_2023.md": closed.format(year=2023), "report_2024.md": dance.format(what=what)}
        status = await status_of(folder, files, "Why was the hall closed for windows?", "new windows")
        told = f"later: “A dance was held by the {what} in May.” (report_2024.md)" if name == "b" else None
        assert status == told


OLD_RULES = "# Rules {year}\n\n{label}A member may leave the club at any time.\n\nLids are blue.\n"
NEW_RULES = "# Rules {year}\n\nLids are red.\n\n{label}It is written to Ann Lee by July.{more}\n"
LATER = "later: “{label}It is written to Ann Lee by July.” (rules_2025.md)"


@pytest.mark.parametrize(
    ("old", "new", "more", "told"),
    [
        (
            "Art. 3 \u2013 Resignation. ",
            "Art. 4 \u2013 Resignation. ",
            "",
            LATER.format(label="Art. 4 \u2013 Resignation. "),
        ),
        ("**3. Resignation:** ", "**3. Resignation:** ", "", LATER.format(label="3. Resignation: ")),
        (
            "3. Resignation: ",
            "Resignation: ",
            f" It is long{', and long' * 40}.",
            LATER.format(label="Resignation: "),
        ),
        (
            "## 3. Resignation\n\n",
            "## 4. Resignation\n\n",
            " A card is kept.",
            LATER.format(label="").replace("July.", "July. A card is kept."),
        ),
        (
            "Art. 3 \u2013 Resignation. ",
            "**Art. 4 \u2013 Resignation.** ",
            "",
            LATER.format(label="Art. 4 \u2013 Resignation. "),
        ),
        ("## 3. Resignation\n\n", "## 4. Resignation\n\n", " The cards of all are kept." * 40, None),
        ("Art. 3 \u2013 Resignation. ", "Art. 3 \u2013 Keys. ", "", None),
        ("Art. 3. ", "Art. 3. ", "", None),
        ("Notice 2024: ", "Notice 2025: ", "", LATER.format(label="Notice 2025: ")),
        ("Notice 2024: ", "Notice 2025: ", "\n\nNotice 2026: None may.", None),
        ("Resignation: ", "Resignation: ", "\n\nResignation: None may.", None),
        ("", "", "", None),
    ],
)
async def test_what_has_the_same_label_or_heading_there_is_told_though_no_word_is_the_same(
    tmp_path: Path, old: str, new: str, more: str, told: str | None
) -> None:
    files = {
        "rules_2024.md": OLD_RULES.format(year=2024, label=old),
        "rules_2025.md": NEW_RULES.format(year=2025, label=new, more=more),
    }
    status = await status_of(tmp_path, files, "When may a member leave the club?", "at any time")
    assert status == told


async def test_a_longer_row_than_a_line_can_be_tells_of_all_and_sundry(tmp_path: Path) -> None:
    old = "# Plan\n\nThe juniors train in the hall.\n"
    new = "# Plan\n\n| Club | Of |\n|---|---|\n| Juniors of the hall | {more} train |\n"
    for name, more in (("short", "All"), ("long", "All " * 120)):
        files = {"plan_2024.md": old, "plan_2025.md": new.format(more=more)}
        status = await status_of(tmp_path / name, files, "Where do the juniors train?", "in the hall")
        assert (status is not None) == (name == "short"), name


async def test_what_a_later_file_says_in_the_same_words_is_not_said_again(tmp_path: Path) -> None:
    files = {"times_2023.md": OLD.format(years="A"), "times_2024.md": OLD.format(years="B")}
    assert await status_of(tmp_path, files, JUNIORS, "Max Hall") is None


async def test_dots_that_lead_to_a_value_end_no_sentence(tmp_path: Path) -> None:
    fees = "FEES OF THE CLUB\n\nJuniors (below 18) ..... 12 euros\nNew card ..... {fee} euros\n"
    asked = "How much does a new card cost?"
    told = {
        fee: await status_of(
            tmp_path / fee,
            {"fees_2024.txt": fees.format(fee="5"), "fees_2025.txt": fees.format(fee=fee)},
            asked,
            "5 euros",
        )
        for fee in ("5", "8")
    }
    assert told == {"5": None, "8": "later: “New card ..... 8 euros” (fees_2025.txt)"}


async def test_a_later_file_that_is_a_draft_is_said_to_be_one(tmp_path: Path) -> None:
    draft = NEW.format(years="B").replace("\n\n", "\n\nStatus: draft\n\n", 1)
    files = {"times_2023.md": OLD.format(years="A"), "times_2024.md": draft}
    status = await status_of(tmp_path, files, JUNIORS, "Max Hall")
    assert status == THURSDAY.format(name="times_2024.md: Status: draft")


async def test_rows_of_a_file_of_rows_are_told(tmp_path: Path) -> None:
    files = {"2023/fees.csv": "item,fee\nhall,20\nkey,5\n", "2024/fees.csv": "item,fee\nkey,5\nhall,25\n"}
    status = await status_of(tmp_path, files, "What is the fee for the hall?", "hall,20")
    assert status == "later: “hall,25” (2024/fees.csv)"
