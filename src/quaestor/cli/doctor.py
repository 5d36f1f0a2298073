import os
import platform
from collections.abc import Iterator, Mapping
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

from quaestor.app import DATABASE, default_home
from quaestor.cli.place import Home
from quaestor.cli.speech import give
from quaestor.contracts.errors import QuaestorError, SetupError
from quaestor.settings import FILE, resolve
from quaestor.storage.sqlite.health import engine, integrity
from quaestor.version import __version__


class Extra(NamedTuple):
    """What an extra is for, and the package by which it is known to be installed."""

    package: str
    purpose: str


EXTRAS: Mapping[str, Extra] = {"web": Extra("trafilatura", "HTML files")}


class Check(NamedTuple):
    """One line of the doctor's answer; None is neither good nor bad."""

    sound: bool | None
    subject: str
    said: str


async def doctor(*, home: Home = None) -> int:
    """Check that this machine is ready.

    Looks at Python, SQLite, the home, the database, the settings and the extras; nothing is changed.
    """
    checks = list(_checks(home or default_home(os.environ)))
    for check in checks:
        mark = {True: "ok", False: "FAULT", None: "-"}[check.sound]
        give(f"{mark:<6}{check.subject:<12}{check.said}\n")
    return SetupError.exit_code if any(check.sound is False for check in checks) else 0


def _checks(home: Path) -> Iterator[Check]:
    yield Check(True, "Python", f"{platform.python_version()} on {platform.system()}")
    yield Check(True, "Quaestor", __version__)
    yield Check(True, "SQLite", engine())
    yield _home(home)
    yield from _database(home / DATABASE)
    yield _settings()
    for name, extra in EXTRAS.items():
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
        faults = integrity(file)
    except QuaestorError as error:
        yield Check(False, "database", str(error))
        return
    for fault in faults:
        yield Check(False, "database", f"{fault}; restore a backup of {file}")
    if not faults:
        yield Check(True, "database", f"{file}, {file.stat().st_size / 1e6:,.1f} MB, sound")


def _settings() -> Check:
    try:
        resolve({}, os.environ, Path(FILE))
    except QuaestorError as error:
        return Check(False, "settings", str(error))
    return Check(True, "settings", f"read from the environment{f' and {FILE}' if Path(FILE).exists() else ''}")


def _extra(name: str, extra: Extra) -> Check:
    if find_spec(extra.package):
        return Check(True, f"extra {name}", f"reads {extra.purpose}")
    return Check(None, f"extra {name}", f"missing, so {extra.purpose} are skipped; pip install 'quaestor[{name}]'")
