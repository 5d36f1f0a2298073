"""The followers by URL."""

import os
import re
from collections.abc import Callable, Mapping
from datetime import datetime
from importlib.metadata import entry_points
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, cast

from quaestor.contracts.errors import MissingExtra, UsageError
from quaestor.contracts.follower import Follower, Replica
from quaestor.contracts.installed import load_installed
from quaestor.contracts.lazy import LazyImport
from quaestor.storage.followers.jsonl import JsonlFollower

if TYPE_CHECKING:
    from quaestor.storage.followers.metric_messages import OtlpMetrics
    from quaestor.storage.followers.mongo import MongoFollower
    from quaestor.storage.followers.otlp import OtlpFollower

_MONGO_FOLLOWER: "LazyImport[type[MongoFollower]]" = LazyImport("quaestor.storage.followers.mongo:MongoFollower")
_OTLP_FOLLOWER: "LazyImport[type[OtlpFollower]]" = LazyImport("quaestor.storage.followers.otlp:OtlpFollower")
_OTLP_METRICS: "LazyImport[type[OtlpMetrics]]" = LazyImport("quaestor.storage.followers.metric_messages:OtlpMetrics")
URL_FORMS = (
    "mongodb://HOST/DATABASE, mongodb+srv://HOST/DATABASE, otlp+http://HOST:4318, otlp+https://HOST, jsonl:FILE or "
    "jsonl:FOLDER/"
)

ENTRY_POINT_GROUP = "quaestor.followers"
"""The entry points by which other packages bring targets: named by the scheme of a URL, each is called with the URL."""

_SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.-]+):")
"""Two characters at least, so that a drive of Windows is none."""


def open_follower(url: str, state: Path | None = None) -> Follower:
    """Return the follower for a URL or for the path of a file or folder. It connects at its first use.

    `state` is the folder in which is remembered what a target cannot be asked. Raises UsageError for a URL that means
    none, MissingExtra without the extra `mongo` or `otel`. Neither shows the URL, which may hold a password.
    """
    scheme = _SCHEME.match(url)
    match scheme[1].lower() if scheme else None:
        case "mongodb" | "mongodb+srv":
            return _open_mongo(url)
        case "otlp+http" | "otlp+https":
            return _open_otlp(url, state)
        case "jsonl":
            return _open_jsonl(url.partition(":")[2])
        case None:
            return _open_jsonl(url)
        case other:
            return _open_installed(other, url)


def _open_installed(scheme: str, url: str) -> Follower:
    """Return the follower that a package brings for a scheme. Raises UsageError, or SetupError for a broken package."""
    installed = entry_points(group=ENTRY_POINT_GROUP)
    if scheme not in installed.names:
        brought = "".join(f", {name}:..." for name in sorted(installed.names))
        raise UsageError(f"there is no follower for {scheme}: URLs; the log can be copied to {URL_FORMS}{brought}")
    make = cast("Callable[[str], Follower]", load_installed(installed[scheme], "follower"))
    return make(url)


def open_replica(url: str) -> Replica:
    """Return the follower for a URL whose events can be read back. Raises UsageError for others, as `open_follower`."""
    follower = open_follower(url)
    if not isinstance(follower, Replica):
        raise UsageError(f"{follower.name} has traces, from which no events can be read back; name another copy")
    return follower


def _open_otlp(url: str, state: Path | None) -> Follower:
    try:
        follower = _OTLP_FOLLOWER.load()
    except ModuleNotFoundError:
        raise MissingExtra("copying to OpenTelemetry needs an extra", "otel") from None
    return follower(url, os.environ, state)


def open_metrics(url: str, environment: Mapping[str, str], process: str, since: datetime) -> "OtlpMetrics":
    """Return the export of the metrics of a process, which counts since a time. Raises as `open_follower` does."""
    try:
        exporter = _OTLP_METRICS.load()
    except ModuleNotFoundError:
        raise MissingExtra("metrics of OpenTelemetry need an extra", "otel") from None
    return exporter(url, environment, process, since)


def _open_mongo(url: str) -> Follower:
    if find_spec("pymongo") is None:
        raise MissingExtra("copying to MongoDB needs an extra", "mongo")
    return _MONGO_FOLLOWER.load()(url)


def _open_jsonl(path: str) -> Follower:
    if not path.strip():
        raise UsageError(f"no place to copy the log to was named; name {URL_FORMS}")
    place = Path(path).expanduser()
    return JsonlFollower(place, folder=path.endswith(("/", "\\")) or place.is_dir())
