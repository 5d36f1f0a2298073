"""The files of the pages: style, icon and vendored scripts, under addresses that change with their content.

htmx and its extension for server-sent events are unchanged files of the npm package htmx.org, version 4.0.1, under the
zero-clause BSD licence that is beside them.
"""

from collections.abc import Mapping
from functools import cache
from hashlib import sha256
from http import HTTPStatus
from importlib.resources import files
from types import MappingProxyType

from fastapi import APIRouter, Response

from quaestor.contracts.immutable import Immutable
from quaestor.faces.server.problems import ProblemRaised

router = APIRouter(include_in_schema=False)

VENDORED: Mapping[str, str] = MappingProxyType(
    {
        "htmx.min.js": "a0abb04f2f45a1f89d1d4844023245537e5e6014c87b144553e0607b4cc32130",
        "hx-sse.min.js": "18ef2761356ec1fe0bb6d92612315b37517a7c1e9856b661c5ae81fef239d103",
    }
)
"""SHA-256 of files of others, by name."""
_MEDIA_TYPES = {"css": "text/css; charset=utf-8", "js": "text/javascript; charset=utf-8", "svg": "image/svg+xml"}
_CACHED = "public, max-age=31536000, immutable"
_DIGEST_CHARACTERS = 16


class Asset(Immutable):
    """A file that pages load, and its address."""

    name: str
    content: bytes

    @property
    def path(self) -> str:
        """The address, with the beginning of the hash of the content."""
        return f"/assets/{sha256(self.content).hexdigest()[:_DIGEST_CHARACTERS]}/{self.name}"


@cache
def assets() -> Mapping[str, Asset]:
    """Return all files that pages load, by their names."""
    folder = files("quaestor.faces.server.web").joinpath("static")
    found = (each for each in folder.iterdir() if each.name.rpartition(".")[2] in _MEDIA_TYPES)
    return {each.name: Asset(each.name, each.read_bytes()) for each in found}


@cache
def asset_path(name: str) -> str:
    """Return the address of a file. Raises KeyError for one that does not exist."""
    return assets()[name].path


@router.get("/assets/{digest}/{name}")
def asset(digest: str, name: str) -> Response:
    """Read a file that pages load; its address changes with its content, so that it may be kept for ever."""
    found = assets().get(name)
    if found is None or found.path != f"/assets/{digest}/{name}":
        raise ProblemRaised(
            HTTPStatus.NOT_FOUND, f"there is no file {name[:60]!r} of this release; load the page again"
        )
    media_type = _MEDIA_TYPES[name.rpartition(".")[2]]
    return Response(found.content, media_type=media_type, headers={"Cache-Control": _CACHED})
