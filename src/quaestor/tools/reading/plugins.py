"""Readers that other packages bring, by the suffix of files that nothing here reads."""

import sys
from collections.abc import Mapping
from functools import lru_cache
from importlib.metadata import entry_points
from types import MappingProxyType
from typing import NamedTuple

from quaestor.tools.reading.content_type import unknown_suffix

ENTRY_POINT_GROUP = "quaestor.readers"
"""The entry points: named by a suffix without its dot, each leads to a function that takes the bytes of a file."""


class InstalledReader(NamedTuple):
    """A reader as `package.module:function`, and the folder in which its package is installed."""

    reference: str
    folder: str


def find_reader(uri: str) -> InstalledReader | None:
    """Return the reader that a package brings for a file; None where there is none, or the format is known here."""
    suffix = unknown_suffix(uri)
    return _search_packages(tuple(sys.path)).get(suffix) if suffix else None


@lru_cache(maxsize=1)
def _search_packages(_path: tuple[str, ...]) -> Mapping[str, InstalledReader]:
    """Search every installed package; again only on another path."""
    return MappingProxyType(
        {
            point.name.lower(): InstalledReader(point.value, str(point.dist.locate_file("")) if point.dist else "")
            for point in entry_points(group=ENTRY_POINT_GROUP)
        }
    )
