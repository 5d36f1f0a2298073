"""docs/agents.md says what the code does."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from agents.samples import INPUT_TYPES, asked, sample
from quaestor.agents.front_matter import FrontMatter, template_variables
from quaestor.contracts.base import Contract
from quaestor.runtime.session_setup import load_all_agents

PAGE = (Path(__file__).parents[2] / "docs" / "agents.md").read_text(encoding="utf-8")
SECTIONS = dict(re.findall(r"^###? (.+?)\n(.*?)(?=^##|\Z)", PAGE, re.MULTILINE | re.DOTALL))


def rows(section: str) -> list[list[str]]:
    lines = [line for line in SECTIONS[section].splitlines() if line.startswith("| `")]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]


def named(cell: str) -> tuple[str, ...]:
    return tuple(re.findall(r"`([^`]+)`", cell))


def paths(kind: type[Contract], before: str = "") -> Iterator[str]:
    for name, field in kind.model_fields.items():
        path = f"{before}{field.alias or name}"
        within = field.annotation
        if isinstance(within, type) and issubclass(within, Contract):
            yield from paths(within, f"{path}.")
        else:
            yield path


def test_every_built_in_agent_is_documented_and_no_other() -> None:
    documented = [(*named(row[0]), named(row[1]), named(row[2]), row[3]) for row in rows("The built-in agents")]
    assert documented == [
        (agent.name, agent.front.input.names, agent.front.output.names, "yes" if agent.front.delegate else "no")
        for agent in load_all_agents().agents
    ]


def test_every_agent_is_described_in_its_own_words() -> None:
    assert [row[4] for row in rows("The built-in agents")] == [
        agent.front.description for agent in load_all_agents().agents
    ]


def test_every_field_of_the_front_matter_is_documented_and_no_other() -> None:
    assert [named(row[0])[0] for row in rows("Front matter")] == list(paths(FrontMatter))


def test_every_given_is_documented_and_no_other() -> None:
    assert sorted(title for title in SECTIONS if title.endswith("Input")) == sorted(INPUT_TYPES)


@pytest.mark.parametrize("given", INPUT_TYPES)
def test_every_field_of_a_given_is_documented_with_its_type(given: str) -> None:
    kind = INPUT_TYPES[given]
    documented = {named(row[0])[0]: row[1] for row in rows(given)}
    assert list(documented) == list(kind.model_fields)
    assert {name for name, said in documented.items() if said == "text"} == template_variables([kind]).texts
    contract = getattr(kind, "gives", None)
    assert f"Answered by `{contract.__name__}`." in SECTIONS[given] if contract else "no contract" in SECTIONS[given]


def test_the_agent_on_the_page_is_sound(tmp_path: Path) -> None:
    name, text = re.findall(r"This is `(.+?)`.*?```handlebars\n(.*?)```", PAGE, re.DOTALL)[0]
    (tmp_path / name).write_text(text, encoding="utf-8")
    roster = load_all_agents([tmp_path])
    assert "dates" in {card.name for card in roster.cards({"search"})}
    assert "2 passages:\n~~~ p1" in roster.prompt(asked("dates", sample(1)["ReadInput"])).messages[1].text
    assert "1 may follow it." in roster.prompt(asked("dates", sample(1)["DelegateToolInput"])).messages[1].text


def test_every_tag_on_the_page_is_understood(tmp_path: Path) -> None:
    tags = [tag for row in rows("Template") for tag in named(row[0])]
    body = {tag for tag in tags if "role" not in tag and not re.match(r"\{\{(#|/|else)", tag)}
    (tmp_path / "all.prompt").write_text(
        "---\ndescription: Uses all.\ntools: [search]\n"
        "input: {schema: [ReadInput, QueriesInput, DelegateToolInput]}\noutput: {schema: [Reading, Queries]}\n---\n"
        + "\n".join([tags[0], tags[1], *sorted(body), *(tag for tag in tags if tag not in body and "role" not in tag)]),
        encoding="utf-8",
    )
    assert load_all_agents([tmp_path]).agent("all").front.description == "Uses all."
    assert len(tags) == 13
