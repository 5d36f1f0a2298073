"""Every fault of a template names the file, the line and the tag."""

from pathlib import Path

import pytest

from agents.samples import drop, fault, said
from quaestor.research.contracts.roles import QueriesInput, ReadInput

USER = '{{role "user"}}\n'
MALFORMED = {
    "text outside a role": (f"\nRead.\n{USER}", 7, "role", "outside every role"),
    "a tag outside a role": (f'{{{{data "hits"}}}}\n{USER}', 6, "role", "outside every role"),
    "no role": ("", 6, "role", "at most one"),
    "no user": ('{{role "system"}}\nRead.', 6, '{{role "system"}}', "at most one"),
    "the user first": (f'{USER}Read.\n{{{{role "system"}}}}', 8, '{{role "system"}}', "at most one"),
    "two users": (f"{USER}Read.\n{USER}", 8, '{{role "user"}}', "at most one"),
    "an unknown role": (f'{{{{role "model"}}}}\n{USER}', 6, '{{role "model"}}', "system and user"),
    "a role without a name": (f"{USER}{{{{role}}}}", 7, "{{role}}", "'role' is not known"),
    "an unknown variable": (f"{USER}{{{{passages}}}}", 7, "{{passages}}", "findings, hits"),
    "an unknown condition": (f"{USER}{{{{#if passages}}}}{{{{/if}}}}", 7, "{{#if passages}}", "hits"),
    "an unknown condition after else": (
        f"{USER}{{{{#if hits}}}}\n{{{{else if gap}}}}\n{{{{/if}}}}",
        8,
        "{{else if gap}}",
        "'gap'",
    ),
    "unknown data": (f'{USER}{{{{data "passages"}}}}', 7, '{{data "passages"}}', "hits"),
    "data of a flag": (f'{USER}{{{{data "ReadInput"}}}}', 7, '{{data "ReadInput"}}', "hits"),
    "an unknown partial": (f"{USER}{{{{> nowhere}}}}", 7, "{{> nowhere}}", "_nowhere.prompt"),
    "text as a variable": (f"{USER}{{{{question}}}}", 7, "{{question}}", '{{data "question"}}'),
    "data within a line": (f'{USER}The task: {{{{data "task"}}}}', 7, '{{data "task"}}', "alone on its line"),
    "indented data": (f'{USER}\n  {{{{data "task"}}}}', 8, '{{data "task"}}', "alone on its line"),
    "data without quotes": (f"{USER}{{{{data hits}}}}", 7, "{{data hits}}", "not understood"),
    "an open tag": (f"{USER}{{{{data", 7, "{{data", "not understood"),
    "an open comment": (f"{USER}{{{{!-- why }}}}\n", 7, "{{!-- why }}", "not understood"),
    "an open block": (f"{USER}\n{{{{#if hits}}}}\nRead.", 8, "{{#if hits}}", "{{/if}}"),
    "an open block at the end of a message": (
        f'{{{{role "system"}}}}\n{{{{#unless hits}}}}\n{USER}{{{{/unless}}}}',
        7,
        "{{#unless hits}}",
        "the same",
    ),
    "a block closed by another word": (f"{USER}{{{{#if hits}}}}\n{{{{/unless}}}}", 8, "{{/unless}}", "no open block"),
    "a block closed twice": (f"{USER}{{{{#if hits}}}}{{{{/if}}}}\n{{{{/if}}}}", 8, "{{/if}}", "no open block"),
    "else without a block": (f"{USER}{{{{else}}}}", 7, "{{else}}", "no open block"),
    "else twice": (f"{USER}{{{{#if hits}}}}{{{{else}}}}\n{{{{else}}}}{{{{/if}}}}", 8, "{{else}}", "no open block"),
    "a loop": (f"{USER}{{{{#each hits}}}}{{{{/each}}}}", 7, "{{#each hits}}", "not understood"),
    "a path": (f"{USER}{{{{hits.0}}}}", 7, "{{hits.0}}", "not understood"),
    "an unescaped tag": (f"{USER}{{{{{{hits}}}}}}", 7, "{{{hits}}}", "not understood"),
    "an escaped tag": (f"{USER}\\{{{{hits}}}}", 7, "{{hits}}", "not understood"),
    "a raw block": (f"{USER}{{{{{{{{raw}}}}}}}}", 7, "{{{{raw}}}}", "not understood"),
    "a built-in helper": (f"{USER}{{{{log hits}}}}", 7, "{{log hits}}", "not understood"),
    "a variable in the system message": (
        f'{{{{role "system"}}}}\n{{{{hits}}}}\n{USER}',
        7,
        "{{hits}}",
        "same for every",
    ),
    "data in the system message": (
        f'{{{{role "system"}}}}\n{{{{data "task"}}}}\n{USER}',
        7,
        '{{data "task"}}',
        "same for every",
    ),
    "a hundred blocks within each other": (
        USER + "{{#if hits}}" * 101 + "{{/if}}" * 101,
        6,
        "template",
        "cannot be compiled",
    ),
}
IN_A_PARTIAL = {
    "a role": ('\n{{role "system"}}', 2, '{{role "system"}}', "cannot stand in a partial"),
    "a partial": ("{{> more}}", 1, "{{> more}}", "cannot stand in a partial"),
    "an unknown variable": ("Read.\n\n{{passages}}", 3, "{{passages}}", "not known"),
    "an open block": ("{{#if hits}}\n", 1, "{{#if hits}}", "not closed"),
}


