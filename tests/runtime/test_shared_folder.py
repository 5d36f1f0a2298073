"""A shared folder whose mount hangs: who asks for it is told so, and the process that needs it can still end."""

import os
import signal
import sys
import threading
from collections.abc import Iterator
from pathlib import Path, PosixPath

import pytest
from typing_extensions import override

from fakes.children import ended, fork, until
from quaestor.app.workers.worker_process import leaving_hung_folder
from quaestor.contracts.errors import SharedFolderHangs
from quaestor.contracts.settings import Settings
from quaestor.runtime import shared_folder
from quaestor.runtime.shared_folder import MARK_FILE, require_shared_folder

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="processes are forked")


class HungPath(PosixPath):
    """A path on a mount that does not answer until `answers` is set."""

    answers = threading.Event()
    asked = 0

    @override
    def stat(self, *, follow_symlinks: bool = True) -> os.stat_result:
        HungPath.asked += 1
        HungPath.answers.wait()
        return super().stat(follow_symlinks=follow_symlinks)


@pytest.fixture
def hung(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Settings]:
    monkeypatch.setattr(shared_folder, "_PATIENCE_SECONDS", 0.05)
    (tmp_path / MARK_FILE).touch()
    HungPath.answers.clear()
    HungPath.asked = 0
    yield Settings(shared_folder=HungPath(tmp_path), grace_seconds=0)
    HungPath.answers.set()


def hangs(settings: Settings) -> bool:
    try:
        require_shared_folder(settings)
    except SharedFolderHangs:
        return True
    return False


def test_a_folder_that_hangs_is_named_and_asked_by_one_thread_alone(hung: Settings) -> None:
    for _ in range(3):
        with pytest.raises(SharedFolderHangs, match=f"{hung.shared_folder} has not answered"):
            require_shared_folder(hung)
    assert HungPath.asked == 1
    HungPath.answers.set()
    until(lambda: not hangs(hung))  # the answer to the first question came


def test_a_process_whose_event_loop_waits_for_a_hung_folder_is_left(hung: Settings) -> None:
    async def wait_for_the_folder() -> None:
        with leaving_hung_folder(hung, lambda error: os._exit(error.exit_code)):
            signal.pause()  # as in a system call

    assert ended(fork(wait_for_the_folder)) == SharedFolderHangs.exit_code
