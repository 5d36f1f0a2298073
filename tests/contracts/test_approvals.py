import pytest

from quaestor.contracts.approvals import ApprovableCall


def test_the_arguments_of_a_call_are_told_as_a_person_reads_them() -> None:
    call = ApprovableCall(
        tool="shell", call='{"tool": "shell", "command": "ls\\n-l", "seconds": 3, "env": {"é": null}}'
    )
    assert list(call.arguments.items()) == [("seconds", "3"), ("env", '{"é": null}'), ("command", "ls\n-l")]


@pytest.mark.parametrize("call", ["", "[1]", '"text"', "{"])
def test_what_is_no_call_has_no_arguments(call: str) -> None:
    assert ApprovableCall(tool="shell", call=call).arguments == {}
