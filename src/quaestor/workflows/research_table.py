"""The states of research: what each takes and gives, who acts in it, and where it may lead."""

from collections.abc import Mapping

from quaestor.contracts.plan import PlanDraft, PlanUpdate
from quaestor.contracts.roles import (
    Clarity,
    Frame,
    Queries,
    Reading,
    Reflection,
)
from quaestor.contracts.tools import Proof, Rechecked, SearchResults, Verdicts
from quaestor.contracts.workflow import StateRow
from quaestor.workflows.parts import rounds

TABLE: Mapping[str, StateRow] = {
    "CLARIFYING": StateRow(
        takes="question, context",
        gives=Clarity,
        role="clarifier",
        leads_to=frozenset({"PLANNING", "REFRESHING", "DONE"}),
    ),
    "PLANNING": StateRow(
        takes="question, answers, memory",
        gives=PlanDraft,
        role="planner",
        leads_to=frozenset({"REVIEWING_PLAN", "DONE"}),
    ),
    "REVIEWING_PLAN": StateRow(
        takes="the plan, which a person confirms, edits or declines", leads_to=frozenset({"EXECUTING", "DONE"})
    ),
    "REFRESHING": StateRow(
        takes="the sources that the report cites",
        gives=Rechecked,
        tools=frozenset({"recheck"}),
        leads_to=frozenset({"EXECUTING", "DONE"}),
    ),
    "EXECUTING": StateRow(
        takes="the plan, every ready todo lives its own life", leads_to=frozenset({"WRITING", "DONE"})
    ),
    "SCOUTING": StateRow(
        takes="task, what was seen, for the agent of a delegated todo",
        tools=frozenset({"search", "fetch", "survey", "consult", "operate"}),
        per_todo=True,
        leads_to=frozenset({"SEARCHING", "FETCHING", "DELEGATING", "RECORDING"}),
    ),
    "DELEGATING": StateRow(
        takes="what the agent has seen -> the agent's own contract",
        per_todo=True,
        leads_to=frozenset({"QUOTING", "RECORDING"}),
    ),
    "QUERYING": StateRow(
        takes="task, gap, what is known",
        gives=Queries,
        role="query_writer",
        per_todo=True,
        leads_to=frozenset({"SEARCHING", "FETCHING", "READING", "REFLECTING", "RECORDING"}),
    ),
    "SEARCHING": StateRow(
        takes="queries, and calls that an agent chose",
        gives=SearchResults,
        tools=frozenset({"search", "web_search", "consult", "operate"}),
        per_todo=True,
        leads_to=frozenset({"FETCHING", "READING", "REFLECTING", "RECORDING", "SCOUTING", "DELEGATING"}),
    ),
    "FETCHING": StateRow(
        takes="pages that were named, found or linked -> their passages for the queries",
        gives=SearchResults,
        tools=frozenset({"fetch", "pick"}),
        per_todo=True,
        leads_to=frozenset({"READING", "REFLECTING", "RECORDING", "SCOUTING", "DELEGATING"}),
    ),
    "READING": StateRow(
        takes="passages, or findings for an analysis",
        gives=Reading,
        role="reader",
        per_todo=True,
        leads_to=frozenset({"QUOTING", "REFLECTING", "RECORDING"}),
    ),
    "QUOTING": StateRow(
        takes="what the reader says stands there",
        gives=Proof,
        tools=frozenset({"prove"}),
        per_todo=True,
        leads_to=frozenset({"REFLECTING", "RECORDING"}),
    ),
    "REFLECTING": StateRow(
        takes="task, findings",
        gives=Reflection,
        role="reflector",
        per_todo=True,
        leads_to=frozenset({"QUERYING", "RECORDING"}),
    ),
    **rounds.table("DEPOSITING", per_todo=True),
    "DEPOSITING": StateRow(
        takes="what the programs of a todo printed",
        gives=SearchResults,
        tools=frozenset({"deposit"}),
        per_todo=True,
        leads_to=frozenset({"READING", "RECORDING"}),
    ),
    "RECORDING": StateRow(takes="everything the todo gathered", per_todo=True, leads_to=frozenset({"UPDATING_PLAN"})),
    "UPDATING_PLAN": StateRow(takes="todo outcome, plan digest", gives=PlanUpdate, role="reviewer", per_todo=True),
    "WRITING": StateRow(takes="ledger, memory", gives=Frame, role="writer", leads_to=frozenset({"VERIFYING", "DONE"})),
    "VERIFYING": StateRow(
        takes="the findings the draft cites, and its sentences where a checker is wanted",
        gives=Verdicts,
        role="checker",
        tools=frozenset({"verify"}),
        leads_to=frozenset({"DONE"}),
    ),
    "DONE": StateRow(takes="the report, or the plain statement that there is none"),
}
