from pathlib import Path

import pytest

from quaestor.app import open_home
from quaestor.research.contracts.brief import Brief

PUMP = "---\ntitle: Hand pump\nmaker: Ada Rowe\nyear: 1871\nstatus: in use\n---\n"
CHEST = "---\ntitle: Rules of the fleet\nauthor: Ben Tarn\nversion: 3\n---\n"


async def ask(folder: Path, question: str, files: dict[str, str]) -> Brief:
    texts = folder / "texts"
    texts.mkdir()
    for name, text in files.items():
        (texts / name).write_text(text, encoding="utf-8")
    async with open_home(folder / "home", model="offline", questions=False) as quaestor:
        made = await quaestor.research(question, [texts])
    assert isinstance(made, Brief)
    return made


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("What is the status of the hand pump?", "The status of the pump is wrong."),
        ("What is the status of the hand pump?", "Repaired and sold on 2 May."),
        ("What is the year of the hand pump?", "The year is that of its first use."),
        ("Who is the maker of the hand pump?", "It was built by Cy Fenn, not by Ada Rowe."),
        ("Who is the maker of the hand pump?", "Ada Rowe was ill, so Cy Fenn was the maker."),
    ],
)
async def test_a_field_that_its_own_document_takes_back_is_no_answer(tmp_path: Path, question: str, said: str) -> None:
    made = await ask(tmp_path, question, {"pump.md": f"{PUMP}Iron. {said}\n"})

    assert made.answer is None
    assert any(said in gap for gap in made.gaps)


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("What is the status of the hand pump?", "The pump is at the smith's in Orm."),
        ("What is the status of the hand pump?", "Mr Rowe asked for the pump back and took it."),
        ("Who is the maker of the hand pump?", "Orm's pump was really built by Cy Fenn."),
        ("Who is the maker of the hand pump?", "I did not build the “Hand pump”."),
        ("What is the year of the hand pump?", "The hand pump is wrong for 1871."),
        ("Who is the maker of the hand pump?", "The maker of the hand pump is Cy Fenn."),
    ],
)
async def test_a_field_is_no_answer_where_another_document_says_otherwise_of_its_own(
    tmp_path: Path, question: str, said: str
) -> None:
    made = await ask(tmp_path, question, {"pump.md": f"{PUMP}Iron.\n", "diary.txt": f"Notes of May\n{said}\n"})

    assert made.answer is None
    assert any(said in gap for gap in made.gaps)


@pytest.mark.parametrize(
    ("question", "said", "answer"),
    [
        ("Who is the maker of the hand pump?", "Thank you for the hand pump.", "Ada Rowe"),
        ("Who is the maker of the hand pump?", "- [Hand pump](pump.md)\n- [Hand saw](saw.md)", "Ada Rowe"),
        ("What is the status of the hand pump?", "A pump is at the smith's in Orm.", "in use"),
        ("What is the status of the hand pump?", "The hand pump is in use.", "in use"),
        ("What is the year of the hand pump?", "The hand pump is not by Ada Rowe.", "1871"),
    ],
)
async def test_what_names_a_document_and_denies_nothing_of_a_field_takes_no_answer_away(
    tmp_path: Path, question: str, said: str, answer: str
) -> None:
    made = await ask(tmp_path, question, {"pump.md": f"{PUMP}Iron.\n", "diary.txt": f"Notes of May\n{said}\n"})

    assert made.answer == answer


async def test_what_a_long_document_says_of_such_fields_is_not_about_its_own(tmp_path: Path) -> None:
    text = "The maker of a crank is paid by the day. This was done for years, and was accepted. " * 40
    made = await ask(tmp_path, "Who is the maker of the hand pump?", {"pump.md": f"{PUMP}{text}\n"})

    assert made.answer == "Ada Rowe"


async def test_a_document_may_be_called_by_the_noun_before_of(tmp_path: Path) -> None:
    said = "The rules that Ben Tarn typed were in fact written by Cy Fenn."
    files = {"rules.md": f"{CHEST}Oars are shared.\n", "diary.txt": f"Notes of May\n{said}\n"}
    made = await ask(tmp_path, "Who is the author of the rules of the fleet?", files)

    assert made.answer is None
    assert any(said in gap for gap in made.gaps)


async def test_a_letter_about_a_document_is_no_other_one_that_is_called_so(tmp_path: Path) -> None:
    minutes = "---\ntitle: Minutes of the board\nstatus: draft\n---\nThe board met at the mill.\n"
    letter = "From: Otto Falk\nSubject: Minutes\n\nDear all, the minutes were approved yesterday.\n"
    made = await ask(tmp_path, "What is the status of the minutes of the board?", {"a.md": minutes, "b.txt": letter})
    assert made.answer is None


