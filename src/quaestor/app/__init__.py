"""Every operation of Quaestor, for the faces: they import this package and `contracts`, and nothing below."""

from quaestor.app.home import default_home, open_home, open_to_look
from quaestor.app.shorthands import Quaestor, split_paths_and_urls
from quaestor.app.stores import DATABASE_FILE
from quaestor.contracts.library import ProgressCallback
from quaestor.files import write_whole
from quaestor.runtime.private_home import LOG_FOLDER
from quaestor.runtime.system import is_session_id

__all__ = [
    "DATABASE_FILE",
    "LOG_FOLDER",
    "ProgressCallback",
    "Quaestor",
    "default_home",
    "is_session_id",
    "open_home",
    "open_to_look",
    "split_paths_and_urls",
    "write_whole",
]
