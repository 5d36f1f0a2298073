import subprocess
import sys
from inspect import iscoroutinefunction

import pytest

from quaestor.contracts.errors import UsageError
from quaestor.contracts.lazy import LazyImport
from quaestor.contracts.plugin import SessionSummary, WorkflowPlugin
from quaestor.contracts.settings import RunOptions
from quaestor.longtask.contracts import RoundInput
from quaestor.longtask.workflow import LongTask
from quaestor.runtime.registry import (
    AnyPlugin,
    RoleInputs,
    built_in_commands,
    built_in_plugins,
    get_plugin,
    workflow_names,
)

PLUGINS = built_in_plugins()
NAMES = [plugin.workflow.name for plugin in PLUGINS]


def test_an_unknown_workflow_is_refused_with_those_there_are() -> None:
    with pytest.raises(UsageError, match=rf"there is no workflow 'hours'; there are {', '.join(workflow_names())}"):
        get_plugin("hours")


@pytest.mark.parametrize("plugin", PLUGINS, ids=NAMES)
def test_everything_that_a_built_in_plugin_defers_is_there(plugin: AnyPlugin) -> None:
    state = plugin.workflow.begin()
    assert isinstance(plugin.summarize(state), SessionSummary)
    assert plugin.progress is None or plugin.progress(state)
    assert {rule.given for rule in plugin.offline_rules()} == set(plugin.role_inputs())
    assert all(folder.is_dir() for folder in plugin.agents)


@pytest.mark.parametrize(("name", "place"), built_in_commands().items())
def test_every_command_of_a_workflow_is_a_function_that_takes_a_terminal(name: str, place: str) -> None:
    command: LazyImport[object] = LazyImport(place)
    function = command.load()
    assert iscoroutinefunction(function), name
    assert "terminal" in function.__annotations__


def test_a_small_plugin_needs_a_workflow_and_the_type_of_its_options() -> None:
    small = WorkflowPlugin(workflow=LongTask(), options=RunOptions)
    assert (small.agents, small.commands, small.reports, tuple(small.offline_rules())) == ((), {}, {}, ())
    assert small.summarize(LongTask().begin()) == SessionSummary()
    with pytest.raises(UsageError, match=r"an option of longtask cannot be used: budget\.dollars"):
        small.parse_options({"budget": {"dollars": "many"}})


def test_inputs_of_other_workflows_are_imported_only_when_they_are_asked_for() -> None:
    code = (
        "import sys; from quaestor.runtime.registry import RoleInputs, get_plugin; "
        "inputs = RoleInputs(get_plugin('longtask')); inputs['RoundInput']; "
        "print('quaestor.research.plugin' in sys.modules); inputs['ReadInput']; "
        "print('quaestor.research.plugin' in sys.modules)"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout.split() == ["False", "True"]
    assert RoleInputs()["RoundInput"] is RoundInput
    assert "NobodyInput" not in RoleInputs()
