"""The acceptance points of the research workflow, each seen in the event log."""

import asyncio
from collections.abc import Mapping, Sequence
from functools import reduce
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from fakes.sample import sample
from fakes.sittings import sit
from quaestor.contracts.command import Cancel
from quaestor.contracts.event import SESSION_SCOPE, StateEntered, ToolResponded
from quaestor.contracts.immutable import replace
from quaestor.research.contracts.plan import TodoStatus
from quaestor.research.events import PlanUpdated
from quaestor.research.table import TABLE
from quaestor.research.workflow import Research as Workflow
from research.conftest import Entries, Ran, Research, todos

LIGHTHOUSE = "When was the Aldmouth lighthouse built?"
BELL = "When was the fog bell of Aldmouth cast?"
LIGHTS = "When were the leading lights of Aldmouth lit?"
GUILD = "Who collected light dues in Aldmouth?"


async def test_independent_todos_all_start_before_any_ends(research: Research) -> None:
    ran = await research({"planner": todos(LIGHTHOUSE, BELL, LIGHTS)})
    ends = min(event.seq for event in ran.of("todo_recorded"))
    assert [event.seq < ends for event in ran.of("todo_started")] == [True, True, True]


async def test_a_todo_starts_when_its_dependencies_are_done_while_a_slow_one_still_runs(tmp_path: Path) -> None:
    planner = todos(LIGHTHOUSE, BELL, {"task": GUILD, "dependencies": ["t1", "t2"]}, LIGHTS)
    sitting = await sit(tmp_path, {"planner": planner, "query_writer": [{"todo": "t4", "latency": 30}]})
    running = asyncio.create_task(sitting.run())
    await sitting.until(lambda event: event.type == "todo_recorded" and event.todo_id == "t3")
    assert await sitting.tell(Cancel()) is None
    await running
    events = [(event.type, event.todo_id) for event in await sitting.events()]
    recorded = [todo for kind, todo in events if kind == "todo_recorded"]
    assert (sorted(map(str, recorded[:2])), recorded[2:]) == (["t1", "t2"], ["t3"])
    assert events.index(("todo_recorded", recorded[1])) < events.index(("todo_started", "t3"))
    assert ("todo_started", "t4") in events


async def test_there_is_one_ledger_entry_and_one_memory_line_a_todo(research: Research) -> None:
    ran = await research({"planner": todos(LIGHTHOUSE, BELL, LIGHTS, GUILD)})
    assert list(ran.state.entries) == ["t1", "t2", "t3", "t4"]
    assert [line.todo_ids for line in ran.state.memory] == [("t1",), ("t2",), ("t3",), ("t4",)]


async def test_a_todo_that_never_suffices_uses_up_its_own_loops_only(research: Research) -> None:
    never = {"is_sufficient": False, "knowledge_gap": "more", "follow_up_queries": ["fog bell", "brig", "mole"]}
    ran = await research(
        {
            "planner": todos(LIGHTHOUSE, {"task": BELL, "dependencies": ["t1"]}),
            "reviewer": [{"todo": "t1", "reply": never, "times": 9}],
        },
        loops=3,
    )
    reviews = [event for event in ran.of("contract_accepted", "t1") if event.payload.model_dump()["role"] == "reviewer"]
    assert len(reviews) == 3
    assert ran.of("model_requested", "t2")[0].payload.model_dump()["key"] == "todo/t2/query/1"
    first = ran.state.plan.todo("t1")
    assert first is not None
    assert "more" in first.gaps


async def test_what_is_gathered_keeps_its_todo_whichever_search_ends_first(research: Research) -> None:
    ran = await research(
        {
            "planner": todos(LIGHTHOUSE, BELL, LIGHTS),
            "query_writer": [{"todo": "t1", "latency": 0.2}, {"todo": "t2", "latency": 0.1}],
        }
    )
    for entry in ran.state.entries.values():
        assert {finding.id.partition("/")[0] for finding in entry.findings} == {entry.todo_id}
    asked = {event.payload.model_dump()["key"]: event for event in ran.of("tool_requested")}
    for event in ran.of("tool_responded"):
        assert event.todo_id == asked[event.payload.model_dump()["key"]].todo_id


