"""Samples of each given, as they follow each other in a run; and agents dropped into a directory."""

from collections.abc import Callable, Iterator, Mapping
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from fakes.findings import finding, hit
from quaestor.agents.front_matter import contract_names
from quaestor.contracts.errors import UsageError
from quaestor.contracts.model import ModelRequest, OutputRequest, ToolOffer, ToolsRequest
from quaestor.contracts.roles import AgentCard, PromptInput, RoleInput
from quaestor.research.contracts.delegate_verdicts import CitationInput, FactInput
from quaestor.research.contracts.optional_roles import (
    CheckInput,
    DelegateSummaryInput,
    DelegateToolInput,
    QuotedSentence,
)
from quaestor.research.contracts.roles import (
    ClarifyInput,
    PlanInput,
    PlanOutlineItem,
    QueriesInput,
    ReadInput,
    ReviewInput,
)
from quaestor.research.contracts.writing import FrameInput, SectionInput, SummarizeInput
from quaestor.runtime.registry import RoleInputs, built_in_plugins
from quaestor.runtime.session_setup import load_all_agents

INPUT_TYPES = RoleInputs()
QUESTION = "Who built the lighthouse of Amrum, when, and how high is it?"


def asked(role: str, given: PromptInput, **more: Any) -> ModelRequest:  # noqa: ANN401 -- fields of the request
    """Return the request of a role, a tool pass for a DelegateToolInput."""
    what = {"key": "k", "todo_id": None, "role": role, "ordinal": 1, "attempt": 1, **more}
    if isinstance(given, RoleInput):
        return OutputRequest(given=given, **what)
    return ToolsRequest(given=given, tools=(ToolOffer(name="search", description="Searches.", takes={}),), **what)


def _workflow_samples() -> Iterator[Callable[[int], tuple[PromptInput, ...]]]:
    """Return the samples of the other workflows that are built in, from a module each beside this one."""
    for plugin in built_in_plugins():
        if plugin.workflow.name != "research":
            yield import_module(f"agents.{plugin.workflow.name}_samples").samples


def sample(place: int) -> Mapping[str, PromptInput]:
    """Return one of each given by name; those of another place are of another todo of the same run."""
    task = f"Find out what the chronicle says of the lighthouse in its part {place}."
    found = (finding(f"t{place}/1", f"Part {place} of the chronicle says the tower was finished in 187{place}."),)
    hits = (
        hit(f"The chronicle, part {place}: in 187{place} the tower was lit for the first time."),
        hit(f"An almanac of 190{place} calls it the tallest on this coast, at 41 m."),
    )
    cards = (AgentCard(name="researcher", description="Searches by itself.", tools=("search",)),)
    executed = (f"lighthouse chronicle {place}",)
    givens = (
        ClarifyInput(question=QUESTION, context=(f"Which one? That of part {place}.",)),
        PlanInput(question=QUESTION, assumptions=(f"Amrum is the island {place}.",), max_todos=5, agents=cards),
        QueriesInput(question=QUESTION, task=task, wanted=3, executed=executed, gap="The year is open."),
        ReadInput(question=QUESTION, task=task, hits=hits, findings=found),
        FactInput(question=QUESTION, task=task, hits=hits, findings=found),
        CitationInput(question=QUESTION, task=task, findings=found),
        ReviewInput(
            question=QUESTION,
            todo_id=f"t{place}",
            task=task,
            findings=found,
            result="In short, it shines.",
            failure="Its last search failed.",
            gaps=("Who built it.",),
            executed=executed,
            loops_left=2,
            plan=tuple(PlanOutlineItem(id=f"t{one}", task="Find it.") for one in (1, 2)),
            room=3,
        ),
        SummarizeInput(lines=(f"t{place}: the tower was finished.", "t9: it is 41 m high."), characters=200),
        SectionInput(
            question=QUESTION,
            todo_id=f"t{place}",
            task=task,
            summary="It was finished.",
            findings=found,
            other_headings=("Its cost",),
            present=("It was finished.",),
            wish="Name the year.",
            language="German",
            audience="Sailors.",
            length="short",
        ),
        FrameInput(
            question=QUESTION,
            headings=(f"Part {place}",),
            findings=found,
            gaps=("Who built it.",),
            language="German",
            audience="Sailors.",
        ),
        CheckInput(sentences=(QuotedSentence(number=place, text="It was finished.", quotes=("finished in 1875",)),)),
        DelegateToolInput(
            question=QUESTION, task=task, executed=executed, hits=hits, refused=("fetch: no",), passes_left=1
        ),
        DelegateSummaryInput(question=QUESTION, task=task, findings=found),
        *(given for samples in _workflow_samples() for given in samples(place)),
    )
    return {type(given).__name__: given for given in givens}


FRONT = "description: Reads.\ninput: {schema: ReadInput}\noutput: {schema: Reading}"
TEMPLATE = '{{role "system"}}\nYou read.\n{{role "user"}}\n{{data "question"}}\n'

ANYTHING = f"""description: Takes whatever there is.
tools: [search]
input: {{schema: [{", ".join(INPUT_TYPES)}]}}
output: {{schema: [{", ".join(contract_names(INPUT_TYPES.values()))}]}}"""


def drop(folder: Path, name: str = "mine", *, front: str = FRONT, template: str = TEMPLATE) -> Path:
    """Drop an agent into a directory; a template begins one line below the front matter's closing mark."""
    path = folder / f"{name}.prompt"
    path.write_text(f"---\n{front}\n---\n{template}", encoding="utf-8")
    return path


def fault(folder: Path) -> str:
    """Return what is said when the agents of a directory are read."""
    with pytest.raises(UsageError) as raised:
        load_all_agents([folder])
    return str(raised.value)


def said(folder: Path, template: str, given: PromptInput) -> list[tuple[str, str]]:
    """Return the messages that a template makes of a given, each with its role."""
    drop(folder, template=template, front=ANYTHING)
    return [(message.role, message.text) for message in load_all_agents([folder]).prompt(asked("mine", given)).messages]
