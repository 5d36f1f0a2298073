from quaestor.contracts.workflow import StateSpec
from quaestor.research.contracts.plan import PlanDraft
from quaestor.views.state_diagram import render_mermaid

TABLE = {
    "PLANNING": StateSpec(
        takes="question; answers", gives=PlanDraft, role="planner", leads_to=frozenset({"WORKING", "DONE"})
    ),
    "WORKING": StateSpec(takes="the plan", leads_to=frozenset({"DONE", "SEARCHING"})),
    "SEARCHING": StateSpec(
        takes="queries", tools=frozenset({"search", "fetch"}), per_todo=True, leads_to=frozenset({"RECORDING"})
    ),
    "RECORDING": StateSpec(takes="what was found: all of it", per_todo=True),
    "DONE": StateSpec(takes="the report"),
}


def test_a_table_is_drawn_in_its_own_order() -> None:
    assert render_mermaid("a small one", TABLE) == (
        "stateDiagram-v2\n"
        "    accTitle: a small one\n"
        "    PLANNING : PLANNING\n"
        "    PLANNING : question#59; answers -> PlanDraft\n"
        "    PLANNING : role planner\n"
        "    WORKING : WORKING\n"
        "    WORKING : the plan\n"
        "    DONE : DONE\n"
        "    DONE : the report\n"
        "    [*] --> PLANNING\n"
        "    PLANNING --> WORKING\n"
        "    PLANNING --> DONE\n"
        "    WORKING --> DONE\n"
        "    DONE --> [*]\n"
        '    state "each todo" as each_todo {\n'
        "        SEARCHING : SEARCHING\n"
        "        SEARCHING : queries\n"
        "        SEARCHING : tools fetch, search\n"
        "        RECORDING : RECORDING\n"
        "        RECORDING : what was found#58; all of it\n"
        "        [*] --> SEARCHING\n"
        "        SEARCHING --> RECORDING\n"
        "        RECORDING --> [*]\n"
        "    }\n"
        "    WORKING --> SEARCHING\n"
    )


def test_without_todos_there_is_no_composite_state() -> None:
    assert "each todo" not in render_mermaid("alone", {"DONE": TABLE["DONE"]})
