import json
import os
import shlex
import socketserver
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from typing_extensions import override

from faces.cli.conftest import Ended, Quaestor
from faces.cli.processes import line, started
from fakes.forked import forked
from fakes.openai_server import OpenAIServer
from fakes.papers import QUESTION
from quaestor.app.doctor.checks import EXTRA_PACKAGES
from quaestor.contracts.errors import EXIT_INTERRUPTED
from quaestor.faces.cli.main import run
from quaestor.faces.cli.program import COMMANDS
from quaestor.faces.cli.usage import OTHER_WORDS
from quaestor.version import __version__


def test_the_version_needs_nothing_but_itself() -> None:
    script = (
        "import sys\nfrom quaestor.faces.cli.main import run\ncode = run(['--version'])\n"
        "heavy = {'cyclopts', 'pydantic', 'rich', 'apsw', 'asyncio'} & sys.modules.keys()\n"
        "print(heavy or 'light')\nsys.exit(code)"
    )
    ended = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert ended.stdout == f"quaestor {__version__}\nlight\n"


_INTERRUPTED_WHILE_LOADED = """
import signal, sys

class Interrupting:
    def find_spec(self, name, path=None, target=None):
        if name == sys.argv[1]:
            signal.raise_signal(signal.SIGINT)

sys.meta_path.insert(0, Interrupting())
sys.argv[2:] = ["ps"]
from quaestor.faces.cli.main import main
main()
"""


@pytest.mark.parametrize("module", ["quaestor.faces.cli.streams", "quaestor.faces.cli.program", "cyclopts"])
def test_an_interrupt_while_the_program_is_loaded_is_one_line(module: str) -> None:
    argv = [sys.executable, "-c", _INTERRUPTED_WHILE_LOADED, module]
    ended = subprocess.run(argv, check=False, capture_output=True, text=True)
    assert (ended.returncode, ended.stdout) == (130, "")
    assert ended.stderr == "quaestor: interrupted before anything was begun\n"


def test_what_is_imported_before_an_interrupt_can_be_answered_is_little() -> None:
    script = (
        "import sys\nfrom quaestor.faces.cli.main import main\nprint({'typing', 'asyncio', 're'} & sys.modules.keys())"
    )
    ended = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert ended.stdout == "set()\n"


def test_without_a_command_the_help_lists_every_command(capsys: pytest.CaptureFixture[str]) -> None:
    assert run([]) == 0
    said = capsys.readouterr().out
    listed = {row.split()[1] for row in said.splitlines() if row.startswith("│ ")}
    assert set(COMMANDS) <= listed
    assert "130 interrupted" in " ".join(said.split())


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_help_with_the_home(capsys: pytest.CaptureFixture[str], command: str) -> None:
    assert run([command, "--help"]) == 0
    said = capsys.readouterr().out
    assert said.startswith(f"Usage: quaestor {command}")
    assert "--home" in said


def test_the_home_may_stand_before_or_after_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for argv in (["--home", str(tmp_path / "a"), "ps"], ["ps", f"--home={tmp_path / 'b'}"]):
        assert run(argv) == 0
    assert {path.name for path in tmp_path.iterdir()} == {"a", "b"}
    assert f"--home {tmp_path / 'b'}" in capsys.readouterr().err


def test_what_is_said_cannot_move_the_cursor(quaestor: Quaestor) -> None:
    ended = quaestor("ps", "--\x1b[2J")
    assert ended.code == 2
    assert "\x1b" not in ended.err


@pytest.mark.parametrize("argv", [("--home", "", "ps"), ("ps", "--home="), ("ps", "--home", "")])
def test_an_empty_home_is_not_the_current_folder(
    quaestor: Quaestor, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, argv: tuple[str, ...]
) -> None:
    monkeypatch.chdir(tmp_path)
    before = sorted(tmp_path.iterdir())
    ended = quaestor(*argv)
    assert (ended.code, "--home" in ended.err) == (2, True)
    assert sorted(tmp_path.iterdir()) == before


