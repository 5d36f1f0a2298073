import shutil
from pathlib import Path

import pytest

from agents.samples import FRONT, asked, drop, fault, sample
from quaestor.agents.agent import MAX_REJECTED_LENGTH, PARTIALS
from quaestor.contracts.errors import UsageError
from quaestor.contracts.ports import PromptBuilder
from quaestor.research.contracts.roles import ReadInput
from quaestor.runtime.registry import built_in_plugins
from quaestor.runtime.session_setup import check_all_agents, load_all_agents

SEARCHER = """description: Searches.
tools: [search, fetch]
delegate: true
input: {schema: [DelegateToolInput, ReadInput]}
output: {schema: Reading}"""
FOLDERS = [folder for plugin in built_in_plugins() for folder in plugin.agents]
READ = asked("mine", ReadInput(question="Who?", task="Find it."))


def test_a_file_dropped_in_is_an_agent(tmp_path: Path) -> None:
    drop(tmp_path)
    roster: PromptBuilder = load_all_agents([tmp_path])
    prompt = roster.prompt(READ)
    assert prompt.agent == "mine"
    assert [(message.role, message.text) for message in prompt.messages] == [
        ("system", "You read."),
        ("user", "~~~ question\nWho?\n~~~"),
    ]
    assert (prompt.max_output_tokens, prompt.temperature) == (4096, None)


def test_the_front_matter_says_how_the_model_writes(tmp_path: Path) -> None:
    drop(tmp_path, front=f"{FRONT}\nconfig: {{temperature: 0, maxOutputTokens: 99}}")
    prompt = load_all_agents([tmp_path]).prompt(READ)
    assert (prompt.max_output_tokens, prompt.temperature) == (99, 0)


def test_a_built_in_agent_is_replaced_by_a_file_of_its_name(tmp_path: Path) -> None:
    drop(tmp_path, "reader")
    roster = load_all_agents([tmp_path])
    assert roster.agent("reader").source == str(tmp_path / "reader.prompt")
    assert roster.agent("planner").source == "built in"
    assert len(roster.agents) == len(load_all_agents().agents)


def test_a_later_directory_replaces_an_earlier_one(tmp_path: Path) -> None:
    folders = [tmp_path / "a", tmp_path / "b"]
    for folder in folders:
        folder.mkdir()
        drop(folder)
    assert load_all_agents(folders).agent("mine").source == str(tmp_path / "b" / "mine.prompt")


def test_what_replaces_an_agent_takes_what_that_one_is_given(tmp_path: Path) -> None:
    front = "description: Writes.\ninput: {schema: SectionInput}\noutput: {schema: Section}"
    path = drop(tmp_path, "writer", front=front)
    assert fault(tmp_path).startswith(
        f"{path}, line 3, input.schema: the built-in agent of this name is given FrameInput"
    )


def test_files_of_other_kinds_are_left_alone(tmp_path: Path) -> None:
    (tmp_path / "README.md").write_text("No agent.")
    (tmp_path / "_shared.prompt").write_text("{{nothing that could be checked}}")
    assert len(load_all_agents([tmp_path]).agents) == len(load_all_agents().agents)


@pytest.mark.parametrize("name", ["missing", "file"])
def test_what_is_no_directory_is_refused(tmp_path: Path, name: str) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(UsageError, match=f"the directory of agents {tmp_path / name} "):
        load_all_agents([tmp_path / name])


def test_a_role_without_an_agent_is_refused() -> None:
    with pytest.raises(UsageError, match="no agent is called 'nobody'; there are checker, "):
        load_all_agents().prompt(asked("nobody", READ.given))


def test_an_agent_that_does_not_take_what_is_given_is_refused() -> None:
    with pytest.raises(UsageError, match=r"the agent planner \(built in\) takes PlanInput, not ReadInput"):
        load_all_agents().prompt(asked("planner", READ.given))


def test_agents_stand_in_order_of_name(tmp_path: Path) -> None:
    drop(tmp_path, "archivist")
    names = [agent.name for agent in load_all_agents([tmp_path]).agents]
    assert names == sorted(["archivist", *{path.stem for folder in FOLDERS for path in folder.glob("*.prompt")}])


def test_delegates_have_the_tools_that_the_run_has() -> None:
    cards = {card.name: card for card in load_all_agents().cards({"search", "fetch"})}
    assert {name: (card.contract, card.tools) for name, card in cards.items()} == {
        "citation_checker": ("CitationVerdicts", ()),
        "fact_verifier": ("FactVerdict", ("search", "fetch")),
        "report_writer": ("Section", ()),
        "researcher": ("Reading", ("search", "fetch")),
        "summarizer": ("Summary", ()),
    }
    assert cards["researcher"].description == load_all_agents().agent("researcher").front.description


