"""The states of research: input, output, role, tools and next states of each."""

from collections.abc import Mapping

from quaestor.contracts.todo import TODO_END
from quaestor.contracts.tools import SearchResults
from quaestor.contracts.workflow import StateSpec
from quaestor.research.contracts.plan import PlanDraft
from quaestor.research.contracts.roles import Clarity, Queries, Reading, Review
from quaestor.research.contracts.tools import Proof, RecheckResult, Verdicts
from quaestor.research.contracts.writing import Frame, Section

TABLE: Mapping[str, StateSpec] = {
    "CLARIFYING": StateSpec(
        takes="question, context",
        gives=Clarity,
        role="clarifier",
        leads_to=frozenset({"PLANNING", "REFRESHING", "DONE"}),
    ),
    "PLANNING": StateSpec(
        takes="question, answers, memory",
        gives=PlanDraft,
        role="planner",
        leads_to=frozenset({"REVIEWING_PLAN", "DONE"}),
    ),
    "REVIEWING_PLAN": StateSpec(
        takes="the plan, which a person confirms, edits or declines", leads_to=frozenset({"EXECUTING", "DONE"})
    ),
    "REFRESHING": StateSpec(
        takes="the sources that the report cites",
        gives=RecheckResult,
        tools=frozenset({"recheck"}),
        leads_to=frozenset({"EXECUTING", "DONE"}),
    ),
    "EXECUTING": StateSpec(
        takes="the plan, every ready todo lives its own life", leads_to=frozenset({"WRITING", "DONE"})
    ),
    "SCOUTING": StateSpec(
        takes="task, what was seen, for the agent of a delegated todo",
        tools=frozenset({"search", "fetch", "survey", "consult", "operate"}),
        per_todo=True,
        leads_to=frozenset({"SEARCHING", "FETCHING", "DELEGATING", "REVIEWING", "RECORDING"}),
    ),
    "DELEGATING": StateSpec(
        takes="what the agent has seen -> the agent's own contract",
        per_todo=True,
        leads_to=frozenset({"QUOTING", "REVIEWING", "RECORDING"}),
    ),
    "QUERYING": StateSpec(
        takes="task, gap, what is known",
        gives=Queries,
        role="query_writer",
        per_todo=True,
        leads_to=frozenset({"SEARCHING", "FETCHING", "READING", "REVIEWING", "RECORDING"}),
    ),
    "SEARCHING": StateSpec(
        takes="queries, and calls that an agent chose",
        gives=SearchResults,
        tools=frozenset({"search", "search_web", "consult", "operate"}),
        per_todo=True,
        leads_to=frozenset({"FETCHING", "READING", "REVIEWING", "RECORDING", "SCOUTING", "DELEGATING"}),
    ),
    "FETCHING": StateSpec(
        takes="pages that were named, found or linked -> their passages for the queries",
        gives=SearchResults,
        tools=frozenset({"fetch", "pick"}),
        per_todo=True,
        leads_to=frozenset({"READING", "REVIEWING", "RECORDING", "SCOUTING", "DELEGATING"}),
    ),
    "READING": StateSpec(
        takes="passages, or findings for an analysis",
        gives=Reading,
        role="reader",
        per_todo=True,
        leads_to=frozenset({"QUOTING", "REVIEWING", "RECORDING"}),
    ),
    "QUOTING": StateSpec(
        takes="what the reader says stands there",
        gives=Proof,
        tools=frozenset({"prove"}),
        per_todo=True,
        leads_to=frozenset({"REVIEWING", "RECORDING"}),
    ),
    "REVIEWING": StateSpec(
        takes="task, findings or the failure, what else is planned",
        gives=Review,
        role="reviewer",
        per_todo=True,
        leads_to=frozenset({"QUERYING", "REVIEWING", "RECORDING"}),
    ),
    TODO_END: StateSpec(
        takes="what the workflow produced that carried the todo out",
        gives=SearchResults,
        tools=frozenset({"deposit"}),
        per_todo=True,
        leads_to=frozenset({"READING", "QUOTING", "REVIEWING", "RECORDING"}),
    ),
    "RECORDING": StateSpec(
        takes="everything the todo gathered",
        per_todo=True,
        leads_to=frozenset({"REVIEWING", "UPDATING_PLAN", "DRAFTING"}),
    ),
    "UPDATING_PLAN": StateSpec(
        takes="the last review of the todo, the plan", per_todo=True, leads_to=frozenset({"DRAFTING"})
    ),
    "DRAFTING": StateSpec(takes="findings of the todo", gives=Section, role="writer", per_todo=True),
    "WRITING": StateSpec(takes="ledger, memory", gives=Frame, role="writer", leads_to=frozenset({"VERIFYING", "DONE"})),
    "VERIFYING": StateSpec(
        takes="the findings the draft cites, and its sentences where a checker is wanted; or the quotes of a brief",
        gives=Verdicts,
        role="checker",
        tools=frozenset({"verify", "contexts"}),
        leads_to=frozenset({"DONE"}),
    ),
    "DONE": StateSpec(takes="the report, or the plain statement that there is none"),
}