async def test_no_query_is_searched_twice_in_a_session(research: Research) -> None:
    same = {"queries": ["Aldmouth lighthouse built", "Henrike Vos"]}
    ran = await research({"planner": todos(LIGHTHOUSE, BELL), "query_writer": [{"reply": same}]}, queries=2, loops=1)
    searches = [
        event.payload.model_dump()
        for event in ran.of("tool_requested")
        if event.payload.model_dump()["tool"] == "search"
    ]
    assert [search["given"]["query"] for search in searches] == same["queries"]
    assert set(ran.state.entries) == {"t1", "t2"}


async def test_growth_without_end_stops_at_the_cap_with_the_reason(research: Research) -> None:
    script: Entries = {
        "planner": todos(LIGHTHOUSE, BELL),
        "reviewer": [
            {
                "todo": todo_id,
                "reply": {
                    "is_sufficient": True,
                    "new_todos": [f"Look closer at {todo_id}, one", f"Look closer at {todo_id}, two"],
                },
            }
            for todo_id in ("t1", "t2", "t1.1", "t2.1", "t1.2", "t2.2")
        ],
    }
    ran = await research(script, max_todos=5, effort="low")
    assert len(ran.state.plan.todos) == 5
    refused = [reason for event in ran.of("plan_updated") for reason in event.payload.model_dump()["refused"]]
    assert any("5 todos are used up" in reason for reason in refused)
    assert ran.result.report is not None
    assert any("5 todos are used up" in gap for gap in ran.result.report.gaps)


FAILED = {"is_sufficient": False, "knowledge_gap": "It is about something else.", "status": "failed"}


async def test_what_a_reviewer_fails_leaves_the_report_and_is_tried_again(research: Research) -> None:
    ran = await research({"planner": todos(LIGHTHOUSE, BELL), "reviewer": [{"todo": "t1", "reply": FAILED}]}, loops=1)
    failed, retry = ran.state.plan.todo("t1"), ran.state.plan.todo("t1.1")
    assert failed
    assert retry
    assert (failed.status, retry.retries, retry.status) == (TodoStatus.FAILED, "t1", TodoStatus.DONE)
    assert "t1" in ran.state.ledger
    assert list(ran.state.entries) == ["t1.1", "t2"]
    assert ran.result.outcome == "done"
    assert ran.result.report
    cited = {each.finding.partition("/")[0] for claim in ran.result.report.claims() for each in claim.citations}
    assert "t1.1" in cited
    assert "t1" not in cited


async def test_a_run_whose_todo_failed_for_good_is_partial_and_names_what_it_blocked(research: Research) -> None:
    planner = todos(LIGHTHOUSE, {"task": BELL, "dependencies": ["t1"]}, LIGHTS)
    failing = [{"todo": todo_id, "reply": FAILED} for todo_id in ("t1", "t1.1", "t1.2", "t1.1.1")]
    ran = await research({"planner": planner, "reviewer": failing}, loops=1)
    assert ran.result.outcome == "partial"
    assert "t2 blocked" in ran.result.statement
    assert ran.result.report
    assert ran.result.report.partial
    assert "t2 blocked" in ran.result.report.partial
    assert [line.partition(":")[0] for line in ran.result.report.blocked] == ["t2"]
    assert ran.of("todo_started", "t2") == []


async def test_a_todo_waits_for_the_review_of_what_it_depends_on_and_its_siblings_do_not(research: Research) -> None:
    planner = todos(LIGHTHOUSE, {"task": BELL, "dependencies": ["t1"]}, LIGHTS)
    ran = await research({"planner": planner, "reviewer": [{"todo": "t1", "latency": 0.2}]})
    [reviewed] = ran.of("plan_updated", "t1")
    assert ran.seq("todo_started", "t3") < reviewed.seq < ran.seq("todo_started", "t2")


