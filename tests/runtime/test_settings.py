import os
from pathlib import Path

import pytest

from quaestor.contracts.errors import SetupError, UsageError
from quaestor.contracts.settings import Settings
from quaestor.runtime.settings import resolve_settings, user_settings_file


def test_a_run_option_beats_the_environment_and_that_the_file_and_that_the_default(tmp_path: Path) -> None:
    file = tmp_path / "quaestor.toml"
    file.write_text("parallel = 2\nloops = 5\nmax_depth = 1\n")
    environment = {"QUAESTOR_PARALLEL": "3", "QUAESTOR_LOOPS": "6", "OTHER": "x"}
    settings = resolve_settings({"parallel": 7, "loops": None}, environment, file)
    assert (settings.parallel, settings.loops, settings.max_depth) == (7, 6, 1)
    assert settings.max_todos == Settings().max_todos


def test_a_fault_names_the_setting_its_value_and_where_it_came_from(tmp_path: Path) -> None:
    file = tmp_path / "quaestor.toml"
    file.write_text("paralel = 2\n")
    with pytest.raises(UsageError, match="parallel = 'many' from the environment"):
        resolve_settings({}, {"QUAESTOR_PARALLEL": "many"})
    with pytest.raises(UsageError, match=f"paralel = 2 from {file}"):
        resolve_settings({}, {}, file)
    file.write_text("parallel = = 2")
    with pytest.raises(UsageError, match="cannot be read as TOML"):
        resolve_settings({}, {}, file)


@pytest.mark.parametrize(
    ("variable", "text", "said"),
    [
        ("APPROVE", "write_file", r"approve = 'write_file' from the environment: write it as a list, as \["),
        ("MODELS", "planner=a", "models = 'planner=a' from the environment: its parts have names: "),
        ("PRICES", '{"a": 3}', r"prices\.a = 3 from the environment: its parts have names: "),
        ("CACHE", "maybe", "cache = 'maybe' from the environment: write on or off"),
        ("ALLOWED_DOMAINS", '["no domain"]', "from the environment: 'no domain' is no domain; write it as example.org"),
        ("MAX_DOLLARS", "much", "max_dollars = 'much' from the environment: write a number, as 2"),
    ],
)
def test_a_fault_says_what_to_write_in_words_of_the_files(variable: str, text: str, said: str) -> None:
    with pytest.raises(UsageError, match=said):
        resolve_settings({}, {f"QUAESTOR_{variable}": text})


@pytest.mark.parametrize("whose", ["own", "folder"])
@pytest.mark.parametrize(("leads_to", "reason"), [("quaestor.toml", "Too many levels"), ("gone", "No such file")])
def test_settings_that_are_a_link_to_nothing_are_no_settings_that_are_missing(
    tmp_path: Path, whose: str, leads_to: str, reason: str
) -> None:
    file = tmp_path / "quaestor.toml"
    file.symlink_to(tmp_path / leads_to)
    with pytest.raises(UsageError, match=f"quaestor.toml cannot be read: {reason}"):
        resolve_settings({}, {}, **{whose: file})
    assert resolve_settings({}, {}, tmp_path / "none" / "quaestor.toml", tmp_path / "none.toml") == Settings()


def test_a_variable_that_looks_like_a_setting_but_is_none_is_said() -> None:
    with pytest.raises(UsageError, match="QUAESTOR_PARALEL"):
        resolve_settings({}, {"QUAESTOR_PARALEL": "2"})
    resolve_settings({}, {"QUAESTOR_HOME": "/x", "QUAESTOR_DEBUG": "1"})


def test_a_user_without_a_folder_is_told_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("HOME")
    monkeypatch.setattr(os, "getuid", lambda: 2**31 - 3)
    with pytest.raises(SetupError, match="set HOME"):
        user_settings_file({})
