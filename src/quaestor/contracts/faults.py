"""What is wrong with a value, as its validation found it, in words for a message."""

from pydantic import ValidationError


def list_faults(error: ValidationError) -> tuple[str, ...]:
    """Return each fault as `place: what is wrong`, without the place where it is the whole value."""
    found = error.errors(include_url=False, include_context=False, include_input=False)
    return tuple(
        f"{_place(fault['loc'])}: {say_fault(fault['msg'])}" if fault["loc"] else say_fault(fault["msg"])
        for fault in found
    )


def first_fault(error: ValidationError) -> str:
    """Return the first fault of a value, in one line."""
    return list_faults(error)[0]


def describe_faults(error: ValidationError) -> str:
    """Return all faults of a value, in one line."""
    return "; ".join(list_faults(error))


def describe_unusable(error: ValidationError) -> str:
    """Return which field cannot be used, and why: the first fault."""
    fault = error.errors(include_url=False, include_context=False, include_input=False)[0]
    return f"{_place(fault['loc'])} cannot be used: {say_fault(fault['msg'])}"


def say_fault(message: str) -> str:
    """Return the message of a fault without what pydantic writes before that of a rule of ours."""
    return message.removeprefix("Value error, ")


def _place(location: tuple[int | str, ...]) -> str:
    return ".".join(map(str, location))
