"""What a log refers to in the home, found in the JSON of its events whatever their workflow and release.

A workflow names sources and corpora in fields of its own, which a store does not know. But it names them exactly: as a
whole string, which no text of a person or a page can be by accident. So the strings are the references.
"""

import re

_SOURCE = re.compile(r'"([0-9a-f]{64})"')
_CORPUS = re.compile(r'"corpus_(\d{1,18})"')
_WORKSPACE = re.compile(r'[/\\]workspaces[/\\]+([0-9a-f]{16})(?=["/\\])')


def named_hashes(body: str) -> set[str]:
    """Return every SHA-256 that an event names, of whatever."""
    return set(_SOURCE.findall(body))


def named_corpora(body: str) -> set[int]:
    """Return the numbers of the corpora that an event names."""
    return set(map(int, _CORPUS.findall(body)))


def named_workspaces(body: str) -> set[str]:
    """Return the names of the folders in the home's workspaces that an event names."""
    return set(_WORKSPACE.findall(body))
