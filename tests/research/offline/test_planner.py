import pytest
from hypothesis import given
from hypothesis import strategies as st

from quaestor.research.contracts.plan import TodoKind
from quaestor.research.contracts.roles import PlanInput
from quaestor.research.offline.planner import draft_plan


def test_a_chain_is_followed_link_by_link() -> None:
    question = 'Who wrote the note that superseded "Plain Jars"?'
    first, second = draft_plan(PlanInput(question=question)).todos

    assert first.task == 'the note that superseded "Plain Jars"'
    assert (second.task, second.dependencies) == (question, ("t1",))


def test_no_analysis_where_none_is_allowed() -> None:
    given_plan = PlanInput(question="How do cats differ from dogs?", kinds=(TodoKind.RESEARCH,))

    assert [todo.kind for todo in draft_plan(given_plan).todos] == [TodoKind.RESEARCH] * 2


def test_a_very_long_question_is_cut_to_a_task() -> None:
    given_plan = PlanInput(question="Why do jars have " + "lids of glass and " * 600)

    assert all(len(todo.task) <= 2000 for todo in draft_plan(given_plan).todos)


@given(question=st.text(min_size=1), most=st.integers(2, 9))
def test_every_plan_is_accepted(question: str, most: int) -> None:
    given_plan = PlanInput(question=question, max_todos=most)

    assert given_plan.objections(draft_plan(given_plan)) == ()


@pytest.mark.parametrize(
    "question",
    [
        "What is a jar lid?",
        "Why was the glass lid added to Python?",
        "List the alternatives that were rejected for tin lids.",
        "I collect jars and heard that Ann Lee disliked their lids. What did she say and why did she sell them?",
        "什么是黑豹队\uff1f",
        "¿Quién hizo la jarra?",
    ],
)
def test_one_question_is_one_todo_in_its_own_words(question: str) -> None:
    (todo,) = draft_plan(PlanInput(question=question)).todos

    assert (todo.task, todo.kind, todo.dependencies) == (question, TodoKind.RESEARCH, ())


@pytest.mark.parametrize(
    ("question", "tasks"),
    [
        (
            "When should one use a lid, a cork or an egg, and at what cost?",
            [
                "When should one use a lid, and at what cost?",
                "When should one use a cork, and at what cost?",
                "When should one use an egg, and at what cost?",
            ],
        ),
        (
            "How do lids, corks and wax differ in glass jars?",
            [f"How do {side} differ in glass jars?" for side in ("lids", "corks", "wax")],
        ),
        (
            'Which was created first, "Lidded Jars" or "No More Jars"?',
            ["Lidded Jars: created first", "No More Jars: created first"],
        ),
        ("What is the difference between a Lid and a CorkLid in pottery?", ["Lid: pottery", "CorkLid: pottery"]),
        ("Compare jar.open and jar.open_all.", ["jar.open", "jar.open_all"]),
        (
            "When should one use Lidbox or Lid in glass?",
            ["When should one use Lidbox in glass?", "When should one use Lid in glass?"],
        ),
    ],
)
def test_every_side_of_a_comparison_has_a_todo(question: str, tasks: list[str]) -> None:
    assert [todo.task for todo in draft_plan(PlanInput(question=question)).todos] == tasks


def test_every_clause_has_a_todo_that_names_the_subject() -> None:
    question = "Why was the glass lid added to Python and who raised objections to it?"

    assert [todo.task for todo in draft_plan(PlanInput(question=question)).todos] == [
        "Why was the glass lid added to Python",
        "who raised objections to Python",
    ]


def test_what_a_thing_is_about_is_part_of_the_subject_of_a_clause() -> None:
    for thing, subject in (("RFC about lids of tin", "RFC about lids of tin"), ("RFC", "RFC"), ("RFC of tin", "RFC")):
        tasks = draft_plan(PlanInput(question=f"Who wrote the {thing} and when was it created?")).todos
        assert [todo.task for todo in tasks] == [f"Who wrote the {thing}", f"when was {subject} created"]


@pytest.mark.parametrize(
    ("question", "tasks"),
    [
        ("Wer goss die Glocke und wann zersprang sie?", ["Wer goss die Glocke", "wann zersprang sie (Glocke)"]),
        (
            "Qui a fondu la cloche de Ek et quand a-t-elle sonné ?",
            ["Qui a fondu la cloche de Ek", "quand a-t-elle sonné (Ek)"],
        ),
        ("¿Quién fundió la campana de Ek y cuándo sonó?", ["¿Quién fundió la campana de Ek", "cuándo sonó (Ek)"]),
    ],
)
def test_clauses_are_told_apart_in_other_languages(question: str, tasks: list[str]) -> None:
    assert [todo.task for todo in draft_plan(PlanInput(question=question)).todos] == tasks


