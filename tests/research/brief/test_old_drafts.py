"""A log of 0.1.0 that ended while its offline report was written: it is resumed, and ends in a brief."""

import json
import re
from collections.abc import Sequence
from pathlib import Path

import pytest

from quaestor.contracts.action import Record, ToolRun
from quaestor.contracts.codec import parse_payload
from quaestor.contracts.cost import Spend
from quaestor.contracts.event import Event, ToolResponded
from quaestor.contracts.source import Quote
from quaestor.research.codec import CODEC
from quaestor.research.contracts.brief import Brief
from quaestor.research.contracts.tools import ContextInput, Contexts, QuoteContext
from quaestor.research.events import ReportWritten
from quaestor.research.state import ResearchState
from quaestor.research.workflow import Research

LOG = Path(__file__).parents[2] / "logs" / "0.1.0.jsonl"
WRITING, VERDICTS, WRITTEN, DONE = 69, 79, 80, 82
"""The numbers of the events that begin the writing, record verdicts and report together, and end the session."""


@pytest.fixture(scope="module")
def events() -> list[Event]:
    """The events of the log, as a session without a model would have written them."""
    decoded = []
    for line in re.sub(r"script:[\w/.]+", "offline", LOG.read_text(encoding="utf-8")).splitlines():
        row = json.loads(line)
        payload, todo_id = parse_payload(row.pop("type"), row.pop("version"), json.dumps(row.pop("body")))
        decoded.append(CODEC.decode(Event(**row, todo_id=todo_id, payload=payload)))
    return decoded


def folded(events: Sequence[Event]) -> ResearchState:
    workflow = Research()
    state = workflow.begin()
    for event in events:
        state = workflow.apply(state, event)
    return state


def after(state: ResearchState, last: Event, payload: ToolResponded) -> ResearchState:
    following = Event(
        session_id=last.session_id,
        seq=last.seq + 1,
        cycle=last.cycle,
        at=last.at,
        state="VERIFYING",
        todo_id=None,
        payload=payload,
    )
    return Research().apply(state, following)


def contexts(given: ContextInput) -> Contexts:
    """Return every quote as its own paragraph."""
    quotes: list[Quote] = [quote for finding in given.findings for quote in finding.quotes]
    return Contexts(contexts=tuple(QuoteContext(quote=quote, paragraph=quote, heading="") for quote in quotes))


@pytest.mark.parametrize("end", range(WRITING, VERDICTS))
def test_a_draft_that_was_begun_ends_in_a_brief(events: list[Event], end: int) -> None:
    state = folded(events[:end])
    [run] = Research().next(state)
    assert isinstance(run, ToolRun)
    assert isinstance(run.given, ContextInput)

    read = ToolResponded(
        key=run.key, tool="contexts", result=contexts(run.given), error=None, spend=Spend(), milliseconds=1
    )
    briefing = after(state, events[end - 1], read)
    [record] = Research().next(briefing)
    assert isinstance(record, Record)
    [written] = record.facts
    assert isinstance(written, ReportWritten)
    assert isinstance(written.report, Brief)
    assert any("1831" in passage.text for passage in written.report.passages)


@pytest.mark.parametrize("end", range(WRITTEN, DONE))
def test_a_report_that_was_recorded_is_not_written_again(events: list[Event], end: int) -> None:
    state = folded(events[:end])

    assert not [action for action in Research().next(state) if isinstance(action, ToolRun)]
    assert state.report_versions == 1
