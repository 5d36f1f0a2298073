"""Setting a machine up, and the settings and models that it has then."""

import io
import os
import tomllib
from pathlib import Path

import pytest
from pydantic import JsonValue

from faces.cli.conftest import Quaestor
from fakes.openai_server import OpenAIServer
from fakes.openai_wire import Answer, Asked, Call, Calls, Status
from quaestor.runtime.settings import user_settings_file

_NOWHERE = "http://127.0.0.1:9/v1"


@pytest.fixture(autouse=True)
def own_settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let each test have a user of its own."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))


def adding(asked: Asked) -> Answer:
    """Answer the probe: the contract, and the tool."""
    if asked.tools:
        return Calls(calls=(Call(name="add", arguments='{"a": 2, "b": 3}', id="c1"),))
    return '{"total": 5}'


def llama(asked: Asked) -> Answer:
    if asked.response_format and asked.response_format.type == "json_schema":
        return Status(status=500, message="body -> response_format -> type: Input should be 'text' or 'json_object'")
    return adding(asked)


def point_to(monkeypatch: pytest.MonkeyPatch, ollama: str = _NOWHERE) -> None:
    """Let every local server be looked for at these addresses alone."""
    for name in ("LMSTUDIO", "LLAMACPP", "VLLM"):
        monkeypatch.setenv(f"{name}_BASE_URL", _NOWHERE)
    monkeypatch.setenv("OLLAMA_BASE_URL", ollama)


def written() -> JsonValue:
    """Return the user's settings as they are in their file."""
    return tomllib.loads(user_settings_file(os.environ).read_text(encoding="utf-8"))


def test_a_server_of_this_machine_is_found_tried_and_written(
    quaestor: Quaestor, monkeypatch: pytest.MonkeyPatch
) -> None:
    with OpenAIServer(adding) as server:
        point_to(monkeypatch, server.url)
        ended = quaestor("setup", "--yes")
    assert ended.code == 0, ended.err
    assert "ollama  2 models" in ended.err
    assert [" ".join(line.split()) for line in ended.err.splitlines()[-3:-1]] == ["contract ok", "tool ok"]
    assert '+model = "ollama:small"' in ended.out
    assert written() == {"model": "ollama:small"}
    shown = quaestor("settings").out.splitlines()[1].split()
    assert shown[:3] == ["model", "ollama:small", str(user_settings_file(os.environ))]


def test_what_the_server_refused_while_it_was_tried_spares_every_run_the_refusal(
    quaestor: Quaestor, monkeypatch: pytest.MonkeyPatch
) -> None:
    with OpenAIServer(llama) as server:
        point_to(monkeypatch, server.url)
        assert quaestor("setup", "--yes").code == 0
    assert written() == {"model": "ollama:small", "providers": {"ollama": {"output": "object"}}}


def test_nothing_is_written_without_a_yes(quaestor: Quaestor, monkeypatch: pytest.MonkeyPatch) -> None:
    point_to(monkeypatch)
    ended = quaestor("setup", "--model", "offline")
    assert (ended.code, ended.out.splitlines()[-1]) == (2, '+model = "offline"')
    assert not user_settings_file(os.environ).exists()


def test_settings_that_are_there_stay_as_they_are(quaestor: Quaestor, monkeypatch: pytest.MonkeyPatch) -> None:
    point_to(monkeypatch)
    own = user_settings_file(os.environ)
    own.parent.mkdir(parents=True)
    own.write_text('# mine\neffort = "low"\n', encoding="utf-8")
    assert quaestor("setup", "--model", "offline", "--web", "wikipedia,arxiv", "--yes").code == 0
    assert own.read_text(encoding="utf-8").startswith('# mine\neffort = "low"\n')
    assert written() == {"effort": "low", "model": "offline", "web": ["wikipedia", "arxiv"]}


def test_settings_that_are_a_link_to_another_place_stay_one(quaestor: Quaestor, tmp_path: Path) -> None:
    own, kept = user_settings_file(os.environ), tmp_path / "dotfiles" / "quaestor.toml"
    own.parent.mkdir(parents=True)
    kept.parent.mkdir()
    kept.write_text('effort = "low"\n', encoding="utf-8")
    own.symlink_to(kept)
    assert quaestor("settings", "set", "loops", "7").code == 0
    assert own.is_symlink()
    assert kept.read_text(encoding="utf-8") == 'effort = "low"\nloops = 7\n'
    assert [file.name for file in kept.parent.iterdir()] == ["quaestor.toml"]


def test_a_model_that_fulfils_no_contract_is_not_set_up(quaestor: Quaestor, monkeypatch: pytest.MonkeyPatch) -> None:
    with OpenAIServer(lambda _: "I am a teapot.") as server:
        point_to(monkeypatch, server.url)
        ended = quaestor("setup", "--yes")
    assert ended.code == 3
    assert "it called no tool" in ended.err
    assert not user_settings_file(os.environ).exists()


