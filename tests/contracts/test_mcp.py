import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import JsonValue, ValidationError

from quaestor.contracts.errors import UsageError
from quaestor.contracts.mcp import ConsultInput, McpServer
from quaestor.runtime.settings import resolve_settings

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(), lambda inner: st.lists(inner, max_size=3), max_leaves=5
)


@pytest.mark.parametrize(
    ("setup", "says"),
    [
        ({}, "a command or a url"),
        ({"command": "x", "url": "https://example.org"}, "a command or a url"),
        ({"url": "https://example.org", "args": ["x"]}, "args and env are for a command"),
        ({"url": "ftp://example.org"}, "mcp.notes.url"),
        ({"command": ""}, "mcp.notes.command"),
        ({"command": "x", "cmd": "y"}, "mcp.notes.cmd"),
    ],
)
def test_a_server_that_cannot_be_meant_is_refused_with_its_name(setup: JsonValue, says: str) -> None:
    with pytest.raises(UsageError, match=r"mcp\.notes") as caught:
        resolve_settings({"mcp": {"notes": setup}}, {})
    assert says in str(caught.value)


def test_the_name_of_a_server_has_no_dot() -> None:
    with pytest.raises(UsageError, match="mcp"):
        resolve_settings({"mcp": {"no.tes": {"command": "x"}}}, {})


def test_servers_are_set_in_the_environment_as_json() -> None:
    settings = resolve_settings({}, {"QUAESTOR_MCP": '{"notes": {"command": "notes-server"}}'})
    assert settings.mcp == {"notes": McpServer(command="notes-server")}


@pytest.mark.parametrize("tool", ["lookup", ".lookup", "notes.", "notes.look up", "a/b.c"])
def test_a_tool_is_named_with_its_server(tool: str) -> None:
    with pytest.raises(ValidationError):
        ConsultInput(tool=tool)


@given(st.dictionaries(st.text(), VALUES))
def test_equal_arguments_are_written_alike_in_whatever_order(arguments: dict[str, JsonValue]) -> None:
    turned = dict(reversed(arguments.items()))
    one, other = (ConsultInput(tool="notes.a.b", arguments=each) for each in (arguments, turned))
    assert one.call == other.call
    assert one.server == "notes"
    assert "\n" not in one.call
