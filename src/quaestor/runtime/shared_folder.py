"""The folder that the machines of a store share: used only where it is the one that was set up for that.

A mount that is missing leaves an empty folder in its place. Whoever wrote into that would begin tasks again without
their files, where no other machine sees what it wrote; so a file that was made once in the real folder has to be there.
"""

from quaestor.contracts.errors import SetupError
from quaestor.contracts.settings import Settings
from quaestor.runtime.private_home import secure_home

MARK_FILE = "quaestor-shared"
"""Made once, by whoever sets the folder up."""


def secure_shared_folder(settings: Settings) -> None:
    """Make the shared folder of the settings private, if they name one.

    Raises SetupError where it is not there or belongs to another user, HomeNotWritable where its modes stay wider.
    """
    if settings.shared_folder:
        require_shared_folder(settings)
        secure_home(settings.shared_folder, MARK_FILE, create=False)


def require_shared_folder(settings: Settings) -> None:
    """Raise SetupError where the shared folder of the settings is not there; it waits as long as a mount that hangs."""
    if settings.shared_folder is None:
        return
    mark = settings.shared_folder / MARK_FILE
    try:
        mark.stat()
    except OSError as error:
        raise SetupError(
            f"the shared folder {mark.parent} has no file {MARK_FILE} ({error.strerror}), as where it is not mounted; "
            f"mount it, or make that file in one that is new: touch {mark}"
        ) from error
