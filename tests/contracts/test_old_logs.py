"""Logs of every release that ever wrote one are read and folded by this one. A log that is here is never changed."""

import json
from pathlib import Path

import pytest

from quaestor.contracts.codec import parse_payload
from quaestor.contracts.event import Event, UnknownPayload
from quaestor.research.codec import CODEC
from quaestor.research.events import ReportWritten
from quaestor.research.views.document import render_markdown
from quaestor.research.workflow import Research

LOGS = sorted((Path(__file__).parents[1] / "logs").glob("*.jsonl"))


def test_there_are_logs() -> None:
    assert LOGS[0].stem == "0.1.0"


@pytest.mark.parametrize("log", LOGS, ids=lambda log: log.stem)
def test_an_old_log_is_read_and_leads_to_its_report(log: Path) -> None:
    workflow = Research()
    state = workflow.begin()
    written = None
    for line in log.read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        payload, todo_id = parse_payload(row.pop("type"), row.pop("version"), json.dumps(row.pop("body")))
        event = CODEC.decode(Event(**row, todo_id=todo_id, payload=payload))
        payload = event.payload
        assert not isinstance(payload, UnknownPayload)
        state = workflow.apply(state, event)
        written = payload.report if isinstance(payload, ReportWritten) else written
    assert state.is_finished
    assert state.report is not None
    assert state.report == written
    assert "1831" in render_markdown(state.report)
    assert workflow.next(state) == ()
