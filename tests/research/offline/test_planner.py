import pytest
from hypothesis import given
from hypothesis import strategies as st

from quaestor.research.contracts.plan import TodoKind
from quaestor.research.contracts.roles import PlanInput
from quaestor.research.offline.planner import draft_plan


def test_alternatives_get_a_todo_each_and_an_analysis_of_them() -> None:
    todos = draft_plan(PlanInput(question="When should I use threads, processes or asyncio?")).todos

    assert [todo.kind for todo in todos] == [TodoKind.RESEARCH] * 3 + [TodoKind.ANALYSIS]
    assert [name in todo.task for name, todo in zip(("threads", "processes", "asyncio"), todos, strict=False)] == [
        True
    ] * 3
    assert todos[-1].dependencies == ("t1", "t2", "t3")


def test_dates_that_are_compared_are_asked_for() -> None:
    todos = draft_plan(PlanInput(question='Which was created first, "Lidded Jars" or "No More Jars"?')).todos

    assert [todo.task for todo in todos[:2]] == ['When was "Lidded Jars" created?', 'When was "No More Jars" created?']


def test_a_chain_is_followed_link_by_link() -> None:
    question = 'Who wrote the note that superseded "Plain Jars"?'
    first, second = draft_plan(PlanInput(question=question)).todos

    assert first.task == 'The note that superseded "Plain Jars"'
    assert (second.task, second.dependencies) == (question, ("t1",))


def test_prose_about_a_subject_waits_for_what_it_is() -> None:
    todos = draft_plan(
        PlanInput(question="Why was the glass lid added to Python and what objections were raised?")
    ).todos

    assert [(todo.task, todo.dependencies) for todo in todos] == [
        ("About the glass lid", ()),
        ("Why was the glass lid added to Python?", ("t1",)),
        ("Objections to the glass lid", ("t1",)),
    ]


@pytest.mark.parametrize(
    ("question", "tasks"),
    [
        (
            "When should one use a lid, a cork or an egg, and at what cost?",
            [
                "When should one use a lid, and at what cost?",
                "When should one use a cork, and at what cost?",
                "When should one use an egg, and at what cost?",
                "Lid, cork and egg compared",
            ],
        ),
        (
            "How do lids, corks and wax differ in glass jars?",
            ["Lids in glass jars", "Corks in glass jars", "Wax in glass jars", "Lids, corks and wax compared"],
        ),
        ("How are lids named and what marks do they carry?", ["How are lids named?", "What marks do lids carry?"]),
        (
            "How do lids close and what does the maker earn?",
            ["How do lids close?", "Lids close: what does the maker earn?"],
        ),
        ("List the alternatives that were rejected for tin lids.", ["About tin lids", None]),
    ],
)
def test_a_task_reads_as_a_heading(question: str, tasks: list[str | None]) -> None:
    todos = draft_plan(PlanInput(question=question)).todos

    assert [todo.task for todo in todos] == [task or question for task in tasks]


@pytest.mark.parametrize(
    ("question", "background"),
    [
        ("What is a jar lid?", "Background: jar lid"),
        ("什么是黑豹队\uff1f", "背景与原因\uff1a什么是黑豹队"),
        ("ジャーとは何ですか", "背景と理由\uff1aジャーとは何ですか"),
        ("¿Quién hizo la jarra?", "Contexto y motivos: hizo jarra"),
    ],
)
def test_a_simple_question_is_researched_with_its_background(question: str, background: str) -> None:
    todos = draft_plan(PlanInput(question=question)).todos

    assert [todo.task for todo in todos] == [question, background]


def test_an_answer_of_a_person_belongs_to_the_task() -> None:
    todos = draft_plan(PlanInput(question="What is a jar?", answers=("the glass one",))).todos

    assert todos[0].task == "What is a jar? (the glass one)"


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
