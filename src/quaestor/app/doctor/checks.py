"""Whether this machine is ready: what there is, what is missing, and what has to be repaired."""

import os
import platform
from collections.abc import Iterator, Mapping, Sequence
from importlib.metadata import EntryPoint, entry_points
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

from quaestor.app.doctor.trials import (
    Check,
    absent,
    fault,
    ok,
    try_engines,
    try_model,
    try_reading,
    try_servers,
)
from quaestor.app.home import default_home
from quaestor.app.settings.environment import current_credentials, current_settings, own_settings_file
from quaestor.app.stores import DATABASE_FILE, describe_server
from quaestor.contracts.errors import QuaestorError, SetupError
from quaestor.contracts.installation import install_command
from quaestor.contracts.installed import load_installed
from quaestor.contracts.sandbox import SandboxStatus
from quaestor.contracts.settings import REPLAY_PREFIX, Settings
from quaestor.models.catalogue import ModelCatalogue
from quaestor.runtime.private_home import foreign_owner
from quaestor.runtime.resources import open_catalogue
from quaestor.runtime.settings import SETTINGS_FILE
from quaestor.storage.sqlite.connection import check_integrity, sqlite_version
from quaestor.version import __version__


class Extra(NamedTuple):
    """What an extra is for, and the package by which it is known to be installed."""

    package: str
    purpose: str
    done: str


EXTRA_PACKAGES: Mapping[str, Extra] = {
    "docs": Extra("pypdfium2", "PDF and Office files are", "read"),
    "mcp": Extra("mcp", "servers of tools are", "used"),
    "ddgs": Extra("ddgs", "the engine ddgs is", "asked"),
    "ocr": Extra("rapidocr", "scanned PDF files are", "read"),
    "tables": Extra("pyarrow", "Parquet files are", "read"),
    "web": Extra("trafilatura", "HTML files are", "read"),
    "sandbox": Extra("pydantic_monty", "snippets of Python are", "run without a sandbox of the system"),
    "database": Extra("sqlalchemy", "databases other than SQLite are", "read"),
    "postgres": Extra("psycopg", "Postgres is", "read, and keeps sessions"),
    "market": Extra("talib", "indicators and candles in Parquet are", "read"),
    "exchange": Extra("ccxt", "exchanges are", "asked"),
    "mongo": Extra("pymongo", "copies in MongoDB are", "kept"),
    "server": Extra("fastapi", "browsers and programs are", "served"),
    "llm": Extra("pydantic_ai", "models of Anthropic, Google, Bedrock and Mistral are", "asked"),
}

_PLUGINS = "quaestor."
"""What the group of the entry points of other packages begins with; behind it stands what they bring."""


async def check_system(home: Path | None = None, *, ask: bool = True) -> tuple[Check, ...]:
    """Check Python, SQLite, the home, the database, the settings and the extras, and try what a run uses.

    Sample files are read, and the sandbox is started and tried from inside. With `ask`, the models and the search
    engines of the settings are asked once, and servers of tools connected to. Nothing is changed.
    """
    from quaestor.tools.sandbox import select_sandbox  # noqa: PLC0415 -- only this command and tasks try it

    sandbox = (await select_sandbox()).standing
    folder = home or default_home(os.environ)
    settings, checks = _check_settings()
    return (
        ok("Python", f"{platform.python_version()} on {platform.system()}"),
        ok("Quaestor", __version__),
        ok("SQLite", sqlite_version()),
        _check_home(folder),
        *(_check_server(settings.store) if settings and settings.store else _check_database(folder / DATABASE_FILE)),
        *checks,
        *(await _try_services(settings, ask=ask) if settings else ()),
        *await try_reading(),
        _check_sandbox(sandbox),
        *(_check_extra(name, extra) for name, extra in EXTRA_PACKAGES.items()),
        *map(_check_plugin, _plugins()),
    )


def _check_home(home: Path) -> Check:
    nearest = next(folder for folder in (home, *home.parents) if folder.exists())
    if not nearest.is_dir():
        return fault("home", f"{home} cannot be made: {nearest} is not a folder; use another home")
    if not os.access(nearest, os.W_OK | os.X_OK):
        return fault("home", f"{home} cannot be written; make {nearest} writable or use another home")
    if reason := foreign_owner(home):
        return fault("home", reason)
    return ok("home", f"{home}{'' if home == nearest else ' (made when it is needed)'}")


def _check_database(file: Path) -> Iterator[Check]:
    if not file.exists():
        yield absent("database", "none yet")
        return
    try:
        faults = check_integrity(file)
    except QuaestorError as error:
        yield fault("database", str(error))
        return
    for reason in faults:
        yield fault("database", f"{reason}; restore a backup of {file}")
    if not faults:
        yield ok("database", f"{file}, {file.stat().st_size / 1e6:,.1f} MB, sound")


def _check_server(url: str) -> Iterator[Check]:
    try:
        yield ok("database", describe_server(url))
    except QuaestorError as error:
        yield fault("database", str(error))


def _check_settings() -> tuple[Settings | None, Sequence[Check]]:
    try:
        settings = current_settings()
    except QuaestorError as error:
        return None, [fault("settings", str(error))]
    read = (file for file in (Path(SETTINGS_FILE), own_settings_file()) if file.exists())
    files = ", ".join(("the environment", *map(str, read)))
    return settings, [ok("settings", f"read from {files}")]


async def _try_services(settings: Settings, *, ask: bool) -> Sequence[Check]:
    try:
        environment = current_credentials()
    except QuaestorError as error:
        return [fault("keys", str(error))]
    catalogue = open_catalogue(settings, environment)
    names = tuple(dict.fromkeys((settings.model, *settings.models.values(), *settings.fallback)))
    models = [await _check_model(name, catalogue, settings, ask=ask) for name in names]
    if not ask:
        return models
    return (*models, *await try_engines(settings, environment), *await try_servers(settings, environment))


async def _check_model(name: str, catalogue: ModelCatalogue, settings: Settings, *, ask: bool) -> Check:
    if name.startswith(REPLAY_PREFIX):
        return ok("model", name)
    try:
        resolved = catalogue.resolve_name(name)
    except QuaestorError as error:
        return fault("model", str(error))
    return ok("model", resolved) if catalogue.is_local(name) or not ask else await try_model(name, settings)


def _check_sandbox(sandbox: SandboxStatus) -> Check:
    reasons = "; ".join(sandbox.reasons)
    if sandbox.tier is None:
        return absent("sandbox", f"none, so tasks run no programs: {reasons}")
    return ok("sandbox", f"{sandbox.tier}{f' ({reasons})' if reasons else ''}")


def _check_extra(name: str, extra: Extra) -> Check:
    if find_spec(extra.package):
        return ok(f"extra {name}", f"{extra.purpose} {extra.done}")
    return absent(f"extra {name}", f"missing, so {extra.purpose} not {extra.done}; {install_command(name)}")


def _plugins() -> Iterator[EntryPoint]:
    for group in sorted(entry_points().groups):
        if group.startswith(_PLUGINS):
            yield from entry_points(group=group)


def _check_plugin(point: EntryPoint) -> Check:
    """Load a plugin of another package; a reader is only named, for it is loaded by the process that reads alone."""
    kind = point.group.removeprefix(_PLUGINS).removesuffix("s").replace("_", " ")
    try:
        if kind != "reader":
            load_installed(point, kind)
    except SetupError as error:
        return fault(f"plugin {point.name}", str(error))
    return ok(f"plugin {point.name}", f"{kind} of {point.dist.name} {point.dist.version}" if point.dist else kind)