async def test_of_a_document_that_many_name_it_must_be_the_field_that_is_denied(tmp_path: Path) -> None:
    files = {f"note-{one}.txt": f"Note {one}\nThe hand pump is not for oil of kind {one}.\n" for one in range(5)}
    made = await ask(tmp_path, "Who is the maker of the hand pump?", {"pump.md": f"{PUMP}Iron.\n", **files})

    assert made.answer == "Ada Rowe"


async def test_of_a_document_whose_title_may_be_any_word_it_must_be_the_field_that_is_denied(tmp_path: Path) -> None:
    question, header = "Who is the maker of orlo?", "---\ntitle: orlo\nmaker: Ada Rowe\nyear: 1871\n---\nIron.\n"
    (tmp_path / "kept").mkdir()
    (tmp_path / "lost").mkdir()
    kept = await ask(tmp_path / "kept", question, {"orlo.md": header, "a.txt": "Notes\nUse orlo instead of a saw.\n"})
    lost = await ask(
        tmp_path / "lost", question, {"orlo.md": header, "a.txt": "Notes\nThe maker of orlo is Cy Fenn.\n"}
    )

    assert kept.answer == "Ada Rowe"
    assert lost.answer is None


async def test_a_list_from_headers_is_declined_where_one_of_them_is_contradicted(tmp_path: Path) -> None:
    headers = "---\ntitle: {}\nauthor: {}\nstatus: valid\n---\n"
    files = {
        "one.md": f"{headers.format('Oil the winch', 'Ada Rowe')}Use the can.\n",
        "two.md": f"{headers.format('Mend the sail', 'Cy Fenn')}Use the thread. This article is out of date.\n",
    }
    made = await ask(tmp_path, "Which articles have the status valid?", files)

    assert made.answer is None
    assert any("This article is out of date." in gap for gap in made.gaps)


SUPPER = "Title: Harvest supper\nDate: 4 October 2025\nPlace: Village hall\nTickets: 12 pounds\nCook: Ada Rowe\n\n"
FORM = "Name: Viktor Hahn\nDate of birth: 14.02.1985\nHouse: 4\n\n"
POST = "---\ntitle: Newts in the pond\nauthor: Nora Blake\nstatus: draft\n---\n"


@pytest.mark.parametrize(
    ("question", "record"),
    [
        ("What is the date of birth of Viktor Hahn?", f"{FORM}Entered by S. The date of birth should read 1986."),
        ("What is the date of birth of Viktor Hahn?", f"{FORM}NB: born in 1986, according to his passport."),
        ("What is the place of the Harvest supper?", f"{SUPPER}After the flood we shall eat in the school instead."),
        ("What are the tickets of the Harvest supper?", f"{SUPPER}Tickets cost three pounds more at the door."),
        ("Who is the cook of the Harvest supper?", f"{SUPPER}We have Cy Fenn instead."),
        ("What is the status of Newts in the pond?", f"{POST}Update: online since Easter."),
    ],
)
async def test_a_field_that_a_short_record_sets_right_is_no_answer(tmp_path: Path, question: str, record: str) -> None:
    other = "Title: Carol singing\nDate: 20 December 2025\nPlace: Market square\n\nBring a lamp.\n"
    made = await ask(tmp_path, question, {"a.txt": record, "b.txt": other})

    assert made.answer is None
    assert made.gaps


@pytest.mark.parametrize(
    ("question", "record", "answer"),
    [
        ("What is the date of birth of Viktor Hahn?", f"{FORM}He joined in 2019, says his card.", "14.02.1985"),
        ("What is the place of the Harvest supper?", f"{SUPPER}The tickets are now at the door.", "Village hall"),
        ("What are the tickets of the Harvest supper?", f"{SUPPER}We eat in the school instead.", "12 pounds"),
        ("Who is the cook of the Harvest supper?", f"{SUPPER}We have beans instead.", "Ada Rowe"),
        ("Who is the author of Newts in the pond?", f"{POST}Update: online since Easter.", "Nora Blake"),
    ],
)
async def test_what_a_short_record_sets_right_is_no_other_field(
    tmp_path: Path, question: str, record: str, answer: str
) -> None:
    made = await ask(tmp_path, question, {"a.md": record})

    assert made.answer == answer
