import pytest

from quaestor.contracts.source import Quote, TablePlace
from quaestor.research.brief.contradicted_rows import find_speaking_against
from quaestor.research.contracts.brief import BriefPassage, CheckedAnswer, ShownRow
from quaestor.research.contracts.tools import LookedUp

TABLE, PROSE = "a" * 64, "b" * 64


def passage(text: str, heading: str = "", source: str = PROSE, in_table: TablePlace | None = None) -> BriefPassage:
    return BriefPassage(
        number=2,
        finding="t1/2",
        source=source,
        start=0,
        end=len(text),
        text=text,
        part="How many jars are there?",
        context=Quote(source=source, start=0, end=len(text), text=text),
        heading=heading,
        in_table=in_table,
        absent=(),
    )


def row(name: str, text: str) -> ShownRow:
    return ShownRow(name=name, quote=Quote(source=TABLE, start=0, end=len(text), text=text))


def looked_up(*rows: ShownRow, counted: tuple[ShownRow, ...] = ()) -> LookedUp:
    return LookedUp(kind=CheckedAnswer.COUNT, answer="4", label="the table", rows=rows, counted=counted)


HERON = looked_up(row("Heron", "| Heron | 4 | 1998 |"))


@pytest.mark.parametrize(
    "text",
    [
        "The Heron was sold to Marlow in May.",
        "Since Easter the Heron is nine metres lower.",
        "Divers say that the Heron has 53 lamps.",
        "The Heron is a boat. It has 53 lamps.",
        "In 2019 the Heron had 5 seats.",
        "From 1 May 2020 the Heron seats 12.",
    ],
)
def test_a_passage_that_changes_or_numbers_a_row_otherwise_speaks_against_it(text: str) -> None:
    told = passage(text)
    assert find_speaking_against(HERON, [told]) is told


@pytest.mark.parametrize(
    "text",
    [
        "The Heron lies in the boathouse.",
        "The Heron has 4 seats.",
        "A heron was sold to Marlow in May.",
        "The Coot was sold in May. The Heron lies in the boathouse.",
        "The Heron lies in the boathouse. The Coot is green. It was sold.",
        "| Heron | 17 | sold |",
        "* The Heron.\n* Something else is still green, but slow.",
        "* Heron\n\n  + People say that it is still green, but slow.",
        "It lies beside the Heron.\n\nThe new boathouse is green.",
    ],
)
def test_other_passages_speak_against_no_row(text: str) -> None:
    assert find_speaking_against(HERON, [passage(text)]) is None


def test_days_and_years_speak_only_against_an_answer_with_a_year() -> None:
    told = passage("The Heron is from 3 May 1902, and its mast from 1911.")
    assert find_speaking_against(HERON, [told]) is None
    assert find_speaking_against(HERON.revised(answer="1998"), [told]) is told


@pytest.mark.parametrize(
    "text",
    [
        "The heron had been tarred because of the worm.",
        "Nobody knows why the Heron leaked.",
        "Der Heron ist am Morgen aufgelaufen.",
        "Le Heron a été coulé.",
        "El Heron fue hundido.",
        "Il Heron è stato rubato.",
        "De Heron is op de rots gelopen.",
        "O Heron foi levado.",
    ],
)
def test_an_event_that_another_document_tells_of_a_row_speaks_against_it_by_whatever_verb(text: str) -> None:
    assert find_speaking_against(HERON, [passage(text)])
    assert find_speaking_against(HERON, [passage(text, source=TABLE)]) is None


@pytest.mark.parametrize(
    "text",
    [
        "The Heron was built in 1998.",
        "The Heron is a red boat.",
        "The Heron lies here, where we landed.",
        "We landed beside the Heron.",
        "A heron had been seen.",
    ],
)
def test_what_a_row_says_itself_what_it_is_and_what_others_did_speak_against_none(text: str) -> None:
    assert find_speaking_against(HERON, [passage(text)]) is None


def test_a_row_in_small_letters_is_meant_where_one_thing_is() -> None:
    cell = HERON.revised(kind=CheckedAnswer.FIELD, answer="4")
    assert find_speaking_against(cell, [passage("Ask at the desk for the heron.")])
    assert find_speaking_against(cell, [passage("A heron has a beak.").revised(absent=("seats",))]) is None


