"""Whether this machine is ready: what there is, what is missing, and what has to be repaired."""

import os
import platform
from collections.abc import Iterator, Mapping
from importlib.util import find_spec
from pathlib import Path
from typing import Literal, NamedTuple

from quaestor.app.home import default_home
from quaestor.app.stores import DATABASE_FILE
from quaestor.contracts.base import Contract
from quaestor.contracts.errors import QuaestorError
from quaestor.contracts.sandbox import SandboxStatus
from quaestor.contracts.settings import REPLAY_PREFIX
from quaestor.models.catalogue import ModelCatalogue
from quaestor.runtime.private_home import foreign_owner
from quaestor.runtime.resources import open_catalogue
from quaestor.runtime.settings import SETTINGS_FILE, resolve_settings, user_settings_file
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
    "web": Extra("trafilatura", "HTML files are", "read"),
    "sandbox": Extra("pydantic_monty", "snippets of Python are", "run without a sandbox of the system"),
    "database": Extra("sqlalchemy", "databases other than SQLite are", "read"),
    "postgres": Extra("psycopg", "Postgres is", "read"),
    "market": Extra("talib", "indicators and candles in Parquet are", "read"),
    "exchange": Extra("ccxt", "exchanges are", "asked"),
    "mongo": Extra("pymongo", "copies in MongoDB are", "kept"),
    "server": Extra("fastapi", "browsers and programs are", "served"),
    "llm": Extra("pydantic_ai", "models of Anthropic, Google, Bedrock and Mistral are", "asked"),
}


class Check(Contract):
    """What one check found; `absent` is neither good nor bad."""

    state: Literal["ok", "fault", "absent"]
    subject: str
    text: str


async def check_system(home: Path | None = None) -> tuple[Check, ...]:
    """Check Python, SQLite, the home, the database, the settings, their models, the sandbox and the extras.

    The sandbox is tried from inside; nothing is changed, and no model is asked.
    """
    from quaestor.tools.sandbox import select_sandbox  # noqa: PLC0415 -- only this command and tasks try it

    sandbox = (await select_sandbox()).standing
    folder = home or default_home(os.environ)
    return (
        _ok("Python", f"{platform.python_version()} on {platform.system()}"),
        _ok("Quaestor", __version__),
        _ok("SQLite", sqlite_version()),
        _check_home(folder),
        *_check_database(folder / DATABASE_FILE),
        *_check_settings(),
        _check_sandbox(sandbox),
        *(_check_extra(name, extra) for name, extra in EXTRA_PACKAGES.items()),
    )


def _check_home(home: Path) -> Check:
    nearest = next(folder for folder in (home, *home.parents) if folder.exists())
    if not nearest.is_dir():
        return _fault("home", f"{home} cannot be made: {nearest} is not a folder; use another home")
    if not os.access(nearest, os.W_OK | os.X_OK):
        return _fault("home", f"{home} cannot be written; make {nearest} writable or use another home")
    if reason := foreign_owner(home):
        return _fault("home", reason)
    return _ok("home", f"{home}{'' if home == nearest else ' (made when it is needed)'}")


def _check_database(file: Path) -> Iterator[Check]:
    if not file.exists():
        yield Check(state="absent", subject="database", text="none yet")
        return
    try:
        faults = check_integrity(file)
    except QuaestorError as error:
        yield _fault("database", str(error))
        return
    for fault in faults:
        yield _fault("database", f"{fault}; restore a backup of {file}")
    if not faults:
        yield _ok("database", f"{file}, {file.stat().st_size / 1e6:,.1f} MB, sound")


def _check_settings() -> Iterator[Check]:
    folder, own = Path(SETTINGS_FILE), user_settings_file(os.environ)
    try:
        settings = resolve_settings({}, os.environ, own, folder)
    except QuaestorError as error:
        yield _fault("settings", str(error))
        return
    yield _ok(
        "settings",
        f"read from {', '.join(('the environment', *(str(file) for file in (folder, own) if file.exists())))}",
    )
    catalogue = open_catalogue(settings, os.environ)
    for name in dict.fromkeys((settings.model, *settings.models.values(), *settings.fallback)):
        yield _check_model(name, catalogue)


def _check_model(name: str, catalogue: ModelCatalogue) -> Check:
    try:
        return _ok("model", name if name.startswith(REPLAY_PREFIX) else catalogue.resolve_name(name))
    except QuaestorError as error:
        return _fault("model", str(error))


def _check_sandbox(sandbox: SandboxStatus) -> Check:
    reasons = "; ".join(sandbox.reasons)
    if sandbox.tier is None:
        return Check(state="absent", subject="sandbox", text=f"none, so tasks run no programs: {reasons}")
    return _ok("sandbox", f"{sandbox.tier}{f' ({reasons})' if reasons else ''}")


def _check_extra(name: str, extra: Extra) -> Check:
    if find_spec(extra.package):
        return _ok(f"extra {name}", f"{extra.purpose} {extra.done}")
    missing = f"missing, so {extra.purpose} not {extra.done}; pip install 'quaestor[{name}]'"
    return Check(state="absent", subject=f"extra {name}", text=missing)


def _ok(subject: str, text: str) -> Check:
    return Check(state="ok", subject=subject, text=text)


def _fault(subject: str, text: str) -> Check:
    return Check(state="fault", subject=subject, text=text)