async def test_the_first_searches_are_those_of_the_planner(research: Research) -> None:
    planner = todos(
        {"task": LIGHTHOUSE, "queries": ["Aldmouth lighthouse", "Henrike Vos", "Aldmouth lighthouse"]}, BELL
    )
    ran = await research({"planner": planner}, queries=2, loops=1)
    asked = [event.payload.model_dump() for event in ran.of("tool_requested", "t1")]
    searched = [one["given"]["query"] for one in asked if one["tool"] == "search"]
    assert searched == ["Aldmouth lighthouse", "Henrike Vos"]
    roles = [event.payload.model_dump()["role"] for event in ran.of("model_requested")]
    assert roles.count("query_writer") == 1


@pytest.mark.parametrize(("queries", "used"), [(["a b", "c d", "e f"], 2), (["a b"], 1), (["a b", "A  B"], 1)])
async def test_of_queries_that_are_too_many_or_too_few_the_usable_ones_are_searched(
    research: Research, queries: list[str], used: int
) -> None:
    script: Entries = {"planner": todos(LIGHTHOUSE), "query_writer": [{"reply": {"queries": queries}}]}
    ran = await research(script, queries=2, loops=1)
    asked = [event.payload.model_dump() for event in ran.of("tool_requested", "t1")]
    assert [one["given"]["query"] for one in asked if one["tool"] == "search"] == queries[:used]
    assert ran.of("contract_rejected") == []


@pytest.mark.parametrize(("max_todos", "loops", "reviews"), [(1, 1, 0), (1, 2, 1), (2, 1, 1)])
async def test_a_review_from_which_nothing_could_follow_is_not_asked_for(
    research: Research, max_todos: int, loops: int, reviews: int
) -> None:
    ran = await research({"planner": todos(LIGHTHOUSE)}, max_todos=max_todos, loops=loops)
    roles = [event.payload.model_dump()["role"] for event in ran.of("model_requested")]
    assert roles.count("reviewer") == reviews
    assert ran.result.outcome == "done"


async def test_a_section_of_many_findings_is_written_while_a_later_todo_is_still_at_work(tmp_path: Path) -> None:
    script: Entries = {"planner": todos(LIGHTHOUSE, BELL), "query_writer": [{"todo": "t2", "latency": 60}]}
    sitting = await sit(tmp_path, script, prompt_characters=500)
    running = asyncio.create_task(sitting.run())
    await sitting.until(lambda event: (event.type, event.state) == ("model_requested", "DRAFTING"))
    assert await sitting.tell(Cancel()) is None
    await running
    events = [(event.type, event.todo_id) for event in await sitting.events()]
    assert ("todo_recorded", "t1") in events
    assert ("todo_recorded", "t2") not in events


async def test_of_too_many_todos_the_first_are_carried_out_and_the_others_are_gaps(research: Research) -> None:
    ran = await research({"planner": todos(LIGHTHOUSE, BELL, "Who kept it?")}, max_todos=2, loops=1)
    assert [todo.task for todo in ran.state.plan.todos] == [LIGHTHOUSE, BELL]
    assert ran.result.report
    assert ran.result.report.assumptions == ()
    assert "'Who kept it?' is not added: the session's 2 todos are used up" in ran.result.report.gaps


async def test_a_todo_that_the_planner_repeats_is_carried_out_once(research: Research) -> None:
    again = {"task": f" {LIGHTHOUSE.upper()}", "dependencies": ["t1"]}
    builder = {"task": "What did it cost?", "dependencies": ["t2"]}
    ran = await research({"planner": todos(LIGHTHOUSE, again, builder)})
    assert [(todo.task, todo.dependencies) for todo in ran.state.plan.todos] == [
        (LIGHTHOUSE, ()),
        ("What did it cost?", ("t1",)),
    ]


