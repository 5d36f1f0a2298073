"""Every fault of front matter names the file, the line and the field."""

from pathlib import Path

import pytest

from agents.samples import FRONT, drop, fault
from quaestor.agents.front_matter import FrontMatter
from quaestor.runtime.session_setup import load_all_agents

REST = "input: {schema: ReadInput}\noutput: {schema: Reading}"
MALFORMED = {
    "yaml": ("description: Reads.\ntools: [search", 3, "front matter", "no YAML"),
    "a control character": ("description: \x01", 1, "front matter", "no YAML"),
    "an unknown field": (f"{FRONT}\ntemperature: 1", 5, "temperature", "no such field"),
    "an unknown field within": (f"{FRONT}\nconfig:\n  topK: 3", 6, "config.topK", "no such field"),
    "a missing field": ("description: Reads.\ninput: {schema: ReadInput}", 1, "output", "missing"),
    "no fields": ("", 1, "description", "missing"),
    "a list of fields": ("- description", 1, "front matter", "valid dictionary"),
    "a text for a number": (f"{FRONT}\nconfig:\n  temperature: warm", 6, "config.temperature", "'warm'"),
    "a number out of range": (f"{FRONT}\nconfig:\n  maxOutputTokens: 0", 6, "config.maxOutputTokens", "'0'"),
    "a text for a list": (f"{FRONT}\ntools: search", 5, "tools", "'search'"),
    "a list for a text": (f"description: [Reads.]\n{REST}", 2, "description", "valid string"),
    "two lines of description": (f"description: |\n  One.\n  Two.\n{REST}", 2, "description", "match"),
    "a tool without a name": (f"{FRONT}\ntools:\n  - search\n  - two words", 7, "tools.1", "'two words'"),
    "a model without a provider": (f"{FRONT}\nmodel: large", 5, "model", "'large'"),
    "another name": (f"{FRONT}\nname: other", 5, "name", "'other' is not the name of the file, 'mine'"),
    "an unknown schema": (
        "description: Reads.\ninput: {schema: Given}\noutput: {schema: Reading}",
        3,
        "input.schema",
        "DelegateToolInput",
    ),
    "another contract": (
        "description: Reads.\ninput: {schema: ReadInput}\noutput:\n  schema: Clarity",
        5,
        "output.schema",
        "Reading",
    ),
    "no contract": (
        "description: Reads.\ninput: {schema: DelegateToolInput}\noutput: {schema: Reading}\ntools: [search]",
        4,
        "output.schema",
        "nothing",
    ),
    "tools that are never offered": (f"{FRONT}\ntools: [search]", 5, "tools", "DelegateToolInput"),
    "tool passes without tools": (
        "description: Reads.\ninput: {schema: [DelegateToolInput, ReadInput]}\noutput: {schema: Reading}",
        1,
        "tools",
        "DelegateToolInput",
    ),
    "a delegate that cannot be one": (
        "description: Plans.\ninput: {schema: PlanInput}\noutput: {schema: PlanDraft}\ndelegate: true",
        5,
        "delegate",
        "DelegateSummaryInput",
    ),
    "a field twice": (f"{FRONT}\ndescription: Again.", 5, "description", "is a duplicate"),
    "a tag": (f"description: !!python/object/apply:os.getcwd []\n{REST}", 2, "front matter", "tag"),
    "an alias": (f"description: &text Reads.\nmodel: *text\n{REST}", 2, "front matter", "alias"),
    "an alias of itself": (f"{FRONT}\ntools: &all [*all]", 5, "front matter", "alias"),
}


@pytest.mark.parametrize(("front", "line", "field", "said"), MALFORMED.values(), ids=MALFORMED)
def test_a_fault_names_file_line_and_field(tmp_path: Path, front: str, line: int, field: str, said: str) -> None:
    path = drop(tmp_path, front=front)
    told = fault(tmp_path)
    assert told.startswith(f"{path}, line {line}, {field}: ")
    assert said in told


@pytest.mark.parametrize("text", ["", "You read.", "\n---\na: b\n---\n", "---\ndescription: Reads.\n"])
def test_a_file_without_front_matter_is_refused(tmp_path: Path, text: str) -> None:
    (tmp_path / "mine.prompt").write_text(text, encoding="utf-8")
    assert fault(tmp_path).startswith(f"{tmp_path / 'mine.prompt'}, line 1, front matter: there is none")


def test_a_file_name_that_is_no_name_is_refused(tmp_path: Path) -> None:
    drop(tmp_path, "my agent")
    assert fault(tmp_path).startswith(f"{tmp_path / 'my agent.prompt'}, line 1, name: ")


def test_all_faults_of_all_files_are_told(tmp_path: Path) -> None:
    drop(tmp_path, "a", front=f"{FRONT}\ncolour: red\nsize: 3")
    drop(tmp_path, "b", template="You read.")
    told = fault(tmp_path).splitlines()
    assert [line.removeprefix(f"{tmp_path}/").split(":")[0] for line in told] == [
        "a.prompt, line 5, colour",
        "a.prompt, line 6, size",
        "b.prompt, line 6, role",
        "b.prompt, line 6, role",
    ]


def test_every_field_can_be_given(tmp_path: Path) -> None:
    front = """name: mine
description: Searches.
model: local:qwen3-8b
config: {temperature: 0.5, maxOutputTokens: 900}
tools: [search, fetch]
input: {schema: [DelegateToolInput, ReadInput]}
output: {schema: Reading}
delegate: true"""
    drop(tmp_path, front=front)
    found = load_all_agents([tmp_path]).agent("mine").front
    assert found.model_fields_set == set(FrontMatter.model_fields)
    assert (found.model, found.config.temperature, found.config.max_output_tokens) == ("local:qwen3-8b", 0.5, 900)
    assert (found.tools, found.input.names, found.output.names) == (
        ("search", "fetch"),
        ("DelegateToolInput", "ReadInput"),
        ("Reading",),
    )


def test_a_word_stays_a_word(tmp_path: Path) -> None:
    drop(tmp_path, "no", front=f"name: no\n{FRONT}")
    assert load_all_agents([tmp_path]).agent("no").name == "no"
