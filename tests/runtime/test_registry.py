import subprocess
import sys
from inspect import iscoroutinefunction
from pathlib import Path

import pytest

from quaestor.contracts.errors import SetupError, UsageError
from quaestor.contracts.lazy import LazyImport
from quaestor.contracts.plugin import SessionSummary, WorkflowPlugin
from quaestor.contracts.settings import RunOptions
from quaestor.research.contracts.roles import ReadInput
from quaestor.research.table import TABLE
from quaestor.research.workflow import Research
from quaestor.runtime.registry import (
    AnyPlugin,
    RoleInputs,
    TodoWorkflows,
    built_in_commands,
    built_in_plugins,
    get_plugin,
    get_todo_plugin,
    installed_commands,
    with_todos,
    workflow_names,
)

PLUGINS = built_in_plugins()
NAMES = [plugin.workflow.name for plugin in PLUGINS]


def test_an_unknown_workflow_is_refused_with_those_there_are() -> None:
    with pytest.raises(UsageError, match=rf"there is no workflow 'hours'; there are {', '.join(workflow_names())}"):
        get_plugin("hours")


def test_a_package_is_found_from_when_it_is_on_the_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    metadata = tmp_path / "hours-1.0.dist-info"
    metadata.mkdir()
    (metadata / "entry_points.txt").write_text("[quaestor.workflows]\nhours = no_such_module:PLUGIN\n")
    assert "hours" not in workflow_names()
    monkeypatch.syspath_prepend(tmp_path)
    assert workflow_names()[-1] == "hours"
    with pytest.raises(
        SetupError, match=r"the workflow 'hours' cannot be loaded .*no_such_module.*reinstall its package"
    ):
        get_plugin("hours")


@pytest.mark.parametrize(
    "code_and_reason",
    [
        ("raise RuntimeError('no licence')", "RuntimeError: no licence"),
        ("def", "SyntaxError"),
        ("import sys; sys.exit(0)", "SystemExit: 0"),
        ("print('welcome')", "no attribute 'PLUGIN'"),
    ],
    ids=["raises", "is no Python", "ends the program", "has no plugin"],
)
def test_a_package_that_does_something_else_when_it_is_loaded_is_named_and_stops_nothing(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    caplog: pytest.LogCaptureFixture,
    code_and_reason: tuple[str, str],
) -> None:
    code, reason = code_and_reason
    metadata = tmp_path / "odd-1.0.dist-info"
    metadata.mkdir()
    (metadata / "entry_points.txt").write_text("[quaestor.workflows]\nodd = odd_workflow:PLUGIN\n")
    (tmp_path / "odd_workflow.py").write_text(f"{code}\n")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "odd_workflow", raising=False)
    assert installed_commands() == {}
    assert reason in caplog.text
    assert capsys.readouterr().out == ""


def test_a_package_takes_no_built_in_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    metadata = tmp_path / "other-1.0.dist-info"
    metadata.mkdir()
    (metadata / "entry_points.txt").write_text("[quaestor.workflows]\nresearch = no_such_module:PLUGIN\n")
    monkeypatch.syspath_prepend(tmp_path)
    assert get_plugin("research").workflow.name == "research"
    assert workflow_names() == tuple(NAMES)
    assert installed_commands() == {}


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
    small = WorkflowPlugin(workflow=Research(), options=RunOptions)
    assert (small.agents, small.commands, small.reports, tuple(small.offline_rules())) == ((), {}, {}, ())
    assert small.summarize(Research().begin()) == SessionSummary()
    with pytest.raises(UsageError, match=r"an option of research cannot be used: budget\.dollars"):
        small.parse_options({"budget": {"dollars": "many"}})


def test_other_workflows_are_imported_only_when_something_of_theirs_is_asked_for() -> None:
    code = (
        "import sys; from quaestor.runtime.registry import RoleInputs, get_plugin, workflow_names; "
        "plugin = get_plugin('research'); inputs = RoleInputs(plugin); inputs['ReadInput']; "
        "others = lambda: [name for name in ('longtask', 'trading') if f'quaestor.{name}.plugin' in sys.modules]; "
        "plugin.codec.contracts['Clarity'], plugin.codec.tools['search'], plugin.workflow.table['READING']; "
        "print(len(others())); list(inputs); print(len(others()) > 0)"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout.split() == ["0", "True"]
    assert RoleInputs()["ReadInput"] is ReadInput
    assert "NobodyInput" not in RoleInputs()


@pytest.mark.parametrize("kind", TodoWorkflows())
def test_a_workflow_with_todos_of_others_reads_their_logs_and_has_their_roles(kind: str) -> None:
    research, other = get_plugin("research"), get_todo_plugin(kind)
    assert other.as_todo
    assert set(other.as_todo.states) <= set(research.workflow.table)
    assert set(other.as_todo.states).isdisjoint(TABLE)
    assert all(research.codec.contracts[name] is known for name, known in other.codec.contracts.items())
    assert all(name in research.codec.tools for name in other.codec.tools)
    assert "nothing" not in research.codec.contracts
    joined = with_todos(research, (kind,))
    assert set(joined.role_inputs()) == {*research.role_inputs(), *other.role_inputs()}
    assert joined.agents == (*research.agents, *other.agents)


def test_a_kind_that_no_workflow_carries_out_is_refused_with_those_there_are() -> None:
    kinds = ", ".join(TodoWorkflows())
    for kind in ("hours", "research", "longtask"):
        with pytest.raises(UsageError, match=f"no workflow carries out todos of kind '{kind}'; kinds are {kinds}"):
            get_todo_plugin(kind)
