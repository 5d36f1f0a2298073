from hypothesis import given
from hypothesis import strategies as st

from quaestor.research.contracts.plan import Plan, Todo, TodoKind, TodoStatus
from quaestor.research.contracts.report import Report
from quaestor.research.views.diff import diff_plans, diff_reports
from research.planning.plans import plans
from research.views.sample import APPOINTED, COLD, HOSTILE, SHORT, bare, claim, report, source

PLAN = Plan(
    todos=(
        Todo(id="t1", task="Find A", status=TodoStatus.DONE),
        Todo(id="t2", task="Find B", agent="researcher"),
        Todo(id="t3", task="Compare", dependencies=("t1", "t2")),
        Todo(id="t4", task="Sum up", dependencies=("t3",)),
    )
)


def changed(told: Report, **parts: object) -> Report:
    return told.model_copy(update={"version": told.version + 1, **parts})


def test_a_plan_tells_what_is_gone_new_changed_and_moved() -> None:
    done, find, compare, _ = PLAN.todos
    after = Plan(
        todos=(
            compare.model_copy(update={"dependencies": ()}),
            Todo(id="t5", task="New", kind=TodoKind.TOOL, dependencies=("t1", "t2"), agent="counter"),
            done,
            find.model_copy(update={"task": "Find\nB2", "agent": None, "kind": TodoKind.ANALYSIS}),
            Todo(id="t6", task="Last"),
        )
    )
    assert diff_plans(PLAN, after) == (
        "- t4 [research] Sum up (after t3)\n"
        "~ t3 after: t1, t2 -> nothing\n"
        "~ t3 moved, now before t5\n"
        "+ t5 [tool] New (after t1, t2; agent counter), before t1\n"
        "~ t2 task: Find B -> Find B2\n"
        "~ t2 kind: research -> analysis\n"
        "~ t2 agent: researcher -> none\n"
        "+ t6 [research] Last, at the end\n"
    )


def test_what_began_is_not_said_to_move_where_something_pending_did() -> None:
    done, find, *rest = PLAN.todos
    assert diff_plans(PLAN, Plan(todos=(find, *rest, done))) == (
        "~ t2 moved, now before t3\n~ t3 moved, now before t4\n~ t4 moved, now before t1\n"
    )
    assert diff_plans(PLAN, Plan(todos=(done, *rest, find))) == "~ t2 moved, now at the end\n"


def test_a_plan_that_went_on_tells_the_status() -> None:
    done, find, *rest = PLAN.todos
    begun = find.model_copy(update={"status": TodoStatus.IN_PROGRESS})
    assert diff_plans(PLAN, Plan(todos=(done, begun, *rest))) == "~ t2 status: pending -> in progress\n"


def test_an_equal_plan_stays_as_it_is() -> None:
    assert diff_plans(PLAN, PLAN) == "The plan stays as it is.\n"
    assert diff_plans(Plan(), Plan()) == "The plan stays as it is.\n"


@given(plans(), plans())
def test_a_difference_of_plans_names_every_todo_that_is_new_or_gone(before: Plan, after: Plan) -> None:
    lines = diff_plans(before, after).splitlines()
    old, new = ({todo.id for todo in plan.todos} for plan in (before, after))
    assert {line.split()[1] for line in lines if line.startswith("+ ")} == new - old
    assert {line.split()[1] for line in lines if line.startswith("- ")} == old - new
    assert all(line[:2] in {"+ ", "- ", "~ "} for line in lines) or lines == ["The plan stays as it is."]
    assert diff_plans(before, before) == "The plan stays as it is.\n"


def test_equal_reports_say_the_same() -> None:
    assert diff_reports(report(), report()) == "Version 2 and version 2 say the same.\n"
    renumbered = changed(report(), conclusion=(report().conclusion[0].model_copy(update={"number": 99}),))
    assert diff_reports(report(), renumbered) == "Version 2 and version 3 say the same.\n"


