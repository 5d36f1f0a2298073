"""The folder that the machines of a store share: used only where it is the one that was set up for that.

A mount that is missing leaves an empty folder in its place. Whoever wrote into that would begin tasks again without
their files, where no other machine sees what it wrote; so a file that was made once in the real folder has to be there.
A mount whose server is away answers nothing at all, and whoever asks it waits; so that is asked in a thread of its own.
"""

import threading
from concurrent.futures import Future
from pathlib import Path

from quaestor.contracts.errors import SetupError, SharedFolderHangs
from quaestor.contracts.settings import Settings
from quaestor.runtime.private_home import secure_home

MARK_FILE = "quaestor-shared"
"""Made once, by whoever sets the folder up."""
_PATIENCE_SECONDS = 10.0


class _MarkFile:
    """The mark of a folder. It is asked for once at a time: each question to a mount that hangs keeps a thread."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._lock = threading.Lock()
        self._answer: Future[None] | None = None

    def require(self) -> None:
        """Raise OSError where there is no mark, TimeoutError where nothing answers."""
        with self._lock:
            if self._answer is None or self._answer.done():
                self._answer = Future()
                threading.Thread(target=self._ask, args=(self._answer,), name="shared folder", daemon=True).start()
            answer = self._answer
        answer.result(_PATIENCE_SECONDS)

    def _ask(self, answer: "Future[None]") -> None:
        try:
            self._path.stat()
        except OSError as error:
            answer.set_exception(error)
        else:
            answer.set_result(None)


_MARKS: dict[Path, _MarkFile] = {}


def secure_shared_folder(settings: Settings) -> None:
    """Make the shared folder of the settings private, if they name one.

    Raises SetupError where it is not there or belongs to another user, HomeNotWritable where its modes stay wider.
    """
    if settings.shared_folder:
        require_shared_folder(settings)
        secure_home(settings.shared_folder, MARK_FILE, create=False)


def require_shared_folder(settings: Settings) -> None:
    """Raise SetupError where the shared folder of the settings is not there, SharedFolderHangs after 10 seconds."""
    if settings.shared_folder is None:
        return
    mark = settings.shared_folder / MARK_FILE
    try:
        _MARKS.setdefault(mark, _MarkFile(mark)).require()
    except TimeoutError as error:
        raise SharedFolderHangs(
            f"the shared folder {mark.parent} has not answered for {_PATIENCE_SECONDS:g} seconds, as where its mount "
            "hangs; mend the mount, then start again"
        ) from error
    except OSError as error:
        raise SetupError(
            f"the shared folder {mark.parent} has no file {MARK_FILE} ({error.strerror}), as where it is not mounted; "
            f"mount it, or make that file in one that is new: touch {mark}"
        ) from error
