from pathlib import Path

from agents.samples import FRONT, drop
from faces.cli.conftest import Quaestor
from quaestor.research.plugin import PLUGIN
from quaestor.runtime.session_setup import load_all_agents


def test_the_list_names_every_agent_with_its_tools_contract_and_source(quaestor: Quaestor, tmp_path: Path) -> None:
    drop(tmp_path)
    ended = quaestor("agents", "list", "--agents", tmp_path)
    assert (ended.code, ended.err) == (0, "")
    heads, *lines = ended.out.splitlines()
    assert heads.split() == ["NAME", "TOOLS", "GIVES", "SOURCE", "DESCRIPTION"]
    assert [line.split()[0] for line in lines] == [agent.name for agent in load_all_agents([tmp_path]).agents]
    shown = {line.split()[0]: " ".join(line.split()[1:]) for line in lines}
    assert shown["mine"] == f"none Reading {tmp_path / 'mine.prompt'} Reads."
    assert shown["researcher"].startswith("search, fetch, consult Reading built in Searches the sources")
    assert shown["writer"].startswith("none Section, Frame built in ")


def test_sound_agents_are_said_to_be_sound(quaestor: Quaestor) -> None:
    ended = quaestor("agents", "check")
    assert (ended.code, ended.out, ended.err) == (0, f"{len(load_all_agents().agents)} agents are sound\n", "")


def test_the_check_names_every_fault_of_every_file(quaestor: Quaestor, tmp_path: Path) -> None:
    drop(tmp_path, "a", front=f"{FRONT}\ncolour: red\nsize: 3")
    drop(tmp_path, "b", template='{{role "user"}}\n{{nobody}}\n')
    ended = quaestor("agents", "check", "--agents", tmp_path)
    assert ended.code == 2
    assert [line.removeprefix(f"{tmp_path}/").rpartition(": ")[0] for line in ended.out.splitlines()] == [
        "a.prompt, line 5, colour",
        "a.prompt, line 6, size",
        "b.prompt, line 7, {{nobody}}",
    ]
    assert ended.err == "3 faults in the agents\n"


def test_one_agent_is_shown_with_its_file(quaestor: Quaestor) -> None:
    ended = quaestor("agents", "show", "researcher")
    assert ended.code == 0
    facts, _, text = ended.out.partition("\n\n")
    assert dict(line.split(maxsplit=1) for line in facts.splitlines()) == {
        "agent": "researcher",
        "file": str(PLUGIN.agents[0] / "researcher.prompt"),
        "sha256": load_all_agents().agent("researcher").sha256,
        "takes": "DelegateToolInput, ReadInput",
        "gives": "Reading",
        "tools": "search, fetch, consult",
        "model": "that of the run",
        "temperature": "that of the model",
        "tokens": "4,096 a reply",
        "delegate": "yes",
    }
    assert text == (PLUGIN.agents[0] / "researcher.prompt").read_text(encoding="utf-8")


def test_an_agent_of_ones_own_is_shown_with_what_it_sets(quaestor: Quaestor, tmp_path: Path) -> None:
    drop(tmp_path, front=f"{FRONT}\nmodel: local:small\nconfig: {{temperature: 0.5, maxOutputTokens: 99}}")
    ended = quaestor("agents", "show", "mine", "--agents", tmp_path)
    assert ended.code == 0
    for line in ("model        local:small", "temperature  0.5", "tokens       99 a reply", "delegate     no"):
        assert f"{line}\n" in ended.out


def test_a_file_cannot_move_the_cursor(quaestor: Quaestor, tmp_path: Path) -> None:
    drop(tmp_path, template='{{role "user"}}\n\x1b[2J\n')
    ended = quaestor("agents", "show", "mine", "--agents", tmp_path)
    assert ended.code == 0
    assert "\x1b" not in ended.out


def test_what_cannot_be_meant_is_refused_with_what_can(quaestor: Quaestor, tmp_path: Path) -> None:
    for line, said in (
        (("list", "reader"), "quaestor agents show reader"),
        (("show",), "quaestor agents list"),
        (("show", "nobody"), "no agent is called 'nobody'"),
        (("list", "--agents", tmp_path / "missing"), "does not exist"),
    ):
        ended = quaestor("agents", *line)
        assert (ended.code, ended.out) == (2, "")
        assert said in ended.err