def test_a_home_that_cannot_be_made(quaestor: Quaestor, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    ended = quaestor("ps", "--home", str(tmp_path / "file" / "home"))
    assert ended.code == 3
    assert str(tmp_path / "file") in ended.err


def test_an_error_comes_with_the_command_that_helps(quaestor: Quaestor, tmp_path: Path) -> None:
    assert "(`quaestor ps` lists the sessions)" in quaestor("show", "nobody").err
    (tmp_path / "file").write_text("in the way")
    assert "(--home DIR names another home)" in quaestor("ps", "--home", str(tmp_path / "file" / "home")).err


def test_a_damaged_database_is_refused_and_kept(quaestor: Quaestor, home: Path) -> None:
    home.mkdir()
    (home / "quaestor.db").write_bytes(b"this is no database, but it was here first" * 100)
    before = (home / "quaestor.db").read_bytes()
    for argv in (["ps"], ["doctor"]):
        ended = quaestor(*argv)
        assert ended.code == 3
        assert str(home / "quaestor.db") in ended.out + ended.err
    assert (home / "quaestor.db").read_bytes() == before


def test_what_nobody_foresaw_is_one_line(quaestor: Quaestor, monkeypatch: pytest.MonkeyPatch) -> None:
    ended = quaestor("ps", "--home", "a\0b")
    assert ended.code == 1
    assert ended.err.startswith("quaestor: unexpected ValueError: ")
    assert len(ended.err.splitlines()) == 1
    monkeypatch.setenv("QUAESTOR_DEBUG", "1")
    assert "Traceback" in quaestor("ps", "--home", "a\0b").err


def test_a_user_who_may_start_no_thread_is_told_so(quaestor: Quaestor, docs: Path) -> None:
    size = threading.stack_size(2**46)  # more than there are addresses
    try:
        ended = quaestor("research", QUESTION, "--docs", str(docs))
    finally:
        threading.stack_size(size)
    assert (ended.code, "no more processes and threads" in ended.err) == (3, True)
    assert quaestor("ps").code == 0


def test_a_reader_that_has_seen_enough_is_no_error(finished: Ended, home: Path) -> None:
    with started(home, "events", finished.session, "--json") as process:
        process.stdout.readline()
        process.stdout.close()
        assert process.stderr.read() == ""
        assert process.wait() == 0


def test_a_reader_who_leaves_a_run_pauses_it(quaestor: Quaestor, home: Path, docs: Path) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    words = ["research", QUESTION, "--docs", str(docs), "--no-questions", "--json", "--home", str(home)]
    with os.fdopen(writer, "wb"), forked(words, stdout=writer) as process:
        messages, code = process.stderr.read(), process.wait()
    assert code == EXIT_INTERRUPTED
    assert "nobody reads the events any more; stopping" in messages
    assert "nothing is lost. Go on with: " in messages
    assert '"type":"paused"' in quaestor("events", "--json").out
    assert quaestor("resume").code == 0


@pytest.mark.parametrize("argv", [["--help"], ["setup", "--help"]])
def test_a_reader_that_has_seen_enough_of_the_help_is_no_error(argv: list[str]) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    with os.fdopen(writer, "wb", closefd=True), forked(argv, stdout=writer) as process:
        assert (process.stderr.read(), process.wait()) == ("", 0)


def test_doctor_finds_a_sound_machine(quaestor: Quaestor, finished: Ended) -> None:
    assert finished.code == 0
    ended = quaestor("doctor")
    assert ended.code == 0
    subjects = {line[6:24].strip() for line in ended.out.splitlines()}
    assert subjects == {
        *("Python", "Quaestor", "SQLite", "home", "database", "settings", "model", "search", "sandbox"),
        *("read a page", "read a PDF", "read a Word file"),
        *(f"extra {name}" for name in EXTRA_PACKAGES),
    }
    assert "sound" in ended.out


def test_doctor_names_what_must_be_mended(quaestor: Quaestor, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("in the way")
    monkeypatch.setenv("QUAESTOR_PARALLEL", "none")
    ended = quaestor("doctor", "--home", str(tmp_path / "file" / "home"))
    assert ended.code == 3
    faults = [line for line in ended.out.splitlines() if line.startswith("FAULT ")]
    assert [line.split()[1] for line in faults] == ["home", "settings"]
    assert "is not a folder" in faults[0]


def test_doctor_asks_what_the_settings_name(
    quaestor: Quaestor, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    notes = json.dumps({"lives": {"command": str(tmp_path / "gone")}})
    monkeypatch.setenv("QUAESTOR_MODEL", "ollama:small")
    monkeypatch.setenv("QUAESTOR_MCP", notes)
    monkeypatch.setenv("QUAESTOR_WEB", '["searxng"]')
    with OpenAIServer(lambda _: '{"total": 5}') as server:
        monkeypatch.setenv("OLLAMA_BASE_URL", server.url)
        monkeypatch.setenv("SEARXNG_URL", server.url)
        ended = quaestor("doctor")
        assert [bool(asked.tools) for asked in server.asked] == [False, True]
    assert ended.code == 3
    states = {line[6:24].strip(): line.split()[0] for line in ended.out.splitlines()}
    assert [states[one] for one in ("model", "search searxng", "server lives")] == ["ok", "FAULT", "FAULT"]
    assert "it called no tool" in ended.out


def test_doctor_asks_a_model_that_cannot_be_reached_once(quaestor: Quaestor, monkeypatch: pytest.MonkeyPatch) -> None:
    contacts: list[object] = []

    class HangUp(socketserver.BaseRequestHandler):
        """Ends a connection before its handshake, so that no request is sent."""

        @override
        def handle(self) -> None:
            contacts.append(self.client_address)

    monkeypatch.setenv("QUAESTOR_MODEL", "ollama:small")
    with socketserver.TCPServer(("127.0.0.1", 0), HangUp) as server:
        threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}).start()
        monkeypatch.setenv("OLLAMA_BASE_URL", f"https://127.0.0.1:{server.server_address[1]}/v1")
        ended = quaestor("doctor")
        server.shutdown()
    assert len(contacts) == 1
    fault = next(line for line in ended.out.splitlines() if line.startswith("FAULT model"))
    assert "contract: ollama:small at https://127.0.0.1" in fault
    assert "tool" not in fault


def test_doctor_names_a_model_that_cannot_be_asked(quaestor: Quaestor, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    monkeypatch.setenv("QUAESTOR_MODEL", "openai:gpt-5-mini")
    monkeypatch.setenv("QUAESTOR_MODELS", '{"planner": "ollama:qwen3"}')
    monkeypatch.setenv("QUAESTOR_FALLBACK", '["nobody:x"]')
    ended = quaestor("doctor", "--no-ask")
    assert ended.code == 3
    first, second, third = [line.split(maxsplit=2) for line in ended.out.splitlines() if line[6:].startswith("model ")]
    assert first[0] == "FAULT"
    assert "set OPENAI_API_KEY" in first[2]
    assert second == ["ok", "model", "ollama:qwen3"]
    assert third[0] == "FAULT"
    assert "the provider of 'nobody:x' is not known" in third[2]
    monkeypatch.setenv("OPENAI_API_KEY", "sk-secret")
    assert "sk-secret" not in quaestor("doctor", "--no-ask").out


def test_doctor_changes_nothing(quaestor: Quaestor, home: Path) -> None:
    assert quaestor("doctor").code == 0
    assert not home.exists()


def test_help_is_a_command_as_well(quaestor: Quaestor) -> None:
    assert quaestor("help").out == quaestor("--help").out
    assert quaestor("help", "fork").out == quaestor("fork", "--help").out != ""


def test_no_word_of_other_programs_is_a_command_of_this_one() -> None:
    assert not COMMANDS.keys() & OTHER_WORDS.keys()
    assert set(OTHER_WORDS.values()) <= {*COMMANDS, "--version"}


@pytest.mark.parametrize(
    ("argv", "message"),
    [
        (("reserch", "x"), 'Unknown command "reserch". Did you mean "research"?'),
        (("What", "is", "a", "lease?", "--docs", "x"), "asked with: quaestor research 'What is a lease?'. Try"),
        (("Who built it?",), "asked with: quaestor research 'Who built it?'. Try"),
        (("list",), "'list' is no command; it is called: quaestor ps. Try `quaestor --help`."),
        (("delete", "last"), "it is called: quaestor rm. Try"),
        (("reserch", "what", "is", "a", "lease"), 'Did you mean "research"?'),
        (
            ("research", "where", "was", "Ada", "--effort", "low"),
            "a text of several words is written in quotes: quaestor research 'where was Ada' --effort low",
        ),
        (("ask", "last", "Who", "was", "against", "it?"), "in quotes: quaestor ask last 'Who was against it?'"),
        (("research", "Ada", "--effort", "low", "was"), "'was' is left over. Try `quaestor research --help`."),
        (("show", "last", "Ada"), "'Ada' is left over. Try `quaestor show --help`."),
        (("research", "--dcos"), "Did you mean --docs? Try `quaestor research --help`."),
        (
            ("research", "--docs", "notes", "Who built it?", "--effort", "low"),
            "research 'Who built it?' --docs notes --eff",
        ),
        (
            ("--home", "kept", "research", "--docs", "notes", "Who built it?"),
            "quaestor --home kept research 'Who built it?' --docs notes. Try",
        ),
        (("research", "--docs", "notes"), "parameter QUESTION requires an argument. Try"),
        (("research", "Who built it?", "/"), "files to research are named by --docs: --docs /. Try"),
        (
            ("research", "Ada", "--budget", "much"),
            "--budget takes a number, not 'much'. Try `quaestor research --help`.",
        ),
        (("research", "Ada", "--as-of", "May"), "--as-of takes a date such as 2026-01-31, not 'May'. Try"),
        (("budget", "last", "--add", "more"), "--add takes a number, not 'more'. Try `quaestor budget --help`."),
        (("explain", "last"), "--claim or --passage is missing. Try `quaestor explain --help`."),
        (("explain", "last", "--passage", "two"), "--passage takes a whole number, not 'two'. Try"),
        (("fork", "last", "--at", "end"), "--at takes a whole number, not 'end'. Try `quaestor fork --help`."),
        (("report", "last"), "start one (`quaestor research 'YOUR QUESTION' --docs FOLDER` begins one)"),
        (
            ("report", "last", "--out", "x.pdf"),
            "--out x.pdf` writes .pdf (`quaestor report --help` lists what it takes)",
        ),
        (("research", "Ada", "--docs", "/", "--only-named", "--web"), "for --web; give one of them (`quaestor rese"),
        (("--versoin",), "there are --help, --version, --home; did you mean '--version'? Try `quaestor --help`."),
        (("--frob", "ps"), "'--frob' is no option; before a command there are --help, --version, --home. Try"),
        (("show", "--foo"), "Unknown option: --foo. Try `quaestor show --help`."),
    ],
)
def test_a_mistyped_line_names_the_help_that_helps(quaestor: Quaestor, argv: tuple[str, ...], message: str) -> None:
    ended = quaestor(*argv)
    assert (ended.code, ended.out) == (2, "")
    assert message in ended.err


def check_research(quaestor: Quaestor, code: int, out: str) -> None:
    """Check that research without a reader of its messages ended as with one, in a sound database."""
    assert (code, out[:2]) == (0, "> ")
    assert quaestor("verify").code == 0


@pytest.mark.parametrize("closed", [pytest.param("2>&-", marks=pytest.mark.soak), "<&- 2>&-"])
def test_messages_that_were_closed_change_nothing(quaestor: Quaestor, home: Path, docs: Path, closed: str) -> None:
    command = shlex.join(line(home, "research", QUESTION, "--docs", docs, "--no-questions"))
    ended = subprocess.run(["bash", "-c", f"{command} {closed}"], capture_output=True, text=True, check=False)
    check_research(quaestor, ended.returncode, ended.stdout)


@pytest.mark.parametrize("is_full", [True, False], ids=["full", "left"])
def test_who_does_not_read_the_messages_changes_nothing(
    quaestor: Quaestor, home: Path, docs: Path, *, is_full: bool
) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    words = ["research", QUESTION, "--docs", str(docs), "--no-questions", "--home", str(home)]
    with os.fdopen(writer, "wb"), Path("/dev/full").open("wb") as full:
        with forked(words, stderr=full.fileno() if is_full else writer) as process:
            out, _ = process.communicate()
        check_research(quaestor, process.wait(), out)


@pytest.mark.parametrize("text", ["this is no TOML", 'model = "openai:gpt-5"', "effort = 7"])
def test_a_settings_file_that_cannot_be_used_stops_no_look_at_sessions(
    quaestor: Quaestor, finished: Ended, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str
) -> None:
    (tmp_path / "cloned").mkdir()
    (tmp_path / "cloned" / "quaestor.toml").write_text(text, encoding="utf-8")
    monkeypatch.chdir(tmp_path / "cloned")
    for command in ("ps", "show", "report", "spend", "events", "verify"):
        assert quaestor(command).code == 0
    assert finished.session in quaestor("ps").out
    assert quaestor("resume", finished.session).code == 2
