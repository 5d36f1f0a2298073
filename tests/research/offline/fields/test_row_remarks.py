import pytest

from quaestor.research.offline.fields.calculation import Operation, calculate
from quaestor.research.offline.fields.cell_lookup import find_cell
from quaestor.research.offline.fields.collections import Collection, StoredText, table_collections
from quaestor.research.offline.fields.doubtful_rows import doubt_cell
from quaestor.research.offline.fields.enumeration import enumerate_things
from quaestor.research.reports.fixed_words import report_words

RAFTS = (
    "Raft,Builder,Launched,Weight,{}\nHeron,Ann Pole,1872,610,{}\nTern,Ben Carr,1880,720,-\nCoot,Cy Fenn,1890,690,-\n"
)


def rafts(column: str, said: str) -> list[Collection]:
    text = RAFTS.format(column, f'"{said}"')
    return list(table_collections(StoredText(source="r", title="rafts.csv", uri="/d/rafts.csv", text=text)))


def doubt(question: str, column: str, said: str) -> str:
    found = find_cell(question, rafts(column, said))
    assert found
    return doubt_cell(*found, report_words(None))


@pytest.mark.parametrize(
    ("question", "column", "said"),
    [
        (
            "Who is the builder of the Heron?",
            "Story",
            "A raft. Really it was built by her foreman Dan Whit.",
        ),
        ("Who is the builder of the Heron?", "Story", "Made by Ann Pole together with her brother Jo Pole."),
        ("Who is the builder of the Heron?", "Remarks", "Her son Lars is the builder on paper."),
        ("Who is the builder of the Heron?", "Remarks", "See Dan Whit."),
        ("When was the Heron launched?", "Story", "A raft of oak. A plate on it says 1871."),
        ("When was the Heron launched?", "Story", "It was launched in 1869 at Orm."),
        ("What is the weight of the Heron?", "Remarks", "640 since May"),
        ("What is the weight of the Heron?", "Story", "A weight of 640 is told of it."),
        ("What is the weight of the Heron?", "Notes", "moved out 30 April"),
    ],
)
def test_a_cell_is_no_answer_where_another_one_of_its_row_may_tell_otherwise(
    question: str, column: str, said: str
) -> None:
    assert doubt(question, column, said).startswith(f"“{column}” may say otherwise of “Heron” (")


@pytest.mark.parametrize(
    ("question", "column", "said"),
    [
        ("Who is the builder of the Heron?", "Story", "Launched in 1872 and sold to Dan Whit of Port Orm in 1880."),
        ("Who is the builder of the Heron?", "Story", "Built by Ann Pole, it was lost in Port Orm in a gale."),
        ("Who is the builder of the Heron?", "Story", "Built in Port Orm, and repaired there ever since."),
        ("Who is the builder of the Heron?", "Remarks", "In Port Orm for the summer"),
        ("When was the Heron launched?", "Story", "A raft of oak, which burnt in 1879 and was mended."),
        ("When was the Heron launched?", "Remarks", "mended in 1879"),
        ("What is the weight of the Heron?", "Story", "It may be used by 640 people, and is now yellow."),
        ("What is the weight of the Heron?", "Remarks", "needs 12 nails"),
    ],
)
def test_what_a_row_says_of_something_else_takes_no_cell_away(question: str, column: str, said: str) -> None:
    assert doubt(question, column, said) == ""


def test_a_sum_and_a_list_are_declined_for_what_a_row_says_of_what_they_hold() -> None:
    remarked = rafts("Story", "A raft of oak of which a weight of 640 is told.")
    summed = calculate("What is the total weight of the rafts?", Operation.SUM, remarked)
    listed = enumerate_things("List all weights of the rafts", remarked)
    counted = enumerate_things("How many rafts are there?", rafts("story", "A raft of which a weight of 640 is told."))

    assert summed
    assert listed
    assert summed.refusal
    assert listed.refusal
    assert counted
    assert not counted.refusal
