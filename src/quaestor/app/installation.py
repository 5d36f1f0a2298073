"""How this program was installed, and so how a part of it is added."""

import sys
from pathlib import Path


def install_command(extra: str, prefix: Path | None = None) -> str:
    """Return the command that adds an extra to the installation at `prefix`, this one without it."""
    prefix = prefix or Path(sys.prefix)
    package = f"'quaestor[{extra}]'"
    parts = prefix.parts
    if "pipx" in parts and "venvs" in parts:
        return f"pipx install --force {package}"
    if parts[-3:-1] == ("uv", "tools"):
        return f"uv tool install --force {package}"
    if _made_by_uv(prefix):
        return f"uv pip install {package}"
    return f"pip install {package}"


def _made_by_uv(prefix: Path) -> bool:
    try:
        return any(line.startswith("uv = ") for line in (prefix / "pyvenv.cfg").read_text("utf-8").splitlines())
    except OSError:
        return False