@pytest.mark.parametrize(("template", "line", "tag", "reason"), MALFORMED.values(), ids=MALFORMED)
def test_a_fault_names_file_line_and_tag(tmp_path: Path, template: str, line: int, tag: str, reason: str) -> None:
    path = drop(tmp_path, template=template)
    told = fault(tmp_path).splitlines()[0]
    assert told.startswith(f"{path}, line {line}, {tag}")
    assert reason in told


@pytest.mark.parametrize(("text", "line", "tag", "reason"), IN_A_PARTIAL.values(), ids=IN_A_PARTIAL)
def test_a_fault_in_a_partial_names_the_partial(tmp_path: Path, text: str, line: int, tag: str, reason: str) -> None:
    drop(tmp_path, template=f"{USER}{{{{> own}}}}")
    path = tmp_path / "_own.prompt"
    path.write_text(text, encoding="utf-8")
    told = fault(tmp_path)
    assert told.startswith(f"{path}, line {line}, {tag}: ")
    assert reason in told


def test_a_partial_of_the_system_message_never_changes_either(tmp_path: Path) -> None:
    drop(tmp_path, template=f'{{{{role "system"}}}}\n{{{{> own}}}}\n{USER}')
    (tmp_path / "_own.prompt").write_text("{{hits}}", encoding="utf-8")
    assert f"{tmp_path / '_own.prompt'}, line 1, {{{{hits}}}}: the system message" in fault(tmp_path)


def test_a_template_is_filled(tmp_path: Path) -> None:
    template = """{{role "system"}}
{{! why }}
You write <queries> & more: {"queries": [{"a": {}}]}
{{role "user"}}
{{> own}}
{{#if gap}}
Missing:
{{data "gap"}}
{{else if executed}}
Executed: {{executed}}
{{else}}
Nothing yet.
{{/if}}
{{#unless known}}
Nothing is known.
{{/unless}}
Write {{wanted}}{{#if QueriesInput}}.{{/if}}{{#if ReadInput}}!{{/if}}
"""
    (tmp_path / "_own.prompt").write_text('Shared, {{wanted}}.\n{{data "task"}}\n', encoding="utf-8")
    given = QueriesInput(question="Who?", task="Find it.", wanted=3, executed=("a",))
    system = ("system", 'You write <queries> & more: {"queries": [{"a": {}}]}')
    shared = "Shared, 3.\n~~~ task\nFind it.\n~~~\n"
    assert said(tmp_path, template, given) == [
        system,
        ("user", f"{shared}Executed: 1\nNothing is known.\nWrite 3."),
    ]
    assert said(tmp_path, template, given.model_copy(update={"gap": "When?", "known": ("b",)})) == [
        system,
        ("user", f"{shared}Missing:\n~~~ gap\nWhen?\n~~~\nWrite 3."),
    ]


def test_what_the_given_at_hand_does_not_have_counts_as_empty(tmp_path: Path) -> None:
    template = USER + '{{wanted}}{{#if gap}}!{{/if}}{{#unless QueriesInput}}.{{/unless}}\n{{data "gap"}}'
    given = ReadInput(question="Who?", task="Find it.")
    assert said(tmp_path, template, given) == [("user", "0.\n~~~ gap\n\n~~~")]


def test_a_template_needs_no_system_message(tmp_path: Path) -> None:
    assert said(tmp_path, f"{USER}Read.", ReadInput(question="Who?", task="Find it.")) == [("user", "Read.")]
