"""Whether a reply fulfils what it was asked for."""

from typing import NamedTuple

from pydantic import JsonValue, ValidationError

from quaestor.contracts.noun import Noun
from quaestor.contracts.roles import Given
from quaestor.replies.ladder import Unreadable, parse


class BrokenContract(ValueError):
    """A reply that does not fulfil its contract; `objections` say why, in words for the one who replied."""

    def __init__(self, *objections: str) -> None:
        super().__init__("; ".join(objections))
        self.objections = objections


class Fulfilled(NamedTuple):
    """What a reply says, and whether its text had to be repaired to be read."""

    output: Noun
    repaired: bool


def fulfil(given: Given, text: str) -> Fulfilled:
    """Give what a reply says under the contract it was asked for. Raises BrokenContract."""
    try:
        parsed = parse(text)
        output = given.gives.model_validate(_only(parsed.value))
    except Unreadable as error:
        raise BrokenContract(str(error)) from error
    except ValidationError as error:
        raise BrokenContract(*faults(error)) from error
    if objections := given.objections(output):
        raise BrokenContract(*objections)
    return Fulfilled(output, repaired=parsed.rung == "repaired")


def _only(value: JsonValue) -> JsonValue:
    """Give the one object of a list that holds nothing else; no contract is a list."""
    return value[0] if isinstance(value, list) and len(value) == 1 else value


def faults(error: ValidationError) -> tuple[str, ...]:
    """Give each fault that a validation found, as `place: what is wrong`."""
    found = error.errors(include_url=False, include_context=False, include_input=False)
    return tuple(f"{_place(fault['loc'])}{fault['msg']}" for fault in found)


def _place(loc: tuple[int | str, ...]) -> str:
    return f"{'.'.join(map(str, loc))}: " if loc else ""
