"""Whole runs whose orchestrator delegates todos, to agents that are built in and to agents of one's own."""

import json
from itertools import pairwise
from pathlib import Path

import pytest
from pydantic import JsonValue
from typing_extensions import override

from agents.samples import drop
from fakes.openai_server import OpenAIServer
from fakes.openai_wire import Answer, Asked, Call, Calls
from fakes.papers import QUESTION, write_papers
from fakes.researcher import Researcher, fields, parts, todo
from online.conftest import settings
from quaestor.app import open_home
from quaestor.contracts.event import ContractRejected, ModelRequested, StateEntered, ToolRequested, ToolsChosen
from quaestor.research.contracts.optional_roles import DelegateToolInput
from quaestor.research.contracts.plan import TodoStatus
from quaestor.research.contracts.roles import ReadInput
from quaestor.research.table import TABLE
from quaestor.research.todos.delegated_todo import MAX_TOOL_PASSES
from research.conftest import Entries, Ran, Research, todos

LIGHTHOUSE = "When was the Aldmouth lighthouse built?"
BELL = "When was the fog bell of Aldmouth cast?"
WEIGH = "Weigh what was found of the Aldmouth lighthouse."
NAMES = "citation_checker, dates, fact_verifier, report_writer, researcher, summarizer, weigher"
REVIEWED = ["REVIEWING", "RECORDING", "UPDATING_PLAN"]
SCOUTED = ["SCOUTING", "SEARCHING", "SCOUTING", "DELEGATING", "QUOTING", *REVIEWED, "DRAFTING"]

DATES = """description: Searches for dates.
delegate: true
tools: [search]
input: {schema: [DelegateToolInput, ReadInput]}
output: {schema: Reading}"""
WEIGHER = """description: Weighs what was found.
delegate: true
input: {schema: ReadInput}
output: {schema: Reading}"""
SHOWN = '{{role "system"}}\nYou act.\n{{role "user"}}\n{{data "task"}}\n{{data "findings"}}\n{{data "hits"}}\n'


@pytest.fixture
def agents(tmp_path: Path) -> str:
    """Return a folder with an agent that has tools, and one that has none."""
    folder = tmp_path / "agents"
    folder.mkdir()
    drop(folder, "dates", front=DATES, template=f'{SHOWN}{{{{data "refused"}}}}\n')
    drop(folder, "weigher", front=WEIGHER, template=SHOWN)
    return str(folder)


def plan(*delegated: tuple[str, str | None]) -> Entries:
    """Return the script of an orchestrator whose todos, from the second on, build on the first."""
    after_first: list[list[str]] = [[], *([["t1"]] * (len(delegated) - 1))]
    drafts = [
        {"task": task, "agent": agent, "dependencies": before}
        for (task, agent), before in zip(delegated, after_first, strict=True)
    ]
    return {"orchestrator": todos(*drafts)}


def path(ran: Ran, todo_id: str) -> list[str]:
    """Return the states that a todo went through."""
    entered = ran.of("state_entered")
    return [one.state for one in entered if isinstance(one.payload, StateEntered) and one.payload.scope == todo_id]


def asked(ran: Ran, todo_id: str | None = None) -> list[ModelRequested]:
    payloads = (event.payload for event in ran.of("model_requested", todo_id))
    return [payload for payload in payloads if isinstance(payload, ModelRequested)]


def searched(ran: Ran, todo_id: str) -> list[str]:
    payloads = (event.payload for event in ran.of("tool_requested", todo_id))
    return [payload.tool for payload in payloads if isinstance(payload, ToolRequested)]


async def test_agents_of_ones_own_scout_with_tools_and_delegate_at_once_without(
    research: Research, agents: str
) -> None:
    script = plan((LIGHTHOUSE, "dates"), (WEIGH, "weigher"))
    ran = await research(script, orchestrate=True, agents=agents)
    assert path(ran, "t1") == SCOUTED
    assert path(ran, "t2") == ["DELEGATING", "QUOTING", *REVIEWED]
    for after_that in (path(ran, "t1"), path(ran, "t2")):
        assert all(later in TABLE[before].leads_to for before, later in pairwise(after_that))
    [weighed] = [one for one in asked(ran, "t2") if one.role == "weigher"]
    given = ReadInput.model_validate(weighed.given)
    assert (given.hits, given.findings) == ((), ran.state.entries["t1"].findings)
    assert (set(searched(ran, "t1")), searched(ran, "t2")) == ({"search", "prove"}, ["prove"])
    assert [one.tools_used for one in ran.state.plan.todos] == [("search", "prove"), ("prove",)]
    assert {"reader", "query_writer"}.isdisjoint(one.role for one in asked(ran))
    assert ran.result.report
    assert "1831" in ran.result.report.model_dump_json(include={"sections"})


