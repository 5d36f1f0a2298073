"""How this program was installed, and so how a part of it is added."""

import json
import sys
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path
from typing import NamedTuple
from urllib.parse import unquote, urlsplit


class Origin(NamedTuple):
    """What the program was installed from: a wheel, a folder or a repository; no `url` for a package index."""

    url: str = ""
    editable: bool = False


def install_command(extra: str, prefix: Path | None = None, origin: Origin | None = None) -> str:
    """Return the command that adds an extra to the installation at `prefix`, by default this one.

    It names what the program was installed from, as an index may have another project under the same name.
    """
    prefix = prefix or Path(sys.prefix)
    origin = _read_origin() if origin is None else origin
    if origin.editable:
        package = f"-e '{unquote(urlsplit(origin.url).path)}[{extra}]'"
    elif origin.url:
        package = f"'quaestor[{extra}] @ {origin.url}'"
    else:
        package = f"'quaestor[{extra}]'"
    parts = prefix.parts
    if "pipx" in parts and "venvs" in parts:
        return f"pipx install --force {package}"
    if parts[-3:-1] == ("uv", "tools"):
        return f"uv tool install --force {package}"
    return f"{'uv pip' if _made_by_uv(prefix) else 'pip'} install {package}"


def _read_origin() -> Origin:
    try:
        noted: object = json.loads(distribution("quaestor").read_text("direct_url.json") or "{}")
    except (PackageNotFoundError, ValueError):
        return Origin()
    match noted:
        case {"url": str(url), "dir_info": {"editable": True}}:
            return Origin(url, editable=True)
        case {"url": str(url), "vcs_info": {"vcs": str(system), "commit_id": str(commit)}}:
            return Origin(f"{system}+{url}@{commit}")
        case {"url": str(url)}:
            return Origin(url)
        case _:
            return Origin()


def _made_by_uv(prefix: Path) -> bool:
    try:
        return any(line.startswith("uv = ") for line in (prefix / "pyvenv.cfg").read_text("utf-8").splitlines())
    except OSError:
        return False
