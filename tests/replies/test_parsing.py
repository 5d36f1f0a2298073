import json
from typing import ClassVar

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import Field, ValidationError
from typing_extensions import override

from quaestor.contracts.base import Contract
from quaestor.contracts.faults import list_faults
from quaestor.contracts.roles import RoleInput
from quaestor.replies.parsing import ContractViolation, validate_reply
from quaestor.research.contracts.roles import QueriesInput


class Leg(Contract):
    to: str = Field(min_length=1)


class Journey(Contract):
    legs: tuple[Leg, ...] = Field(max_length=3)
    days: int = Field(default=1, ge=1)


class JourneyGiven(RoleInput):
    gives: ClassVar[type[Contract]] = Journey

    known: tuple[str, ...] = ("Aldmouth", "Ribe")

    @override
    def objections(self, reply: Contract) -> tuple[str, ...]:
        if not isinstance(reply, Journey):
            return super().objections(reply)
        return tuple(f"no harbour is called {leg.to!r}" for leg in reply.legs if leg.to not in self.known)


ASKED = JourneyGiven()
WHOLE = '{"legs": [{"to": "Ribe"}], "days": 2}'
RIBE = Journey(legs=(Leg(to="Ribe"),), days=2)


def objections(text: str, asked: RoleInput = ASKED) -> tuple[str, ...]:
    with pytest.raises(ContractViolation) as broken:
        validate_reply(asked, text)
    assert str(broken.value) == "; ".join(broken.value.objections)
    return broken.value.objections


@pytest.mark.parametrize(
    ("text", "repaired"),
    [
        (WHOLE, False),
        (f"Here it is:\n```json\n{WHOLE}\n```\nA good journey!", False),
        ("{'legs': [{'to': 'Ribe'},], 'days': 2}", True),
        ('{"legs": [{"to": "Ribe"}], "days": 2 /* or three */}', True),
    ],
    ids=["bare", "between words", "in single quotes", "commented"],
)
def test_a_reply_is_what_it_says_and_it_is_known_whether_it_was_repaired(text: str, repaired: bool) -> None:
    assert validate_reply(ASKED, text) == (RIBE, repaired)


@given(st.lists(st.sampled_from(["Aldmouth", "Ribe"]), max_size=3), st.integers(1, 10**6))
def test_whatever_fulfils_a_contract_is_read_back_as_it_was_written(names: list[str], days: int) -> None:
    journey = Journey(legs=tuple(Leg(to=name) for name in names), days=days)
    assert validate_reply(ASKED, journey.model_dump_json()) == (journey, False)


@given(st.integers(0, len(WHOLE) - 1))
def test_a_reply_that_is_cut_off_fulfils_nothing(end: int) -> None:
    assert objections(WHOLE[:end])


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "the reply is empty"),
        ("true", "the reply is JSON, but no object: 'true'"),
        ('{"legs": [], "legs": []}', "the key 'legs' occurs twice in an object"),
    ],
)
def test_what_cannot_be_read_is_one_objection_in_words(text: str, reason: str) -> None:
    [said] = objections(text)
    assert reason in said


def test_every_fault_is_told_with_its_place() -> None:
    text = '{"legs": [{"to": ""}, {"by": "ship"}], "days": "soon", "fast": true}'
    assert objections(text) == (
        "legs.0.to: String should have at least 1 character",
        "legs.1.to: Field required",
        "legs.1.by: Extra inputs are not permitted",
        "days: Input should be a valid integer, unable to parse string as an integer",
        "fast: Extra inputs are not permitted",
    )


def test_a_fault_of_the_whole_has_no_place() -> None:
    assert objections("[1]") == ("Input should be a valid dictionary or instance of Journey",)


def test_a_fault_says_nothing_of_the_web_and_nothing_of_what_was_written() -> None:
    with pytest.raises(ValidationError) as invalid:
        Journey.model_validate({"legs": [{"to": ""}], "days": "pssst"})
    said = "; ".join(list_faults(invalid.value))
    assert "http" not in said
    assert "pssst" not in said


def test_what_fits_the_contract_but_not_the_question_is_objected_to() -> None:
    text = '{"legs": [{"to": "Ribe"}, {"to": "Avalon"}, {"to": "Thule"}]}'
    assert objections(text) == ("no harbour is called 'Avalon'", "no harbour is called 'Thule'")


def test_the_contract_is_looked_at_before_the_question() -> None:
    assert objections('{"legs": [{"to": "Avalon"}], "days": 0}') == (
        "days: Input should be greater than or equal to 1",
    )


def test_objections_are_of_the_given_at_hand() -> None:
    asked = QueriesInput(question="Who?", task="Find it.", wanted=1, executed=("Fog Bell",))
    assert objections(json.dumps({"queries": ["fog  bell"]}), asked) == ("executed before: 'fog  bell'",)
