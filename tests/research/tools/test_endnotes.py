from pathlib import Path

import pytest

from quaestor.app import open_home
from quaestor.research.contracts.brief import Brief

STONE = (
    "Ann Berg died in Stonebridge in 1723.<sup><a href='notes.xhtml#n2'>2</a></sup> "
    "She was 47.<sup><a href='notes.xhtml#n1'>1</a></sup>"
)
ERROR = "The stone is in error as to the death: it should be 1721."
NOTES = ("She kept a mill with two ponds.", ERROR, "See another book.")
FAR = "The sun shone on the hills of Harwick and the bees flew far over them. "


def chapter(body: str) -> str:
    far = f"<p>{FAR * 12}</p>"
    return f"<html><head><title>Chapter</title></head><body><h2>The Stones</h2><p>{body}</p>{far}{far}</body></html>"


def items(*notes: str) -> str:
    back = "<a href='one.xhtml'>\u21a9</a>"
    return f"<ol>{''.join(f'<li><p>{one} {back}</p></li>' for one in (*notes, *[FAR] * 9))}</ol>"


async def status_of(folder: Path, name: str, notes: str, question: str, stone: str = STONE) -> str | None:
    book = folder / "book"
    (book / "far").mkdir(parents=True)
    (book / "one.xhtml").write_text(chapter(stone))
    (book / name).write_text(f"<html><head><title>Remarks</title></head><body><h2>Notes</h2>{notes}</body></html>")
    async with open_home(folder / "home", model="offline", questions=False) as quaestor:
        made = await quaestor.research(question, [book])
    assert isinstance(made, Brief)
    return next(one.status for one in made.passages if "died in Stonebridge" in one.context.text)


@pytest.mark.parametrize("name", ["endnotes.xhtml", "Notes.xhtml", "Fußnoten.xhtml"])
@pytest.mark.parametrize("note", [ERROR, "The people of the town built her a stone."])
async def test_the_note_of_a_sentence_in_a_file_of_notes_is_told_beside_it(
    tmp_path: Path, name: str, note: str
) -> None:
    status = await status_of(tmp_path, name, items(NOTES[0], note), "When did Ann Berg die in Stonebridge?")
    assert status == f"see also: “{note}” (Remarks)"


async def test_of_the_sentences_beside_a_quote_only_a_note_is_told_that_may_correct(tmp_path: Path) -> None:
    told = f"see also: “{ERROR}” (Remarks)"
    for name, first, seen in (("a", NOTES[0], None), ("b", ERROR, told)):
        folder = tmp_path / name
        folder.mkdir()
        stone = STONE.replace("'>2<", "'>3<")
        asked = "When did Ann Berg die in Stonebridge?"
        assert await status_of(folder, "notes.xhtml", items(first, *NOTES[1:]), asked, stone) == seen


@pytest.mark.parametrize(
    ("name", "notes"),
    [
        ("remarks.xhtml", items(*NOTES)),
        ("far/notes.xhtml", items(*NOTES)),
        ("notes.xhtml", items(*NOTES) + "<h3>Again</h3>" + items(*NOTES)),
        ("notes.xhtml", items(NOTES[0], "See above.")),
    ],
)
async def test_no_note_is_told_that_is_not_surely_that_of_the_number(tmp_path: Path, name: str, notes: str) -> None:
    assert await status_of(tmp_path, name, notes, "When did Ann Berg die in Stonebridge?") is None
