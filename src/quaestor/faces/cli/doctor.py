import os
import platform
from collections.abc import Iterator, Mapping
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

from quaestor.app import DATABASE_FILE, default_home
from quaestor.contracts.errors import QuaestorError, SetupError
from quaestor.contracts.sandbox import SandboxStatus
from quaestor.contracts.settings import REPLAY_PREFIX
from quaestor.faces.cli.output import write_stdout
from quaestor.faces.cli.params import Home
from quaestor.models.catalogue import ModelCatalogue
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
    "llm": Extra("pydantic_ai", "models of Anthropic, Google, Bedrock and Mistral are", "asked"),
}


class Check(NamedTuple):
    """One line of the doctor's answer; None is neither good nor bad."""

    passed: bool | None
    subject: str
    said: str


async def doctor(*, home: Home = None) -> int:
    """Check that this machine is ready.

    Looks at Python, SQLite, the home, the database, the settings, the models they name, the sandbox, which it tries to
    get out of, and the extras; nothing is changed, and no model is asked.
    """
    from quaestor.tools.sandbox import select_sandbox  # noqa: PLC0415 -- only this command and tasks try it

    checks = list(_all_checks(home or default_home(os.environ), (await select_sandbox()).standing))
    for check in checks:
        mark = {True: "ok", False: "FAULT", None: "-"}[check.passed]
        write_stdout(f"{mark:<6}{check.subject:<16}{check.said}\n")
    return SetupError.exit_code if any(check.passed is False for check in checks) else 0


def _all_checks(home: Path, sandbox: SandboxStatus) -> Iterator[Check]:
    yield Check(True, "Python", f"{platform.python_version()} on {platform.system()}")
    yield Check(True, "Quaestor", __version__)
    yield Check(True, "SQLite", sqlite_version())
    yield _home(home)
    yield from _database(home / DATABASE_FILE)
    yield from _settings()
    yield _sandbox(sandbox)
    for name, extra in EXTRA_PACKAGES.items():
        yield _extra(name, extra)


def _home(home: Path) -> Check:
    standing = next(folder for folder in (home, *home.parents) if folder.exists())
    if not standing.is_dir():
        return Check(False, "home", f"{home} cannot be made: {standing} is not a folder; use another --home")
    if not os.access(standing, os.W_OK | os.X_OK):
        return Check(False, "home", f"{home} cannot be written; make {standing} writable or use another --home")
    return Check(True, "home", f"{home}{'' if home == standing else ' (made when it is needed)'}")


def _database(file: Path) -> Iterator[Check]:
    if not file.exists():
        yield Check(None, "database", "none yet")
        return
    try:
        faults = check_integrity(file)
    except QuaestorError as error:
        yield Check(False, "database", str(error))
        return
    for fault in faults:
        yield Check(False, "database", f"{fault}; restore a backup of {file}")
    if not faults:
        yield Check(True, "database", f"{file}, {file.stat().st_size / 1e6:,.1f} MB, sound")


def _settings() -> Iterator[Check]:
    files = [file for file in (Path(SETTINGS_FILE), user_settings_file(os.environ)) if file.exists()]
    try:
        settings = resolve_settings({}, os.environ, files)
    except QuaestorError as error:
        yield Check(False, "settings", str(error))
        return
    yield Check(True, "settings", f"read from {', '.join(('the environment', *map(str, files)))}")
    catalogue = open_catalogue(settings, os.environ)
    for name in dict.fromkeys((settings.model, *settings.models.values(), *settings.fallback)):
        yield _model(name, catalogue)


def _model(name: str, catalogue: ModelCatalogue) -> Check:
    try:
        return Check(True, "model", name if name.startswith(REPLAY_PREFIX) else catalogue.resolve_name(name))
    except QuaestorError as error:
        return Check(False, "model", str(error))


def _sandbox(standing: SandboxStatus) -> Check:
    why = "; ".join(standing.reasons)
    if standing.tier is None:
        return Check(None, "sandbox", f"none, so tasks run no programs: {why}")
    return Check(True, "sandbox", f"{standing.tier}{f' ({why})' if why else ''}")


def _extra(name: str, extra: Extra) -> Check:
    if find_spec(extra.package):
        return Check(True, f"extra {name}", f"{extra.purpose} {extra.done}")
    return Check(None, f"extra {name}", f"missing, so {extra.purpose} not {extra.done}; pip install 'quaestor[{name}]'")