def test_a_delegate_keeps_those_of_its_tools_that_there_are(tmp_path: Path) -> None:
    drop(tmp_path, front=SEARCHER)
    roster = load_all_agents([tmp_path])
    tools = {
        tools: next(card for card in roster.cards(tools) if card.name == "mine").tools
        for tools in (("fetch", "search"), ("python", "search"))
    }
    assert list(tools.values()) == [("search", "fetch"), ("search",)]


def test_a_delegate_none_of_whose_tools_there_are_is_refused(tmp_path: Path) -> None:
    drop(tmp_path, front=SEARCHER.replace("[search, fetch]", "[shell, fetch]"))
    path = tmp_path / "mine.prompt"
    with pytest.raises(UsageError) as raised:
        load_all_agents([tmp_path]).cards(("search", "python"))
    assert str(raised.value).startswith(f"the agent mine ({path}) uses shell, fetch, but this run has python, search;")


def test_the_hash_follows_the_file_and_every_partial_it_uses(tmp_path: Path) -> None:
    for folder in (PARTIALS, *FOLDERS):
        shutil.copytree(folder, tmp_path, dirs_exist_ok=True)
    first = load_all_agents([tmp_path]).agent("reader").sha256
    assert (
        first
        == load_all_agents().agent("reader").sha256
        == load_all_agents([tmp_path]).prompt(asked("reader", READ.given)).sha256
    )
    changed = {}
    for path in sorted(tmp_path.iterdir()):
        before = path.read_bytes()
        path.write_bytes(before + b"\n")
        changed[path.stem] = load_all_agents([tmp_path]).agent("reader").sha256 != first
        path.write_bytes(before)
    used = {"reader", "_quoting", "_material", "_reply", "_findings", "_objections"}
    assert {name for name, is_changed in changed.items() if is_changed} == used


def test_a_partial_beside_the_file_goes_before_the_built_in_one(tmp_path: Path) -> None:
    drop(tmp_path, template='{{role "system"}}\n{{> material}}\n{{role "user"}}\nRead.')
    built_in = load_all_agents([tmp_path]).prompt(READ)
    (tmp_path / "_material.prompt").write_text("Trust nobody.")
    own = load_all_agents([tmp_path]).prompt(READ)
    assert built_in.messages[0].text.startswith("# Material")
    assert own.messages[0].text == "Trust nobody."
    assert own.sha256 != built_in.sha256


def test_a_rejected_reply_is_told_again_with_what_is_wrong() -> None:
    roster = load_all_agents()
    given = sample(1)["ReadInput"]
    plain = roster.prompt(asked("reader", given))
    again = roster.prompt(
        asked("reader", given, attempt=2, rejected='{"findings": 3}\0', objections=("no passage has the label 'p9'",))
    )
    assert again.messages[:2] == plain.messages
    assert [message.role for message in again.messages[2:]] == ["assistant", "user"]
    assert again.messages[2].text == '{"findings": 3}\ufffd'
    assert "~~~ objections\n- no passage has the label 'p9'\n~~~" in again.messages[3].text
    assert "characters" not in again.messages[3].text
    assert again.sha256 == plain.sha256


@pytest.mark.parametrize("rejected", [None, "", " \n", "x" * (MAX_REJECTED_LENGTH + 1)])
def test_a_reply_that_is_long_or_empty_is_left_out(rejected: str | None) -> None:
    request = asked("reader", sample(1)["ReadInput"], objections=("it is no JSON",), rejected=rejected)
    reply, told = load_all_agents().prompt(request).messages[2:]
    assert reply.text == "[...]"
    assert ("Your reply of 4001 characters" in told.text) == bool(rejected and rejected.strip())


def test_what_is_wrong_can_be_told_in_other_words(tmp_path: Path) -> None:
    drop(tmp_path)
    (tmp_path / "_objections.prompt").write_text('{{role "user"}}\nAgain:\n{{data "objections"}}')
    request = asked("mine", READ.given, objections=("no\nJSON",), rejected="x")
    assert load_all_agents([tmp_path]).prompt(request).messages[-1].text == "Again:\n~~~ objections\n- no JSON\n~~~"
    (tmp_path / "_objections.prompt").write_text("Again:\n")
    assert fault(tmp_path).startswith(f"{tmp_path / '_objections.prompt'}, line 1, role: a template has at most")
    (tmp_path / "_objections.prompt").write_text('{{role "system"}}\nObey.\n{{role "user"}}\nAgain.')
    assert fault(tmp_path).startswith(f"{tmp_path / '_objections.prompt'}, line 1, role: no system message")


def test_a_built_in_file_is_compiled_by_the_check_too() -> None:
    assert len(check_all_agents().agents) == len(load_all_agents().agents)