def test_whom_a_question_asks_for_is_none_that_it_names() -> None:
    asked = draft_plan(PlanInput(question="Who was the guide of Ann Lee, and how did he die?"))
    named = draft_plan(PlanInput(question="When was Ann Lee born, and how did she die?"))

    assert asked.todos[1].task == "how did he die (guide Ann Lee)"
    assert named.todos[1].task == "how did Ann Lee die"


ASKED_ABOUT_A_NUMBER = "Is a loss of 1500 coins by thieves paid, and what must I do first?"


def test_a_number_alone_is_no_subject_of_a_clause() -> None:
    tasks = [todo.task for todo in draft_plan(PlanInput(question=ASKED_ABOUT_A_NUMBER)).todos]

    assert tasks[1] == "what must I do first (loss 1500 coins thieves paid)"


def test_the_subject_of_a_clause_is_not_what_was_done_to_it() -> None:
    question = "Why was the glass lid added, and what was said against it?"

    assert [todo.task for todo in draft_plan(PlanInput(question=question)).todos] == [
        "Why was the glass lid added",
        "what was said against it (glass lid)",
    ]


def test_an_answer_of_a_person_belongs_to_the_task() -> None:
    (todo,) = draft_plan(PlanInput(question="What is a jar?", answers=("the glass one",))).todos

    assert todo.task == "What is a jar (the glass one)?"


def test_a_follow_up_that_names_nothing_keeps_the_subject_of_the_question_before() -> None:
    memory = ("Who built the Aldmouth lighthouse?: Henrike Vos built it.",)
    asked = PlanInput(question="When was it built?", memory=memory)

    assert [todo.task for todo in draft_plan(asked).todos] == ["When was it built (Aldmouth)?"]
    assert [todo.task for todo in draft_plan(PlanInput(question="When was Rome built?", memory=memory)).todos] == [
        "When was Rome built?"
    ]


def test_a_follow_up_keeps_all_words_of_the_thing_whose_meaning_was_asked() -> None:
    asked = PlanInput(question="How is it shut?", memory=("What is a tin lid in Aldmouth?: A lid of tin.",))

    task = "How is it shut (tin lid in Aldmouth)?"
    assert [todo.task for todo in draft_plan(asked).todos] == [task]
    again = PlanInput(question="Which jars does it fit?", memory=(f"{task}: By hand.",))
    assert [todo.task for todo in draft_plan(again).todos] == ["Which jars does it fit (tin lid in Aldmouth)?"]


def test_a_text_about_many_things_is_one_task_whatever_it_quotes() -> None:
    story = 'She saw the film that followed "Plain Jars". Ships paid dues. The bell was struck. Towers stood there.'

    assert [todo.task for todo in draft_plan(PlanInput(question=story)).todos] == [story]


def test_a_pronoun_that_is_a_side_of_a_comparison_is_what_was_asked_about_before() -> None:
    asked = PlanInput(question="And how does it compare with corks?", memory=("What is a lid?: It shuts jars.",))
    assert [todo.task for todo in draft_plan(asked).todos] == ["lid", "corks"]


def test_a_letter_is_not_what_a_follow_up_speaks_of() -> None:
    asked = PlanInput(question="Why is it slower?", memory=("Lid<T>: A lid.",))
    assert [todo.task for todo in draft_plan(asked).todos] == ["Why is it slower (Lid T)?"]


def test_names_are_joined_in_the_language_of_the_question() -> None:
    asked = PlanInput(question="Quando si usano i vasi di Ekdal e quando i vasi di Bergh? Qual è la differenza?")

    assert draft_plan(asked).todos[-1].task == "Qual è la differenza (Ekdal e Bergh)"


@pytest.mark.parametrize(
    "question",
    [
        "Wer ist Sprecherin oder Sprecher des Hauses?",
        "Wer ist Vorsitzende oder Vorsitzender des Hauses?",
        "Qui est la présidente ou le président du club ?",
    ],
)
def test_what_a_woman_and_a_man_are_called_in_one_office_are_no_two_sides(question: str) -> None:
    assert [todo.task for todo in draft_plan(PlanInput(question=question)).todos] == [question]