def test_a_passage_of_another_document_speaks_against_a_cell_unless_it_says_the_same() -> None:
    cell = HERON.revised(kind=CheckedAnswer.FIELD, answer="4")
    gone, same = passage("Ask at the desk for the Heron."), passage("The Heron has 4 seats.")
    assert find_speaking_against(cell, [gone]) is gone
    assert find_speaking_against(cell, [same]) is None
    other = passage("Ask for the Heron at the 14th desk.")
    assert find_speaking_against(cell, [other]) is other
    asked = passage("The boat of the club has nine.")
    assert find_speaking_against(cell, [asked]) is asked
    assert find_speaking_against(cell, [asked.revised(absent=("seats",))]) is None


def test_the_number_of_a_row_whose_cells_commas_part_is_not_another_one() -> None:
    told = passage("The Heron has 4 seats.")
    assert find_speaking_against(looked_up(row("Heron", "Heron,4,1998")), [told]) is None
    assert find_speaking_against(looked_up(row("Heron", "Heron,5,1998")), [told]) is told


def test_a_row_is_named_by_the_heading_above() -> None:
    told = passage("The new basin has twenty berths.", heading="Ports > Vara")
    assert find_speaking_against(looked_up(row("Vara", "| Vara | 8 |")), [told]) is told


def test_a_row_that_was_compared_may_be_spoken_of() -> None:
    told = passage("The Coot has 9 seats.")
    assert find_speaking_against(HERON, [told]) is None
    assert find_speaking_against(looked_up(*HERON.rows, counted=(row("Coot", "| Coot | 2 |"),)), [told]) is told


@pytest.mark.parametrize(
    ("name", "text", "is_called"),
    [
        ("North Tower", "The north tower was abolished.", True),
        ("nis", "In May NIS was closed.", False),
        ("plover", "Plover was sold in May.", True),
        ("plover", "A plover is still green, but slow.", False),
        ("Plover", "A plover was lost in May.", False),
    ],
)
def test_a_name_is_found_as_it_is_written_or_in_any_case_if_it_has_several_words(
    name: str, text: str, is_called: bool
) -> None:
    assert bool(find_speaking_against(looked_up(row(name, f"| {name} | 31 |")), [passage(text)])) is is_called


def test_a_bare_number_is_no_name_that_is_looked_for() -> None:
    assert find_speaking_against(looked_up(row("3", "| 3 | Zoo |")), [passage("Only 3 of 9 came.")]) is None


def test_rows_of_tables_are_not_read_as_prose() -> None:
    place = TablePlace(cells=(), row=1)
    assert find_speaking_against(HERON, [passage("Heron 9 sold", in_table=place)]) is None
    assert find_speaking_against(HERON, [passage("The Heron was sold.", source=TABLE)]) is None


def test_what_has_the_most_is_spoken_of_as_a_cell_is() -> None:
    most = LookedUp(
        kind=CheckedAnswer.CALCULATION,
        answer="Heron, row 1 (8)",
        label="the table",
        rows=(row("Heron", "Heron,8,red"),),
        counted=(row("Coot", "Coot,2,red"),),
    )
    told, other = passage("Ask at the desk for the Heron."), passage("Ask at the desk for the Coot.")

    assert find_speaking_against(most, [told]) is told
    assert find_speaking_against(most, [other]) is None
    assert find_speaking_against(most, [passage("The Heron has 8 seats.")]) is None
    assert find_speaking_against(most.revised(counted=()), [told]) is None


@pytest.mark.parametrize(
    ("text", "speaks"),
    [
        ("Until Easter the Monday pair and the Thursday pair change places.", True),
        ("The Mondays are moved to Friday.", True),
        ("On Monday the market moves to the square.", False),
        ("The Monday pair sings. The market moves.", False),
        ("The Thursday pair moves to Friday.", False),
        ("On Monday one of the helpers fell ill.", True),
        ("On Monday one of the guests fell ill.", False),
        ("On Monday our helpers sit in the hall.", False),
    ],
)
def test_what_has_the_value_that_is_asked_for_may_be_changed(text: str, speaks: bool) -> None:
    helpers = looked_up(row("Ann Pole", "Ann Pole,Monday,desk"), row("Ben Carr", "Ben Carr,Monday,door"))
    told = passage(text).revised(part="Which helpers have the day Monday?")

    assert bool(find_speaking_against(helpers, [told])) is speaks