def test_a_report_tells_claims_sections_and_sources() -> None:
    told = report()
    first, second, third, fourth = told.sections
    after = changed(
        told,
        title="The Marcia",
        answer="88 kilometres",
        answer_claim=claim(1, "88 kilometres", SHORT),
        partial="the budget is reached",
        summary=(*told.summary[1:], claim(2, "It was repaired.", SHORT, quoted=False)),
        key_findings=(
            claim(4, "Frontinus became water commissioner in 97.", COLD),
            told.key_findings[1],
            told.key_findings[2].model_copy(update={"quoted": True}),
        ),
        sections=(
            second,
            first.model_copy(update={"heading": "Who?", "claims": first.claims[:1]}),
            fourth.model_copy(update={"todo_id": "t6", "note": None, "claims": (claim(20, "It cost much.", COLD),)}),
        ),
        gaps=told.gaps[1:],
        blocked=(),
        contradictions=(),
        sources=(
            told.sources[0].model_copy(update={"sha256": "0" * 64}),
            *told.sources[2:5],
            source("aqua").model_copy(update={"sha256": "1" * 64, "uri": "https://example.org/new"}),
        ),
    )
    text = diff_reports(told, after)
    survey, evil = source("survey"), source("hostile")
    seen = " ".join(HOSTILE.split()).replace("\x1b", "\ufffd").replace("\x00", "\ufffd").replace("\u202e", "\ufffd")
    assert text.splitlines() == [
        "Version 2 and version 3 differ:",
        "",
        "Report",
        "~ title: The Aqua Marcia -> The Marcia",
        "~ answer: 91 kilometres -> 88 kilometres",
        "~ ended early: no -> the budget is reached",
        "",
        "Sections",
        f"- t3: {third.heading}",
        "- t4: What did it cost?",
        "~ t2 moved, now before t1",
        "~ t1 heading: Who looked after the aqueducts? -> Who?",
        "+ t6: What did it cost?",
        "",
        "Answer",
        "- 91 kilometres [1][2]",
        "+ 88 kilometres [5]",
        "",
        "Summary",
        "- The Aqua Marcia ran for some 91 kilometres and brought the coldest water to Rome. [1][3]",
        "+ It was repaired. [5] (not quoted)",
        "",
        "Key findings",
        f"~ Frontinus became water commissioner in 97. (cites no more: “{APPOINTED.text}”)",
        f"~ Frontinus became water commissioner in 97. (cites now: “{COLD.text}”)",
        "~ Its builders worked without pumps anywhere on the way. (now quoted)",
        "",
        "Section t1: Who?",
        "- Of all the waters he writes about, he praises that of the Marcia most. [3]",
        "- The office was held for life. (not quoted)",
        "",
        "Section t6: What did it cost?",
        "+ It cost much. [3]",
        "",
        f"Section t3: {third.heading}",
        "- אמת המים מרקיה נבנתה בשנת 144 לפני הספירה. [6]",
        f"- {seen} [7]",
        "",
        "Contradictions",
        "- length of the Marcia: 91 kilometres against 88 kilometres against [90](https://evil.example) kilometres",
        "",
        "Gaps",
        "- What the work cost and who paid for it.",
        "",
        "Blocked",
        f"- {told.blocked[0]}",
        "",
        "Sources",
        f"- 罗马水道概述, https://example.org/水道, sha256 {source('chinese').sha256[:12]}",
        f"- {evil.title}, {evil.uri}, sha256 {evil.sha256[:12]}",
        "+ De aquaeductu, an English reading, https://example.org/new, sha256 111111111111",
        f"~ {survey.title}, {survey.uri}, sha256 000000000000: another text than sha256 {survey.sha256[:12]}",
    ]


def test_a_claim_that_is_said_twice_is_counted_twice() -> None:
    again = changed(report(), gaps=(*report().gaps, report().gaps[0]), conclusion=(*report().conclusion,) * 2)
    lines = diff_reports(report(), again).splitlines()
    assert [line for line in lines if line[:2] in {"+ ", "- "}] == [
        f"+ {report().conclusion[0].text} [1][5]",
        f"+ {report().gaps[0]}",
    ]
    back = diff_reports(again, report()).splitlines()
    assert [line[0] for line in back if line[:2] in {"+ ", "- ", "~ "}] == ["-", "-"]


def test_the_same_words_at_another_place_are_another_quote() -> None:
    elsewhere = COLD.model_copy(update={"start": COLD.start + 1, "end": COLD.end + 1})
    before, after = (changed(bare(), summary=(claim(1, "Cold.", quote),)) for quote in (COLD, elsewhere))
    assert diff_reports(before, after).splitlines()[2:] == [
        "Summary",
        f"~ Cold. (cites no more: “{COLD.text}”)",
        f"~ Cold. (cites now: “{COLD.text}”)",
    ]


def test_a_section_that_says_nothing_any_more_tells_its_note() -> None:
    last = report().sections[-1]
    silent = changed(report(), sections=(*report().sections[:-1], last.model_copy(update={"note": None})))
    assert "~ t4 note: The search brought nothing on this. -> none\n" in diff_reports(report(), silent)


@st.composite
def reports(draw: st.DrawFn) -> Report:
    """A part of the sample, in any order of its parts."""

    def some(field: str) -> tuple[object, ...]:
        return tuple(draw(st.lists(st.sampled_from(getattr(report(), field)), max_size=3, unique_by=repr)))

    fields = ("summary", "key_findings", "sections", "gaps", "contradictions", "conclusion", "sources")
    return bare().model_copy(update={field: some(field) for field in fields})


@given(reports(), reports())
def test_the_way_back_tells_the_same_with_the_signs_turned(one: Report, other: Report) -> None:
    forth, back = diff_reports(one, other).splitlines(), diff_reports(other, one).splitlines()
    signs = {"+ ": "- ", "- ": "+ "}
    turned = sorted(signs[line[:2]] + line[2:] for line in back if line[:2] in signs)
    assert sorted(line for line in forth if line[:2] in signs) == turned
    assert (forth == ["Version 1 and version 1 say the same."]) == (back == forth)