async def test_a_reviewer_that_proposes_without_end_takes_one_line_of_the_gaps(research: Research) -> None:
    more = {"is_sufficient": True, "summary": "s", "new_todos": [f"What of part {number}?" for number in range(5)]}
    ran = await research({"planner": todos(LIGHTHOUSE), "reviewer": [{"reply": more, "times": 9}]}, max_todos=1)
    assert ran.result.report
    [line] = [gap for gap in ran.result.report.gaps if "used up" in gap]
    assert line.startswith("5 todos are not added: the session's 1 todos are used up: 'What of part 0?', ")
    assert line.endswith(" and 2 more")


async def test_what_the_planner_assumed_is_on_record_and_in_the_report(research: Research) -> None:
    planner = [{"reply": {"todos": [{"task": LIGHTHOUSE}], "assumptions": ["Aldmouth is the port."]}}]
    ran = await research({"planner": planner})
    assert ran.result.report
    assert ran.result.report.assumptions == ("Aldmouth is the port.",)
    assert [event.payload.model_dump()["assumptions"] for event in ran.of("plan_created")] == [
        ("Aldmouth is the port.",)
    ]


async def test_a_false_quote_is_refused(research: Research) -> None:
    ran = await research({"planner": todos(LIGHTHOUSE, BELL)}, effort="low")
    source = ran.state.all_findings()[0].quotes[0].source
    lie = {
        "claim": "It was built in 1900.",
        "quotes": [{"source": source, "text": "The lighthouse was built in 1900."}],
    }
    ran = await research(
        {"planner": todos(LIGHTHOUSE, BELL), "reader": [{"todo": "t1", "reply": {"findings": [lie]}}]}, effort="low"
    )
    assert ran.state.entries["t1"].findings == ()
    proofs = [event.payload for event in ran.of("tool_responded", "t1")]
    assert any(
        "1900" in str(fact.result) for fact in proofs if isinstance(fact, ToolResponded) and fact.tool == "prove"
    )
    assert ran.result.report is not None
    assert "1900" not in ran.result.report.model_dump_json()


@pytest.mark.parametrize("unsupported", ["mark", "drop"])
async def test_a_claim_without_a_finding_is_marked_or_dropped(research: Research, unsupported: str) -> None:
    section = {"heading": "Built", "sentences": [{"text": "It was the tallest of all.", "findings": []}]}
    ran = await research(
        {"planner": todos(LIGHTHOUSE, BELL), "writer": [{"todo": "t1", "reply": section}]}, unsupported=unsupported
    )
    assert ran.result.report is not None
    claims = {claim.text: claim.quoted for claim in ran.result.report.claims()}
    assert claims.get("It was the tallest of all.") is (False if unsupported == "mark" else None)
    assert any(claims.values())


async def test_a_reference_to_a_finding_that_was_not_given_is_answered(research: Research) -> None:
    section = {"heading": "Built", "sentences": [{"text": "Tall.", "findings": ["t9/1"]}]}
    ran = await research({"planner": todos(LIGHTHOUSE, BELL), "writer": [{"todo": "t1", "reply": section}]})
    rejected = [event.payload.model_dump() for event in ran.of("contract_rejected", "t1")]
    assert rejected[0]["objections"] == ("no finding has the id 't9/1'",)


async def test_a_failing_branch_does_not_spoil_the_others(research: Research) -> None:
    ran = await research(
        {
            "planner": todos(LIGHTHOUSE, BELL, {"task": GUILD, "dependencies": ["t2"]}),
            "reader": [{"todo": todo_id, "fault": "error", "times": 3} for todo_id in ("t2", "t2.1", "t2.1.1")],
        },
        effort="low",
    )
    assert ran.result.outcome == "partial"
    report = ran.result.report
    assert report is not None
    assert "1831" in report.model_dump_json()
    status = {todo.id: todo.status for todo in ran.state.plan.todos}
    assert status["t2.1.1"] is TodoStatus.FAILED
    assert status["t3"] is TodoStatus.BLOCKED
    assert any("The reader gave no usable answer" in gap for gap in report.gaps)
    assert report.blocked
    assert report.blocked[0].startswith("t3")


