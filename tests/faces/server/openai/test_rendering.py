"""Turns as responses, where that depends on their report alone."""

from datetime import UTC, datetime

import pytest
from openai.types.responses.response_output_text import AnnotationURLCitation

from fakes.cited import HOSTILE, report
from quaestor.app.turns.turn_state import TurnEnd, TurnState
from quaestor.app.turns.turns import TurnRef
from quaestor.contracts.event import CorePayload, Event, Outcome, SessionFinished, SessionStarted
from quaestor.faces.server.openai.encoding import ResponseEncoder
from quaestor.faces.server.openai.rendering import ResponseRenderer, parse_response_id, response_id

AT = datetime(2026, 3, 1, tzinfo=UTC)
PAGE = "https://example.org/a?x=[1]"


def test_a_page_is_cited_as_one_at_exact_places_also_behind_characters_of_two_units() -> None:
    document = report(PAGE, HOSTILE)
    turn = TurnState(begun_at=AT, document=document, end=TurnEnd(AT, "Written.", 9, outcome="done"))
    ref = TurnRef("20260301-120000-abcdef", 0)
    response = ResponseRenderer(ref, "quaestor-research", "http://127.0.0.1/sessions/s").whole(turn)
    [text] = next(item.content for item in response.output if item.type == "message")
    assert len(text.annotations) == 2
    for annotation in text.annotations:
        cited = AnnotationURLCitation.model_validate(annotation.model_dump())
        assert cited.url == PAGE
        assert text.text[cited.start_index : cited.end_index] == "[1]"
    assert "\u202e" not in "".join(each.title for each in text.annotations if each.type == "url_citation")
    assert parse_response_id(response_id(ref)) == ref


@pytest.mark.parametrize(
    ("outcome", "status"),
    [("done", "completed"), ("no_result", "completed"), ("failed", "failed"), ("cancelled", "cancelled")],
)
def test_a_stream_ends_as_its_session_did(outcome: Outcome, status: str) -> None:
    started = SessionStarted(question="When?", workflow="research", task_key="k", options={})
    payloads: tuple[CorePayload, ...] = (started, SessionFinished(outcome=outcome, statement="It is over."))
    ref = TurnRef("20260301-120000-abcdef", 0)
    encoder = ResponseEncoder(ResponseRenderer(ref, "quaestor-research", "http://127.0.0.1/sessions/s"), TurnState())
    events = [
        streamed
        for seq, payload in enumerate(payloads, 1)
        for streamed in encoder.encode(Event(session_id="s", seq=seq, cycle=1, at=AT, state="X", payload=payload))
    ]
    assert [events[0].type, events[-1].type] == ["response.created", f"response.{status}"]
    assert encoder.snapshot().status == status
    assert (encoder.snapshot().error is None) == (outcome != "failed")
