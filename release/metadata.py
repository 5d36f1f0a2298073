"""Completes the metadata of a build: links of README.md that work on a package index, and the project's addresses.

QUAESTOR_SOURCE is the address of the repository, as https://forge.example/quaestor; `make release` asks for it. Without
it no address is invented: links within the repository become plain text.
"""

import os
import re
from pathlib import Path

from hatchling.metadata.plugin.interface import MetadataHookInterface

_LINK = re.compile(r"(!?)\[([^\]]*)\]\((?![a-z]+:|#)([^)\s]+)\)")
_PAGES = {"Documentation": "docs/index.md", "Changelog": "CHANGELOG.md", "Security": "SECURITY.md"}


def absolute_links(text: str, source: str, version: str) -> str:
    """Return Markdown whose links into the repository lead to it at the tag of a version; plain text without it."""

    def replace(link: re.Match[str]) -> str:
        image, words, path = link.groups()
        if not source:
            return "" if image else words
        return f"{image}[{words}]({source}/{'raw' if image else 'blob'}/v{version}/{path})"

    return _LINK.sub(replace, text)


class SourceLinks(MetadataHookInterface):
    """Sets the readme and the URLs of the project."""

    def update(self, metadata: dict[str, object]) -> None:  # type: ignore[explicit-override]  # a build has no typing_extensions
        """Read README.md and the address of the repository."""
        source = os.environ.get("QUAESTOR_SOURCE", "").rstrip("/")
        version = str(metadata["version"])
        readme = (Path(self.root) / "README.md").read_text(encoding="utf-8")
        metadata["readme"] = {"content-type": "text/markdown", "text": absolute_links(readme, source, version)}
        if source:
            pages = {name: f"{source}/blob/v{version}/{path}" for name, path in _PAGES.items()}
            metadata["urls"] = {"Source": source, "Issues": f"{source}/issues", **pages}
