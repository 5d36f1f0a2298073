"""The command that adds an extra fits how the program was installed."""

import subprocess
import sys
from pathlib import Path

import pytest

from quaestor.contracts.errors import MissingExtra
from quaestor.contracts.installation import Origin, install_command

PIPX = Path("/home/me/.local/share/pipx/venvs/quaestor")
UV_TOOL = Path("/home/me/.local/share/uv/tools/quaestor")
PIP = Path("/usr")
INDEX, WHEEL, CLONE = Origin(), Origin("file:///a.whl"), Origin("file:///my%20clone", editable=True)


@pytest.mark.parametrize(
    ("prefix", "origin", "command"),
    [
        (PIP, INDEX, "pip install 'quaestor[web]'"),
        (PIP, WHEEL, "pip install 'quaestor[web] @ file:///a.whl'"),
        (PIP, CLONE, "pip install -e '/my clone[web]'"),
        (PIPX, INDEX, "pipx install --force 'quaestor[web]'"),
        (PIPX, WHEEL, "pipx install --force 'quaestor[web] @ file:///a.whl'"),
        (PIPX, CLONE, "pipx install --force -e '/my clone[web]'"),
        (UV_TOOL, INDEX, "uv tool install --force 'quaestor[web]'"),
        (UV_TOOL, WHEEL, "uv tool install --force 'quaestor[web] @ file:///a.whl'"),
        (UV_TOOL, CLONE, "uv tool install --force -e '/my clone[web]'"),
    ],
)
def test_an_extra_is_added_from_where_the_program_came(prefix: Path, origin: Origin, command: str) -> None:
    assert install_command("web", prefix, origin) == command


def test_an_environment_made_by_uv_is_added_to_by_uv(tmp_path: Path) -> None:
    (tmp_path / "pyvenv.cfg").write_text("home = /usr/bin\nuv = 0.9.0\n")
    assert install_command("web", tmp_path, WHEEL) == "uv pip install 'quaestor[web] @ file:///a.whl'"


@pytest.mark.parametrize(
    ("noted", "command"),
    [
        (None, "'quaestor[web]'"),
        ("damaged", "'quaestor[web]'"),
        ('{"url": "file:///a.whl", "archive_info": {}}', "'quaestor[web] @ file:///a.whl'"),
        ('{"url": "file:///clone", "dir_info": {}}', "'quaestor[web] @ file:///clone'"),
        ('{"url": "file:///clone", "dir_info": {"editable": true}}', "-e '/clone[web]'"),
        (
            '{"url": "https://host/q.git", "vcs_info": {"vcs": "git", "commit_id": "abc"}}',
            "'quaestor[web] @ git+https://host/q.git@abc'",
        ),
    ],
)
def test_where_it_came_from_is_read_from_its_metadata(tmp_path: Path, noted: str | None, command: str) -> None:
    metadata = tmp_path / "quaestor-0.1.0.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: quaestor\nVersion: 0.1.0\n")
    if noted is not None:
        (metadata / "direct_url.json").write_text(noted)
    code = (
        f"import sys; sys.path.insert(0, {str(tmp_path)!r}); from pathlib import Path\n"
        "from quaestor.contracts.installation import install_command as command\n"
        "print(command('web', Path('/usr')))"
    )
    printed = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert printed == f"pip install {command}\n"


def test_an_error_about_an_extra_ends_with_the_command() -> None:
    missing = MissingExtra("PDF files need an extra", "docs")
    assert str(missing) == f"PDF files need an extra: {install_command('docs')}"
