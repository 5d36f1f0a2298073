"""How this program was installed, and so how a part of it is added."""

import json
import sys
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path


def install_command(extra: str, prefix: Path | None = None, origin: str | None = None) -> str:
    """Return the command that adds an extra to the installation at `prefix`, this one without it.

    `origin` is the URL that it was installed from. What installs anew names it, as an index may have another project
    under the same name.
    """
    prefix = prefix or Path(sys.prefix)
    package = f"'quaestor[{extra}]'"
    url = _installed_from() if origin is None else origin
    whole = f"'quaestor[{extra}] @ {url}'" if url else package
    parts = prefix.parts
    if "pipx" in parts and "venvs" in parts:
        return f"pipx install --force {whole}"
    if parts[-3:-1] == ("uv", "tools"):
        return f"uv tool install --force {whole}"
    if _made_by_uv(prefix):
        return f"uv pip install {package}"
    return f"pip install {package}"


def _installed_from() -> str:
    """Return the URL of the wheel or folder that the program was installed from; nothing for an index."""
    try:
        noted: object = json.loads(distribution("quaestor").read_text("direct_url.json") or "{}")
    except (PackageNotFoundError, ValueError):
        return ""
    return str(noted.get("url", "")) if isinstance(noted, dict) else ""


def _made_by_uv(prefix: Path) -> bool:
    try:
        return any(line.startswith("uv = ") for line in (prefix / "pyvenv.cfg").read_text("utf-8").splitlines())
    except OSError:
        return False
