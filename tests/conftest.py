"""How the tests are shared out among the processes of a run."""

import pytest
from typing_extensions import override
from xdist.remote import Producer
from xdist.scheduler import LoadGroupScheduling

_SERVERS = ("postgres", "ferretdb")
"""Fixtures that start a server for a whole process: the tests that use one are run by the same process."""


class ByFile(LoadGroupScheduling):
    """Gives a process all tests of a group, or of a file where they name no group: they share what they set up."""

    @override
    def _split_scope(self, nodeid: str) -> str:
        scope = super()._split_scope(nodeid)
        return nodeid.partition("::")[0] if scope == nodeid else scope


def pytest_xdist_make_scheduler(config: pytest.Config, log: Producer) -> ByFile:
    return ByFile(config, log)


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        fixtures = getattr(item, "fixturenames", ())
        for server in _SERVERS:
            if server in fixtures:
                item.add_marker(pytest.mark.xdist_group(server))
