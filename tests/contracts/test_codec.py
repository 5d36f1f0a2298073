"""What a codec decodes, and what it leaves as it is."""

from datetime import UTC, datetime

import pytest

from quaestor.contracts.codec import CORE_CODEC, build_codec
from quaestor.contracts.command import Pause, UnknownCommand, UnreadableCommand
from quaestor.contracts.cost import Spend
from quaestor.contracts.event import Event, FactRecorded, KnownPayload, ToolResponded, UnknownPayload
from quaestor.contracts.tools import SearchInput, SearchResults
from quaestor.research.codec import CODEC
from quaestor.research.contracts.commands import RetryTodo

SMALL = build_codec(contracts=(SearchInput,), aliases={"Asked": SearchInput}, tools={"s": (SearchInput, SearchResults)})


def event(payload: KnownPayload | UnknownPayload) -> Event:
    return Event(session_id="s", seq=1, cycle=1, at=datetime(2026, 1, 1, tzinfo=UTC), state="X", payload=payload)


def decoded(payload: KnownPayload) -> KnownPayload | UnknownPayload:
    return SMALL.decode(event(payload)).payload


@pytest.mark.parametrize("name", ["SearchInput", "Asked"])
def test_a_fact_becomes_an_instance_of_its_contract_by_todays_name_or_an_old_one(name: str) -> None:
    fact = FactRecorded(key="k", contract=name, value={"query": "fog"})
    assert decoded(fact) == FactRecorded(key="k", contract=name, value=SearchInput(query="fog"))


def test_what_cannot_be_decoded_stays_json() -> None:
    damaged = FactRecorded(key="k", contract="SearchInput", value={"limit": "many"})
    foreign = FactRecorded(key="k", contract="Other", value={"query": "fog"})
    assert (decoded(damaged), decoded(foreign)) == (damaged, foreign)


def test_a_value_is_stored_as_the_same_json_whether_it_is_typed_or_not() -> None:
    typed = ToolResponded(key="k", tool="s", result=SearchResults(), error=None, spend=Spend(), milliseconds=1)
    plain = typed.revised(result={"hits": [], "similar": [], "notes": []})
    assert typed.model_dump_json() == plain.model_dump_json()
    assert decoded(plain) == decoded(typed) == typed


def test_a_new_value_that_no_codec_would_decode_is_folded_as_json_at_once() -> None:
    fact = FactRecorded(key="k", contract="SearchInput", value=SearchInput(query="fog"))
    assert SMALL.normalize(fact) is fact
    assert CORE_CODEC.normalize(fact) == fact.revised(value={"query": "fog", "limit": 6})


def test_a_command_of_the_workflow_is_decoded_and_any_other_stays_unknown() -> None:
    order = RetryTodo(todo_id="t1")
    stored = UnknownCommand(kind="retry", body=order.model_dump_json())
    assert CODEC.decode_command(stored) == order
    assert CORE_CODEC.decode_command(stored) == stored
    assert CODEC.decode_command(Pause()) == Pause()
    damaged = UnknownCommand(kind="retry", body="{}")
    assert CODEC.decode_command(damaged) == UnreadableCommand(body="{}", reason="todo_id: Field required")
