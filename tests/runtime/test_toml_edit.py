import tomllib

import pytest
from pydantic import JsonValue

from quaestor.contracts.errors import UsageError
from quaestor.runtime.toml_edit import set_in_toml

FILE = """\
# mine
effort = "low"  # as on the train

[providers.lab]
base_url = "http://lab/v1"

[mcp.notes]
command = "notes"
"""


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (("effort",), "high"),
        (("model",), 'openai:"x"'),
        (("web",), ["wikipedia", "arxiv"]),
        (("max_dollars",), 0.5),
        (("cache",), True),
        (("providers", "lab", "output"), "object"),
        (("providers", "lab", "base_url"), "http://other/v1"),
        (("providers", "ollama", "in_flight"), 1),
        (("mcp", "notes", "args"), []),
    ],
)
def test_a_setting_is_written_and_everything_else_stays(path: tuple[str, ...], value: JsonValue) -> None:
    before, after = FILE.splitlines(), set_in_toml(FILE, path, value).splitlines()
    read: JsonValue = tomllib.loads("\n".join(after))
    for name in path:
        assert isinstance(read, dict)
        read = read[name]
    assert read == value
    assert len([line for line in before if line not in after]) <= 1
    assert set_in_toml("\n".join(after), path, value).splitlines() == after


def test_the_first_setting_makes_the_file() -> None:
    assert set_in_toml("", ("model",), "offline") == 'model = "offline"\n'
    assert set_in_toml("", ("providers", "lab", "output"), "tool") == '[providers.lab]\noutput = "tool"\n'


@pytest.mark.parametrize(
    ("text", "path"),
    [
        ('web = [\n  "arxiv",\n]\n', ("web",)),
        ('providers = {lab = {output = "tool"}}\n', ("providers", "lab", "output")),
        ("not toml at all", ("model",)),
    ],
)
def test_what_cannot_be_changed_alone_is_left_to_the_person(text: str, path: tuple[str, ...]) -> None:
    with pytest.raises(UsageError, match="edit"):
        set_in_toml(text, path, "x")