def test_a_key_from_stdin_is_kept_for_its_user_and_used(quaestor: Quaestor, monkeypatch: pytest.MonkeyPatch) -> None:
    point_to(monkeypatch)
    with OpenAIServer(adding) as server:
        monkeypatch.setenv("GROQ_BASE_URL", server.url)
        monkeypatch.setattr("sys.stdin", io.StringIO("gsk-0123456789abcdef\n"))
        ended = quaestor("setup", "--model", "groq:small", "--key-stdin", "--keep", "file", "--yes")
        assert ended.code == 0, ended.err
        assert server.requests[-1].headers["authorization"] == "Bearer gsk-0123456789abcdef"
        listed = quaestor("models")
    assert "gsk-" not in ended.out + ended.err + listed.out
    assert "groq  2 models (GROQ_API_KEY from" in listed.out
    assert (user_settings_file(os.environ).parent / "keys.env").stat().st_mode & 0o777 == 0o600


def test_a_model_without_its_key_is_answered_with_what_keeps_one(
    quaestor: Quaestor, docs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("GROQ_API_KEY", raising=False)
    ended = quaestor("research", "Who built it?", "--docs", docs, "--model", "groq:small")
    assert (ended.code, ended.out) == (3, "")
    assert "needs a key: set GROQ_API_KEY" in ended.err
    assert ended.err.endswith("(`quaestor setup` keeps it; a .env of this folder is read after `quaestor trust`)\n")


def test_the_models_of_one_provider_are_listed_whole(quaestor: Quaestor, monkeypatch: pytest.MonkeyPatch) -> None:
    with OpenAIServer(adding) as server:
        server.models = tuple(f"m{number:02}" for number in range(20))
        point_to(monkeypatch, server.url)
        few, whole = quaestor("models").out, quaestor("models", "ollama").out
    assert ("and 15 more" in few, "ollama:m19" in few) == (True, False)
    assert "ollama:m19" in whole
    assert quaestor("models", "nobody").code == 2


def test_names_and_values_of_others_cannot_move_the_cursor(quaestor: Quaestor, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("QUAESTOR_AGENTS", "mine\x1b[2J")
    monkeypatch.setenv("QUAESTOR_MODEL", "ollama:small\x1b[2J")
    with OpenAIServer(lambda _: Status(status=404, message="no such model\x1b[2J")) as server:
        server.models = ("small\x1b[2J",)
        point_to(monkeypatch, server.url)
        for command in ("models", "settings", "doctor"):
            ended = quaestor(command)
            assert "\x1b" not in ended.out + ended.err, command
        assert "small\ufffd" in quaestor("models").out
        assert quaestor("settings", "get", "agents").out == "mine\ufffd[2J\n"


def test_a_setting_is_shown_with_its_place_and_without_what_is_secret(
    quaestor: Quaestor, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("QUAESTOR_EFFORT", "high")
    assert quaestor("settings", "set", "loops", "7").code == 0
    assert quaestor("settings", "set", "follow", "mongodb://me:secret-word@host/db").code == 0
    rows = {line.split()[0]: line.split()[1:3] for line in quaestor("settings").out.splitlines()[1:]}
    assert rows["effort"] == ["high", "QUAESTOR_EFFORT"]
    assert rows["loops"] == ["7", str(user_settings_file(os.environ))]
    assert quaestor("settings", "get", "follow").out == "[mongodb://[hidden]@host/db]\n"
    assert quaestor("settings", "get", "parallel").out == "8\n"
    assert len(quaestor("settings", "--all").out.splitlines()) > 40


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("set", "effort", "huge"), "effort = 'huge'"),
        (("set", "colour", "red"), "no setting is called 'colour'"),
        (("set", "providers.lab.base_url", "zzz"), "the base_url of a provider is no address of the web"),
        (("set", "providers.lab.base_url", "http://lab:92511/v1"), "its port is 92511"),
        (("set", "effort"), "an argument is missing"),
        (("get", "colour"), "no setting is called 'colour'"),
    ],
)
def test_what_cannot_be_set_is_refused_and_nothing_is_written(
    quaestor: Quaestor, words: tuple[str, ...], message: str
) -> None:
    ended = quaestor("settings", *words)
    assert ended.code == 2
    assert message in ended.err
    assert not user_settings_file(os.environ).exists()


def test_the_files_of_settings_and_keys_are_named(quaestor: Quaestor) -> None:
    files = [line.split()[0] for line in quaestor("settings", "path").out.splitlines()[1:]]
    assert [Path(file).name for file in files] == ["quaestor.toml", "keys.env", "quaestor.toml", ".env"]
