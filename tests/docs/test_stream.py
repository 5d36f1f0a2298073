"""What is published of the stream holds for every event of real runs."""

import asyncio
import json
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator  # type: ignore[import-untyped]  # it ships no types
from pydantic import JsonValue, TypeAdapter

from fakes.streams import stream_session
from quaestor.app import open_home
from quaestor.contracts.command import Answer
from quaestor.contracts.event import Event
from quaestor.contracts.stream import BudgetChange, SpendTotals, StreamEvent
from quaestor.research.plugin import PLUGIN
from views.test_stream_events import recorded

DOCS = Path(__file__).parents[2] / "docs"
PAGE = (DOCS / "stream.md").read_text(encoding="utf-8")
SCHEMA: dict[str, JsonValue] = json.loads((DOCS / "stream.schema.json").read_text(encoding="utf-8"))
VALID = Draft202012Validator(SCHEMA)
STREAM: TypeAdapter[StreamEvent] = TypeAdapter(StreamEvent)
TYPES = {kind.model_fields["type"].default for kind in get_args(get_args(StreamEvent)[0])}
AT = datetime(2026, 1, 1, tzinfo=UTC)


@pytest.fixture(scope="module")
def streams(tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, Sequence[StreamEvent]]:
    folder = tmp_path_factory.mktemp("runs")
    logs = {**recorded(folder), "asked": asyncio.run(asked(folder))}
    return {name: list(stream_session(events, view=PLUGIN.stream)) for name, events in logs.items()}


async def asked(folder: Path) -> Sequence[Event]:
    """Return the log of a run that asks what is meant, and goes on with the answer."""
    async with open_home(folder / "asked") as q:
        session = await q.start("Who built it?", await q.index([folder / "papers"]))
        await q.run(session)
        assert await q.tell(session, Answer(text="The Aldmouth lighthouse")) is None
        await q.run(session)
        return await q.events(session)


def test_the_schema_is_one() -> None:
    Draft202012Validator.check_schema(SCHEMA)


def test_every_event_of_real_runs_is_as_the_schema_says(streams: Mapping[str, Sequence[StreamEvent]]) -> None:
    faults = [
        (name, event.seq, event.type, [fault.message for fault in VALID.iter_errors(written)])
        for name, told in streams.items()
        for event in told
        if not VALID.is_valid(written := json.loads(event.model_dump_json()))
    ]
    assert faults == []


def test_the_runs_show_every_type(streams: Mapping[str, Sequence[StreamEvent]]) -> None:
    assert {event.type for told in streams.values() for event in told} == TYPES


def test_what_is_written_is_read_back(streams: Mapping[str, Sequence[StreamEvent]]) -> None:
    for told in streams.values():
        assert [STREAM.validate_json(event.model_dump_json()) for event in told] == list(told)


@given(st.decimals(0, 10**12, allow_nan=False) | st.sampled_from((Decimal("1E-7"), Decimal("0E-9"), Decimal("2E+3"))))
def test_any_amount_of_dollars_is_as_the_schema_says(dollars: Decimal) -> None:
    spent = SpendTotals(model_calls=1, tool_calls=0, tokens=0, dollars=dollars)
    event = BudgetChange(seq=1, at=AT, session_id="s", standing="spent", spent=spent)
    written = json.loads(event.model_dump_json())
    assert VALID.is_valid(written)
    assert Decimal(written["spent"]["dollars"]) == dollars


@pytest.mark.parametrize(
    "change",
    [
        {"more": 1},
        {"type": "dreamt"},
        {"seq": 0},
        {"session_id": None},
        {"spent": {"model_calls": 1, "tool_calls": 0, "tokens": 0, "dollars": "1E-7"}},
    ],
)
def test_the_schema_refuses_what_is_no_event(change: dict[str, JsonValue]) -> None:
    spent = SpendTotals(model_calls=1, tool_calls=0, tokens=0, dollars=Decimal(0))
    event = BudgetChange(seq=1, at=AT, session_id="s", standing="spent", spent=spent)
    written = json.loads(event.model_dump_json())
    assert VALID.is_valid(written)
    assert not VALID.is_valid({**written, **change})
    assert not VALID.is_valid({name: value for name, value in written.items() if name != "at"})


def test_every_type_is_on_the_page() -> None:
    headings = [line.removeprefix("## ") for line in PAGE.splitlines() if line.startswith("## ")]
    assert set(headings) == TYPES | {"Nested types"}
