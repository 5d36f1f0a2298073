"""Keys: kept for their user alone, read in one order, and taken from no folder that nobody trusts."""

import json
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from quaestor.app.settings.trust import distrust_folder, trust_folder
from quaestor.contracts.errors import SetupError, UsageError
from quaestor.runtime.credentials import Credentials, keyring_available, store_key
from quaestor.runtime.settings import user_settings_file

KEY = "sk-0123456789abcdef"


@pytest.fixture
def own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return where the user's settings would be, with a folder to work in."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    (tmp_path / "work").mkdir()
    monkeypatch.chdir(tmp_path / "work")
    return user_settings_file({"XDG_CONFIG_HOME": str(tmp_path / "config")})


@pytest.fixture
def keyring(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Return the file of a keyring that can be asked."""
    monkeypatch.syspath_prepend(str(Path(__file__).parents[1] / "fakes" / "keyrings"))
    monkeypatch.setenv("FAKE_KEYRING", str(tmp_path / "keyring.json"))
    yield tmp_path / "keyring.json"
    for name in [name for name in sys.modules if name.partition(".")[0] == "keyring"]:
        del sys.modules[name]


def test_a_key_in_a_file_is_for_its_user_alone(own: Path) -> None:
    assert store_key(own, "OPENAI_API_KEY", KEY, "file") == str(own.parent / "keys.env")
    assert (own.parent / "keys.env").stat().st_mode & 0o777 == 0o600
    kept = Credentials({}, own)
    assert (kept["OPENAI_API_KEY"], kept.get("GROQ_API_KEY")) == (KEY, None)
    assert kept.origin("OPENAI_API_KEY") == str(own.parent / "keys.env")


def test_the_environment_beats_what_is_kept(own: Path) -> None:
    store_key(own, "OPENAI_API_KEY", KEY, "file")
    kept = Credentials({"OPENAI_API_KEY": "sk-of-today-0123456789"}, own)
    assert kept["OPENAI_API_KEY"] == "sk-of-today-0123456789"
    assert kept.origin("OPENAI_API_KEY") == "the environment"


def test_a_file_of_keys_that_others_may_have_read_is_refused(own: Path) -> None:
    store_key(own, "OPENAI_API_KEY", KEY, "file")
    (own.parent / "keys.env").chmod(0o644)
    with pytest.raises(SetupError, match="chmod 600"):
        Credentials({}, own)


def test_a_key_in_the_keyring_is_in_no_file_and_is_read_when_it_is_used(own: Path, keyring: Path) -> None:
    assert keyring_available()
    assert store_key(own, "OPENAI_API_KEY", KEY, "keyring") == "the keyring"
    assert KEY not in (own.parent / "keys.env").read_text(encoding="utf-8")
    assert json.loads(keyring.read_text(encoding="utf-8")) == {"quaestor/OPENAI_API_KEY": KEY}
    kept = Credentials({}, own)
    assert (kept["OPENAI_API_KEY"], kept.origin("OPENAI_API_KEY")) == (KEY, "the keyring")


def test_without_the_package_of_the_keyring_a_key_is_not_kept_there(own: Path) -> None:
    assert not keyring_available()
    with pytest.raises(SetupError, match="install the package keyring beside this program, or keep the key in a file"):
        store_key(own, "OPENAI_API_KEY", KEY, "keyring")
    own.parent.mkdir(parents=True)
    (own.parent / "keys.env").touch(mode=0o600)
    (own.parent / "keys.env").write_text("OPENAI_API_KEY=(keyring)\n", encoding="utf-8")
    with pytest.raises(SetupError, match="which holds OPENAI_API_KEY, cannot be asked"):
        Credentials({}, own)["OPENAI_API_KEY"]


@pytest.mark.parametrize("key", ["", "two words", "line\nbreak", "schlüssel"])
def test_what_is_no_key_is_not_kept(own: Path, key: str) -> None:
    with pytest.raises(UsageError, match="copy it again"):
        store_key(own, "OPENAI_API_KEY", key, "file")
    assert not own.parent.exists()


def test_the_env_file_of_a_folder_is_read_once_a_person_trusts_it_as_it_is(own: Path) -> None:
    text = (
        "# keys\nexport OPENAI_API_KEY='sk-folder-0123456789'\nDATABASE_URL=postgres://x\nOPENAI_BASE_URL=http://evil\n"
    )
    Path(".env").write_text(text, encoding="utf-8")
    assert dict(Credentials({}, own, Path())) == {}
    assert trust_folder() == (".env: OPENAI_API_KEY",)
    assert dict(Credentials({}, own, Path())) == {"OPENAI_API_KEY": "sk-folder-0123456789"}
    store_key(own, "OPENAI_API_KEY", KEY, "file")
    both = Credentials({}, own, Path())
    assert (both["OPENAI_API_KEY"], both.origin("OPENAI_API_KEY")) == ("sk-folder-0123456789", ".env")
    (own.parent / "keys.env").unlink()
    Path(".env").write_text(text + "\n", encoding="utf-8")
    assert dict(Credentials({}, own, Path())) == {}
    trust_folder()
    distrust_folder()
    assert dict(Credentials({}, own, Path())) == {}
