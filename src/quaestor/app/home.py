"""The composition root: the one place where ports meet their adapters.

start -> (session id) -> run -> Result        research = start + run
                          resume = run         read: sessions, events, follow, plan, report
"""

import atexit
import gc
import logging
import os
from collections.abc import AsyncIterator, Mapping
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path
from typing import cast

from pydantic import JsonValue
from typing_extensions import Unpack

from quaestor.app.settings.environment import current_credentials, current_settings, own_settings_file
from quaestor.app.shorthands import Quaestor
from quaestor.app.stores import DATABASE_FILE, open_store
from quaestor.contracts.errors import QuaestorError, UsageError
from quaestor.contracts.ports import Clock, Store
from quaestor.contracts.setting_options import SettingOptions
from quaestor.contracts.settings import Settings
from quaestor.files import resolve_links
from quaestor.runtime.erasure import finish_erasures
from quaestor.runtime.private_home import secure_home
from quaestor.runtime.resources import Resources
from quaestor.runtime.settings import resolve_settings, user_folder
from quaestor.runtime.shared_folder import secure_shared_folder
from quaestor.runtime.system import SystemClock, SystemIdGenerator

_LOGGER = logging.getLogger("quaestor")
# Else the interpreter, when it ends, looks three times for cycles among all that was imported: a tenth of the CPU time
# of a run with a model that answers at once.
atexit.register(gc.freeze)


@asynccontextmanager
async def open_home(home: str | Path | None = None, **options: JsonValue) -> AsyncIterator[Quaestor]:
    """Open a home, the folder in which everything is kept, and close it at the end.

    Without `home` it is QUAESTOR_HOME, else the platform's data folder. `options` are settings for every run.
    Raises HomeNotWritable, StoreCorrupt, SetupError for a home of another user, and UsageError for a setting that
    cannot be used.
    """
    async with _opened(_home_folder(home), current_settings(options), current_credentials()) as quaestor:
        yield quaestor


def open_with_options(
    home: str | Path | None = None, **options: Unpack[SettingOptions]
) -> AbstractAsyncContextManager[Quaestor]:
    """Open a home, the folder in which everything is kept, and close it at the end.

    Without `home` it is QUAESTOR_HOME, else the platform's data folder. `options` are settings for every run. Raises
    HomeNotWritable, StoreCorrupt, SetupError for a home of another user, and UsageError for a setting that cannot be
    used.
    """
    return open_home(home, **cast("dict[str, JsonValue]", options))


@asynccontextmanager
async def open_to_look(home: str | Path | None = None) -> AsyncIterator[Quaestor]:
    """Open a home to read sessions in it; a folder's settings that cannot be used are reported and stop nothing.

    The user's own still say where sessions are kept. Raises as `open_home` does, but for a folder's settings.
    """
    try:
        settings = current_settings()
    except UsageError as error:
        settings = resolve_settings({}, os.environ, own_settings_file())
        _LOGGER.warning("%s", error)
    async with _opened(_home_folder(home), settings, os.environ) as quaestor:
        yield quaestor


@asynccontextmanager
async def _opened(folder: Path, settings: Settings, environment: Mapping[str, str]) -> AsyncIterator[Quaestor]:
    clock = SystemClock()
    secure_home(folder, DATABASE_FILE, create=settings.store is None)
    secure_shared_folder(settings)
    store = open_store(settings, folder)
    limits = store.limits if settings.store else None  # a process alone keeps them without asking anybody
    resources = Resources(store.library, store.replies, settings, environment, clock, home=folder, limits=limits)
    try:
        await _finish_erasures(store, clock, folder, settings.data_folder(folder))
        yield Quaestor(
            store,
            store.library,
            resources,
            clock,
            SystemIdGenerator(),
            access=store.access,
            workers=store.workers,
            home=folder,
            snapshots=store.snapshots,
        )
    finally:
        await resources.close()
        await store.close()


async def _finish_erasures(store: Store, clock: Clock, home: Path, data: Path) -> None:
    """Go on with erasures that were killed; what is in the way of them is in the way of nothing else."""
    try:
        await finish_erasures(store, clock, home, data)
    except QuaestorError as error:
        _LOGGER.warning("what was erased is not yet shredded: %s", error)


def _home_folder(home: str | Path | None) -> Path:
    if home == "":
        raise UsageError("the home is an empty path; name a folder, or leave it out for the usual one")
    return resolve_links(default_home(os.environ) if home is None else Path(home))


def default_home(environment: Mapping[str, str]) -> Path:
    """Return QUAESTOR_HOME, or the folder where the platform keeps a user's data."""
    if named := environment.get("QUAESTOR_HOME"):
        return Path(named)
    if os.name == "nt":
        return Path(environment.get("LOCALAPPDATA") or user_folder() / "AppData/Local") / "quaestor"
    if Path("/System/Library").is_dir():
        return user_folder() / "Library/Application Support/quaestor"
    return Path(environment.get("XDG_DATA_HOME") or user_folder() / ".local/share") / "quaestor"
