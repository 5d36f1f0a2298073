import json
import sys
from pathlib import Path

import pytest

from faces.cli.conftest import Quaestor

FILES = {
    "claude-code": ("project/.mcp.json", "mcpServers"),
    "claude-desktop": ("config/Claude/claude_desktop_config.json", "mcpServers"),
    "cursor": (".cursor/mcp.json", "mcpServers"),
    "vscode": ("project/.vscode/mcp.json", "servers"),
    "zed": ("config/zed/settings.json", "context_servers"),
}


@pytest.fixture
def person(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the home folder of a person who works in its folder `project`."""
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.setattr(sys, "platform", "linux")
    (tmp_path / "project").mkdir()
    monkeypatch.chdir(tmp_path / "project")
    return tmp_path


@pytest.mark.parametrize("client", FILES)
def test_the_server_is_entered_beside_what_is_there(quaestor: Quaestor, person: Path, client: str) -> None:
    path, key = person / FILES[client][0], FILES[client][1]
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps({"theme": "dark", key: {"other": {"command": "x"}}}), encoding="utf-8")
    ended = quaestor("mcp", "install", client, "--docs-root", ".", "--yes")
    assert ended.code == 0
    assert '+    "quaestor": {' in ended.out
    written = json.loads(path.read_text(encoding="utf-8"))
    assert (written["theme"], written[key]["other"]) == ("dark", {"command": "x"})
    server = written[key]["quaestor"]
    assert server["command"] == sys.executable
    assert server["args"][2:] == ["mcp", "--docs-root", str(person / "project"), "--home", str(person / "home")]
    again = quaestor("mcp", "install", client, "--docs-root", ".", "--yes")
    assert (again.code, again.out) == (0, "")
    assert "has this server already" in again.err


def test_without_a_yes_the_change_is_shown_and_nothing_written(quaestor: Quaestor, person: Path) -> None:
    ended = quaestor("mcp", "install", "cursor")
    assert ended.code == 2
    assert "+" in ended.out
    assert "nothing was written" in ended.err
    assert not (person / ".cursor").exists()


def test_settings_with_comments_stay_as_they_are(quaestor: Quaestor, person: Path) -> None:
    path = person / "config/zed/settings.json"
    path.parent.mkdir(parents=True)
    path.write_text("// mine\n{}\n", encoding="utf-8")
    ended = quaestor("mcp", "install", "zed", "--yes")
    assert ended.code == 2
    assert '"context_servers"' in ended.err
    assert path.read_text(encoding="utf-8") == "// mine\n{}\n"


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("install",), "name the client"),
        (("serve", "cursor"), "quaestor mcp install cursor"),
        (("serve", "--docs-root", "nowhere"), "is no folder"),
        (("serve", "--sessions", "0"), "at least one session"),
    ],
)
@pytest.mark.usefixtures("person")
def test_a_line_that_cannot_be_used(quaestor: Quaestor, options: tuple[str, ...], message: str) -> None:
    ended = quaestor("mcp", *options)
    assert (ended.code, ended.out) == (2, "")
    assert message in ended.err
