"""Where the key that signs is kept; what signing shows is in the tests of verify."""

import os
import subprocess
import sys
from pathlib import Path

_KEYRINGS = Path(__file__).parents[1] / "fakes" / "keyrings"
_SCRIPT = """
import os
from datetime import UTC, datetime
from quaestor.contracts.signature import LogHead
from quaestor.runtime.signing import HeadSigner, is_valid
head = LogHead(session_id="s", events=1, hash="0" * 64)
first, second = (HeadSigner(os.environ).sign(head, datetime(2026, 1, 1, tzinfo=UTC)) for _ in range(2))
assert is_valid(first) and first == second
print(first.key)
"""


def sign(folder: Path, **environment: str) -> str:
    """Sign in a process of its own, for which a package `keyring` is installed; return the public key."""
    own = {**os.environ, "XDG_CONFIG_HOME": str(folder), "PYTHONPATH": str(_KEYRINGS), **environment}
    ended = subprocess.run([sys.executable, "-c", _SCRIPT], env=own, capture_output=True, text=True, check=False)
    assert ended.returncode == 0, ended.stderr
    return ended.stdout


def test_the_key_is_in_the_keyring_where_there_is_one(tmp_path: Path) -> None:
    kept = tmp_path / "kept.json"
    key = sign(tmp_path, FAKE_KEYRING=str(kept))
    assert "quaestor/signing key" in kept.read_text(encoding="utf-8")
    assert not list(tmp_path.rglob("signing.key"))
    assert sign(tmp_path, FAKE_KEYRING=str(kept)) == key


def test_where_the_keyring_cannot_be_used_a_file_of_the_user_alone_has_the_key(tmp_path: Path) -> None:
    key = sign(tmp_path)
    [file] = tmp_path.rglob("signing.key")
    assert file.stat().st_mode & 0o777 == 0o600
    assert sign(tmp_path) == key
