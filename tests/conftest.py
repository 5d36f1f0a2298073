"""How the tests are shared out among the processes of a run, and how many examples a property is tried with."""

import gc
import os
import tempfile

import pytest
from hypothesis import HealthCheck, settings
from typing_extensions import override
from xdist.remote import Producer
from xdist.scheduler import LoadGroupScheduling

_SERVERS = ("postgres", "ferretdb", "chromium")
"""Fixtures that start a server for a whole process: the tests that use one are run by the same process."""

_SDK_TESTS = (
    "tests/models/native/",
    "tests/online/test_native.py",
    "tests/contracts/test_lazy.py",
    "tests/faces/server/openai/",
    "tests/faces/server/test_process.py::test_the_stream_of_a_response",
)
"""Tests that import the SDKs of providers, 2 to 5 s of CPU each: one process does so for all."""

_OWN_FOLDER = tempfile.TemporaryDirectory(prefix="quaestor-tests-")
"""In the place of the settings, and of the key that signs, of whoever runs the tests."""
os.environ["XDG_CONFIG_HOME"] = _OWN_FOLDER.name

_LONGEST = (
    *_SDK_TESTS,
    "tests/tools/sandbox/test_probes.py",
    "tests/online/test_servers.py",
    "tests/research/test_workflow.py",
    "tests/faces/cli/test_background.py",
    "tests/research/test_cycles.py",
    "tests/tools/reading/",
    "tests/tools/database/",
    "tests/faces/cli/test_backtest.py",
)
"""What takes longest begins first, so that no process is left with it when the others have ended."""

_NO_CLOCK = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("gate", _NO_CLOCK, derandomize=True, max_examples=20)
settings.register_profile("soak", _NO_CLOCK, max_examples=1000)
settings.load_profile("gate")

gc.set_threshold(50_000, 20, 20)  # as the program does: else a seventh of a collection of tests goes into it


class ByFile(LoadGroupScheduling):
    """Gives a process all tests of a group, or of a file where they name no group: they share what they set up."""

    @override
    def _split_scope(self, nodeid: str) -> str:
        scope = super()._split_scope(nodeid)
        return nodeid.partition("::")[0] if scope == nodeid else scope


def pytest_xdist_make_scheduler(config: pytest.Config, log: Producer) -> ByFile:
    return ByFile(config, log)


def pytest_collection_finish() -> None:
    gc.freeze()  # what was collected lives as long as the process, and is not looked through again by each collection


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    items.sort(key=lambda item: not item.nodeid.startswith(_LONGEST))
    for item in items:
        if item.nodeid.startswith(_SDK_TESTS):
            item.add_marker(pytest.mark.xdist_group("sdks"))
        fixtures = getattr(item, "fixturenames", ())
        for server in _SERVERS:
            if server in fixtures:
                item.add_marker(pytest.mark.xdist_group(server))