async def test_a_tool_pass_has_no_contract_and_an_output_pass_no_tools(research: Research, agents: str) -> None:
    script = plan((LIGHTHOUSE, "dates"), (WEIGH, "weigher"), (BELL, "researcher"), (LIGHTHOUSE, None))
    ran = await research(script, orchestrate=True, agents=agents, effort="low")
    scouts = [event for event in ran.of("model_requested") if event.state == "SCOUTING"]
    passes = [event.payload for event in scouts if isinstance(event.payload, ModelRequested)]
    assert {(one.role, one.contract, one.tools) for one in passes} == {
        ("dates", None, ("search",)),
        ("researcher", None, ("search",)),
    }
    outputs = [one for one in asked(ran) if one not in passes]
    assert all(one.contract and not one.tools for one in outputs)
    assert {(one.key, one.contract) for one in outputs if one.key.endswith("/delegate")} == {
        ("todo/t1/delegate", "Reading"),
        ("todo/t2/delegate", "Reading"),
        ("todo/t3/delegate", "Reading"),
    }


@pytest.mark.parametrize(
    ("agent", "reply", "quoted"),
    [
        ("summarizer", {"text": "In short, it shines."}, False),
        (
            "report_writer",
            {"heading": "Light", "sentences": [{"text": "In short, it shines.", "findings": ["t1/1"]}]},
            True,
        ),
    ],
)
async def test_what_an_agent_writes_is_its_todos_section_proven_by_the_findings_it_names(
    research: Research, agent: str, reply: JsonValue, quoted: bool
) -> None:
    script = {**plan((LIGHTHOUSE, None), (WEIGH, agent)), agent: [{"reply": reply}]}
    ran = await research(script, orchestrate=True, effort="low")
    assert path(ran, "t2") == ["DELEGATING", *REVIEWED]
    assert [one.key for one in asked(ran, "t2") if one.role == "writer"] == []
    assert ran.result.report
    section = ran.result.report.sections[1]
    assert [(claim.text, claim.quoted) for claim in section.claims] == [("In short, it shines.", quoted)]


async def test_a_plan_with_an_agent_of_unknown_name_is_refused_with_the_names(research: Research, agents: str) -> None:
    refused, accepted = plan((LIGHTHOUSE, "clerk"), (BELL, None)), plan((LIGHTHOUSE, "dates"), (BELL, None))
    script = {"orchestrator": [*refused["orchestrator"], *accepted["orchestrator"]]}
    ran = await research(script, orchestrate=True, agents=agents, effort="low")
    [rejected] = [event.payload for event in ran.of("contract_rejected")]
    assert isinstance(rejected, ContractRejected)
    assert rejected.objections == (f"no agent is called 'clerk'; this run has {NAMES}",)
    assert [one.objections for one in asked(ran) if one.role == "orchestrator"] == [(), rejected.objections]
    assert [one.agent for one in ran.state.plan.todos] == ["dates", None]


async def test_a_follow_up_can_be_delegated_to_an_agent_that_exists(research: Research, agents: str) -> None:
    def review(agent: str) -> dict[str, object]:
        new = [{"task": "When did Anna Brandt keep the Aldmouth lighthouse?", "agent": agent}]
        return {"todo": "t1", "reply": {"is_sufficient": True, "new_todos": new}}

    script = {**plan((LIGHTHOUSE, None), (BELL, None)), "reviewer": [review("clerk"), review("dates")]}
    ran = await research(script, orchestrate=True, agents=agents, effort="low")
    [rejected] = [event.payload for event in ran.of("contract_rejected", "t1")]
    assert isinstance(rejected, ContractRejected)
    assert rejected.objections == (f"no agent is called 'clerk'; this run has {NAMES}",)
    assert path(ran, "t1.1") == SCOUTED[:-1]  # its findings are written with those of t1


async def test_without_an_orchestrator_no_agent_can_be_delegated_to(research: Research, agents: str) -> None:
    script = {"planner": todos({"task": LIGHTHOUSE, "agent": "dates"}, BELL)}
    ran = await research(script, agents=agents, effort="low")
    [rejected] = [event.payload for event in ran.of("contract_rejected")]
    assert isinstance(rejected, ContractRejected)
    assert rejected.objections == ("no agent is called 'dates'; this run has none",)
    assert {one.state for one in ran.events}.isdisjoint({"SCOUTING", "DELEGATING"})