async def test_a_planner_that_fails_three_times_is_replaced_by_one_todo(research: Research) -> None:
    ran = await research({"planner": [{"fault": "garbage", "times": 3}]}, question=LIGHTHOUSE)
    assert [todo.task for todo in ran.state.plan.todos] == [LIGHTHOUSE]
    assert ran.of("plan_created")[0].payload.model_dump()["fallback"]
    assert ran.result.report is not None


@pytest.mark.parametrize("role", ["query_writer", "reader", "reviewer", "writer"])
@pytest.mark.parametrize("fault", ["garbage", "error"])
async def test_a_role_that_always_fails_never_breaks_the_run(research: Research, role: str, fault: str) -> None:
    ran = await research(
        {"planner": todos(LIGHTHOUSE, BELL), role: [{"fault": fault, "times": 500}]}, effort="low", max_todos=4
    )
    assert ran.result.status == "finished"
    nothing = role == "reader"
    assert ran.result.outcome == ("no_result" if nothing else "done")
    assert (ran.result.report is None) == nothing
    assert not nothing or ran.result.statement.startswith("No report: every todo failed, so what the sources hold")


async def test_a_sentence_on_findings_of_nobody_is_left_out_and_the_others_are_written(research: Research) -> None:
    sentences = [{"text": "It is old.", "findings": ["t1/1"]}, {"text": "It is blue.", "findings": ["t1/1", "t9/9"]}]
    writer: Sequence[Mapping[str, object]] = [
        {"todo": "t1", "reply": {"heading": "Lights", "sentences": sentences}},
        {"todo": None, "reply": {"title": "Lights", "summary": sentences}},
    ]
    ran = await research({"planner": todos(LIGHTHOUSE), "writer": writer}, effort="low")
    assert not ran.of("contract_rejected")
    assert ran.result.report
    assert [claim.text for claim in ran.result.report.claims()] == ["It is old."]
    assert [claim.text for claim in ran.result.report.summary] == ["It is old."]


async def test_where_nobody_writes_queries_the_task_is_searched_and_then_what_the_reviewer_asked_for(
    research: Research,
) -> None:
    more = {"is_sufficient": False, "knowledge_gap": "The bell.", "follow_up_queries": [BELL]}
    script: dict[str, Sequence[Mapping[str, object]]] = {
        "planner": todos(LIGHTHOUSE),
        "query_writer": [{"fault": "garbage", "times": 500}],
        "reviewer": [{"todo": "t1", "reply": more}],
    }
    ran = await research(script, effort="medium")
    asked = [event.payload.model_dump() for event in ran.of("tool_requested", "t1")]
    searched = [one["given"]["query"] for one in asked if one["tool"] == "search"]
    assert searched == [LIGHTHOUSE, BELL]
    assert ran.result.outcome == "done"


async def test_todos_that_wait_for_each_other_or_for_nobody_are_carried_out(research: Research) -> None:
    plan = todos(
        {"task": LIGHTHOUSE, "dependencies": ["t2", "t9"]},
        {"task": BELL, "dependencies": ["t1", "t2"]},
    )
    ran = await research({"planner": plan}, effort="low")
    assert [todo.dependencies for todo in ran.state.plan.todos] == [(), ("t1",)]
    assert ran.result.outcome == "done"
    assert len(ran.of("model_requested")) == len(
        {event.payload.model_dump()["key"] for event in ran.of("model_requested")}
    )


async def test_the_budget_ends_in_a_partial_report(research: Research) -> None:
    ran = await research({"planner": todos(LIGHTHOUSE, BELL, LIGHTS, GUILD)}, max_model_calls=16, parallel=1)
    assert ran.result.outcome == "partial"
    assert ran.state.spend.model_calls <= 16
    assert ran.result.report is not None
    assert ran.result.report.partial is not None
    assert "model_calls: 16" in ran.result.report.partial


