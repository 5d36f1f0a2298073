"""The package of examples/plugins, as pip would install it."""

import shutil
import tomllib
from pathlib import Path

PACKAGE = Path(__file__).parents[2] / "examples" / "plugins"
GROUPS = tomllib.loads((PACKAGE / "pyproject.toml").read_text(encoding="utf-8"))["project"]["entry-points"]


def install_plugins(folder: Path) -> None:
    """Install the package, with an entry point of each kind that is broken, into a folder."""
    for module in PACKAGE.glob("*.py"):
        shutil.copy(module, folder)
    metadata = folder / "quaestor_examples-1.0.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: quaestor-examples\nVersion: 1.0\n")
    sections = (
        [f"[{group}]", "broken = no_such_module:read", *(f"{name} = {value}" for name, value in named.items())]
        for group, named in GROUPS.items()
    )
    (metadata / "entry_points.txt").write_text("\n".join("\n".join(lines) for lines in sections))
