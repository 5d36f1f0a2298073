import pytest

from quaestor.research.offline.fields.field_kinds import is_of_asked_kind
from quaestor.research.offline.words.question import parse_question

AUTHOR, CREATED, PAGES, STATUS = ("Author", "Ann Lee"), ("Created", "03-May-2001"), ("Pages", "12"), ("Status", "Final")
ALL = (AUTHOR, CREATED, PAGES, STATUS)


@pytest.mark.parametrize(
    ("question", "answering"),
    [
        ("Why was Note 12 created?", ()),
        ("Warum wurde Note 12 geschrieben?", ()),
        ("How was Note 12 written?", (PAGES, STATUS)),
        ("Wie wurde Note 12 geschrieben?", (PAGES, STATUS)),
        ("Où a été écrite la note 12 ?", (PAGES, STATUS)),
        ("Cómo se llama el autor de la nota 12?", ALL),
        ("When was Note 12 written?", (CREATED,)),
        ("Who created Note 12?", (AUTHOR, STATUS)),
        ("How many authors does Note 12 have?", (AUTHOR, CREATED, PAGES)),
        ("What is the status of Note 12?", ALL),
    ],
)
def test_a_field_answers_only_a_question_for_its_kind(question: str, answering: tuple[tuple[str, str], ...]) -> None:
    asked = parse_question(question)
    assert tuple(one for one in ALL if is_of_asked_kind(asked, *one)) == answering