@pytest.mark.parametrize("steps", [1, 5, 9, 14, 20])
async def test_the_cap_on_steps_ends_the_growth_with_the_reason(research: Research, steps: int) -> None:
    ran = await research({"planner": todos(LIGHTHOUSE, BELL, LIGHTS, GUILD)}, max_steps=steps)
    assert [event.payload.model_dump()["limit"] for event in ran.of("budget_reached")] == [f"steps: {steps}"]
    assert ran.result.outcome == ("partial" if ran.result.report else "no_result")
    assert f"steps: {steps}" in (ran.result.report.partial or "" if ran.result.report else ran.result.statement)
    gathered = next(event.seq for event in ran.of("budget_reached"))
    late = [event for event in ran.of("model_requested") if event.seq > gathered]
    assert {event.payload.model_dump()["role"] for event in late} <= {"writer"}


async def test_the_tools_a_todo_used_are_those_it_used(research: Research) -> None:
    script: Entries = {"planner": todos(LIGHTHOUSE, {"task": BELL, "kind": "analysis", "dependencies": ["t1"]})}
    ran = await research(script)
    assert [todo.tools_used for todo in ran.state.plan.todos] == [("search", "prove"), ("prove",)]


@pytest.mark.parametrize("calls", range(9))
async def test_no_budget_is_too_small_for_an_honest_end(research: Research, calls: int) -> None:
    ran = await research({"planner": todos(LIGHTHOUSE, BELL)}, max_model_calls=calls, effort="low")
    assert ran.result.status == "finished"
    assert ran.result.outcome in {"partial", "no_result"}
    assert ran.state.spend.model_calls <= calls


async def test_sources_that_contradict_each_other_are_both_cited(research: Research) -> None:
    said = "The Aldmouth lighthouse was built in {} by the engineer Henrike Vos."
    first = await research({}, question=LIGHTHOUSE, more=said.format(1835))
    hits = [hit for search in first.state.outcomes.searches.values() for hit in search.hits]
    sources = {Path(hit.uri).stem: hit.passage.source for hit in hits if "engineer" in hit.passage.text}
    readers = [
        {
            "todo": todo_id,
            "reply": {"findings": [{"claim": words, "quotes": [{"source": sources[name], "text": words}]}]},
        }
        for todo_id, name, words in (
            ("t1", "lighthouse", said.format(1831)),
            ("t2", "more", said.format(1835)),
        )
    ]
    script: Entries = {"planner": todos(LIGHTHOUSE, "Which engineer built it?"), "reader": readers}
    report = (await research(script, more=said.format(1835), effort="low")).result.report
    assert report is not None
    [contradiction] = report.contradictions
    assert contradiction.values == ("1831", "1835")
    assert {citation.source for claim in report.disputed for citation in claim.citations} == set(sources.values())
    assert all(claim.quoted for claim in report.disputed)


async def test_without_evidence_there_is_no_report(research: Research) -> None:
    ran = await research({}, question="What is the boiling point of tungsten in kelvin?")
    assert ran.result.outcome == "no_result"
    assert ran.result.report is None
    assert ran.of("report_written") == []
    assert "No report: nothing that was found" in ran.result.statement


async def test_the_order_in_which_todos_end_does_not_matter(research: Research) -> None:
    planner = todos(LIGHTHOUSE, BELL, LIGHTS, {"task": GUILD, "dependencies": ["t1"]})
    slow: list[Entries] = [
        {
            "planner": planner,
            "query_writer": [{"todo": todo_id, "latency": 0.3}],
            "reviewer": [{"todo": other, "latency": 0.2}],
        }
        for todo_id, other in [("t1", "t3"), ("t2", "t1"), ("t3", "t2")]
    ]
    reports = [(await research(script)).result.report for script in [{"planner": planner}, *slow]]
    texts = {report.model_dump_json(exclude={"sources": True, "making": {"model"}}) for report in reports if report}
    assert len(texts) == 1
    assert all(reports)