@pytest.mark.parametrize(("fault", "retried"), [("garbage", False), ("error", True)])
async def test_a_todo_whose_agent_gives_no_contract_fails_and_the_agent_tries_again_unless_its_replies_were_refused(
    research: Research, agents: str, fault: str, retried: bool
) -> None:
    faults = [{"todo": "t1", "times": 2}, {"todo": "t1", "fault": fault, "times": 3}]
    script = {**plan((LIGHTHOUSE, "dates"), (BELL, None)), "dates": faults}
    ran = await research(script, orchestrate=True, agents=agents, effort="low")
    [failed] = [event.payload.model_dump() for event in ran.of("todo_failed", "t1")]
    assert failed["reason"].startswith("The dates gave no usable answer: ")
    again = ran.state.plan.todo("t1.1")
    assert bool(again) is retried
    if again:
        assert (again.agent, again.status, path(ran, "t1.1")[0]) == ("dates", TodoStatus.DONE, "SCOUTING")


class Orchestra(Researcher):
    """Delegates the lighthouse to `dates`, who makes these choices in turn, and the last one again and again."""

    def __init__(self, *choices: Answer) -> None:
        super().__init__()
        self._choices = choices
        self.scouted: list[Asked] = []

    @override
    def __call__(self, asked: Asked) -> Answer:
        if asked.tools:
            self.scouted.append(asked)
            return self._choices[min(len(self.scouted), len(self._choices)) - 1]
        if fields(asked) == {"assumptions", "todos"}:
            return json.dumps({"todos": [todo(LIGHTHOUSE, agent="dates"), todo(BELL)]})
        return super().__call__(asked)


def calls(*queries: str, tool: str = "search") -> tuple[Call, ...]:
    return tuple(
        Call(name=tool, arguments=json.dumps({"query": query}), id=f"{tool}{place}")
        for place, query in enumerate(queries)
    )


async def orchestrated(folder: Path, agents: str, orchestra: Orchestra) -> tuple[Ran, OpenAIServer]:
    async with OpenAIServer(orchestra) as server:
        options = {**settings(server), "orchestrate": True, "agents": agents}
        async with open_home(folder / "home", **options) as q:
            session_id = await q.start(QUESTION, await q.index([write_papers(folder)]))
            result = await q.run(session_id)
            return Ran(await q.events(session_id), await q.state(session_id), result), server


async def test_an_agent_that_would_search_for_ever_makes_few_tool_passes(tmp_path: Path, agents: str) -> None:
    tirelessly = [Calls(calls=calls(f"Aldmouth lighthouse {word}")) for word in ("built", "cost", "mole", "keeper")]
    orchestra = Orchestra(*tirelessly)
    ran, server = await orchestrated(tmp_path, agents, orchestra)
    assert len(orchestra.scouted) == MAX_TOOL_PASSES == 3
    passes = [DelegateToolInput.model_validate(one.given) for one in asked(ran, "t1") if one.tools]
    assert [one.passes_left for one in passes] == [2, 1, 0]
    assert [len(one.executed) for one in passes] == [0, 1, 2]
    assert path(ran, "t1") == [*["SCOUTING", "SEARCHING"] * 3, *SCOUTED[3:]]
    assert not any(one.tools and one.response_format for one in server.asked)
    assert ran.state.entries["t1"].findings
    assert ran.result.outcome == "done"


async def test_a_tool_that_an_agent_did_not_declare_is_refused_and_the_run_goes_on(tmp_path: Path, agents: str) -> None:
    mixed = Calls(calls=(*calls("https://example.org", tool="fetch"), *calls("Aldmouth lighthouse built")))
    orchestra = Orchestra(mixed, "enough")
    ran, _ = await orchestrated(tmp_path, agents, orchestra)
    chosen = [event.payload for event in ran.of("tools_chosen", "t1")]
    refusal = "fetch: no such tool; there is search"
    assert [one.refused for one in chosen if isinstance(one, ToolsChosen)] == [(refusal,), ()]
    assert [parts(one)["refused"] for one in orchestra.scouted] == ["", f"- {refusal}"]
    assert set(searched(ran, "t1")) == {"search", "prove"}
    assert path(ran, "t1") == SCOUTED
    assert ran.state.entries["t1"].findings
    assert ran.result.outcome == "done"


async def test_an_agent_that_wants_nothing_but_what_it_cannot_have_does_not_hold_up_the_run(
    tmp_path: Path, agents: str
) -> None:
    orchestra = Orchestra(Calls(calls=calls("https://example.org", tool="fetch")))
    ran, _ = await orchestrated(tmp_path, agents, orchestra)
    assert len(orchestra.scouted) == MAX_TOOL_PASSES * 3  # the todo is tried again twice
    assert (path(ran, "t1"), searched(ran, "t1")) == (["SCOUTING", *REVIEWED], [])
    assert ran.state.entries["t2"].findings
    assert ran.result.outcome == "partial"