async def test_next_is_pure_and_its_keys_are_unique_at_every_moment(research: Research) -> None:
    ran = await research({"planner": todos(LIGHTHOUSE, {"task": BELL, "dependencies": ["t1"]})})
    workflow = Workflow()
    state = workflow.begin()
    for event in ran.events:
        state = workflow.apply(state, event)
        before = repr(state)
        wanted = workflow.next(state)
        assert list(workflow.next(state)) == list(wanted)
        assert repr(state) == before
        keys = [action.key for action in wanted]
        assert len(set(keys)) == len(keys)


async def test_every_transition_is_in_the_state_table(research: Research) -> None:
    ran = await research({"planner": todos(LIGHTHOUSE, BELL), "reader": [{"todo": "t1", "fault": "error", "times": 3}]})
    paths: dict[str, list[str]] = {}
    for event in ran.events:
        if isinstance(event.payload, StateEntered):
            paths.setdefault(event.payload.scope, []).append(event.state)
    assert paths[SESSION_SCOPE] == [
        "PLANNING",
        "REVIEWING_PLAN",
        "EXECUTING",
        "WRITING",
        "VERIFYING",
        "DONE",
    ]
    for path in paths.values():
        assert all(after in TABLE[before].leads_to for before, after in pairwise(path))


@pytest.mark.parametrize("count", sample([40, 200], lambda place: place == 0))
async def test_neither_prompts_nor_memory_grow_with_the_number_of_todos(research: Research, count: int) -> None:
    found = (await research({"planner": todos(LIGHTHOUSE, BELL)}, effort="low")).state.all_findings()
    drafts = [
        {
            "claim": f"{finding.claim} ({place})",
            "quotes": [quote.model_dump(include={"source", "text"}) for quote in finding.quotes],
        }
        for place, finding in enumerate(found[:1] * 4)
    ]

    def chain(length: int) -> Entries:
        names = ["t1", *("t1" + ".1" * depth for depth in range(1, length - 1))]
        return {
            "planner": todos(LIGHTHOUSE, BELL),
            "reader": [{"reply": {"findings": drafts}, "times": 9}],
            "reviewer": [
                {
                    "todo": name,
                    "reply": {
                        "is_sufficient": True,
                        "new_todos": [f"{LIGHTHOUSE} Look at it once more, for the {place}th time."],
                    },
                }
                for place, name in enumerate(names)
            ],
        }

    def largest(ran: Ran) -> int:
        return max(len(event.payload.model_dump_json(include={"given"})) for event in ran.of("model_requested"))

    few = await research(chain(20), effort="low", max_todos=20, max_depth=300)
    many = await research(chain(count), effort="low", max_todos=count, max_depth=300)
    assert (len(few.state.plan.todos), len(many.state.plan.todos)) == (20, count)
    assert largest(many) <= 1.1 * largest(few)
    assert many.of("memory_compressed")
    assert sum(len(line.text) for line in many.state.memory) <= many.state.options.memory_characters + 1000
    assert sorted(todo_id for line in many.state.memory for todo_id in line.todo_ids) == sorted(many.state.entries)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.data())
def test_the_fold_of_a_prefix_and_then_the_rest_is_the_fold_of_all(whole: Ran, data: st.DataObject) -> None:
    workflow = Workflow()
    cut = data.draw(st.integers(0, len(whole.events)))
    state = replace(workflow.begin(), todo_workflows=whole.state.todo_workflows)  # of the program, in no event
    for event in whole.events[:cut]:
        state = workflow.apply(state, event)
    before = repr(state)
    again = reduce(workflow.apply, whole.events[cut:], state)
    assert again == whole.state
    assert repr(state) == before


@pytest.fixture
async def whole(research: Research) -> Ran:
    return await research({"planner": todos(LIGHTHOUSE, BELL)}, effort="low")


async def test_a_review_is_on_record_for_every_todo_that_ended(research: Research) -> None:
    ran = await research({"planner": todos(LIGHTHOUSE, BELL)})
    reviewed = [
        event.payload.update.completed_todo_id
        for event in ran.of("plan_updated")
        if isinstance(event.payload, PlanUpdated)
    ]
    assert sorted(reviewed) == ["t1", "t2"]
