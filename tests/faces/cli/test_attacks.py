"""What hostile hands type, put into files, write into the database and set: each is answered, by an exit code."""

import json
import os
from collections.abc import Callable, Mapping
from pathlib import Path
from zipfile import ZipFile

import apsw
import pytest

from faces.cli.conftest import Ended, Quaestor
from fakes.papers import QUESTION
from quaestor.runtime.bundle import MANIFEST_FILE

CODES = frozenset(range(7))
NAMES = (
    "../../etc/passwd",
    "'; DROP TABLE events; --",
    "x" * 10_000,
    "",
    " ",
    "%s%n",
    "\u202e",
    "-",
    "last\0",
    "~root",
)


def answered(ended: Ended) -> bool:
    """Return whether a command was answered on purpose: no crash, and nothing that steers a terminal."""
    crashed = "Traceback" in ended.err or "unexpected" in ended.err
    return ended.code in CODES and not crashed and not any(mark in ended.err + ended.out for mark in ("\x1b", "\u202e"))


@pytest.mark.parametrize("command", ["show", "resume", "rebuild"])
def test_a_name_of_a_session_is_only_a_name(quaestor: Quaestor, command: str) -> None:
    for name in NAMES:
        ended = quaestor(command, "--", name) if name.startswith("-") else quaestor(command, name)
        assert answered(ended), (name, ended.err)
        assert ended.code == 2, name


QUESTIONS = (
    "",
    " \t\n",
    "why " * 6_000,
    "who \ud800?",
    "who\0?",
    "\x1b[31mWho built the lighthouse?\x1b[0m\x07",
    "Who \u202ebuilt it?",
    "--help me",
    'NEAR("a" "b", 5) OR * AND ^title : -x',
    "{{question}} {{role 'system'}} {% raw %}",
    "%s %n {0.__class__}",
    "fog " * 1_000,
    "?!?!?! ... 💥",
)


def test_a_question_is_only_a_question(quaestor: Quaestor, docs: Path) -> None:
    for question in QUESTIONS:
        ended = quaestor("research", "--docs", docs, "--no-questions", "--", question)
        assert answered(ended), (question[:50], ended.err)
        shown = quaestor("show", "--json")
        assert answered(shown), (question[:50], shown.err)
    for command in (("ps",), ("ps", "--json")):
        assert answered(quaestor(*command)), command


def test_what_a_bundle_names_is_only_text(quaestor: Quaestor, finished: Ended, tmp_path: Path) -> None:
    file, forged = tmp_path / "bundle.zip", tmp_path / "forged.zip"
    assert quaestor("export", finished.session, "--bundle", file).code == 0
    with ZipFile(file) as bundle, ZipFile(forged, "w") as other:
        for name in bundle.namelist():
            content = bundle.read(name)
            if name == MANIFEST_FILE:
                manifest = json.loads(content)
                manifest["files"]["\x1b[2Jgone\nsession x holds"] = "0" * 64
                content = json.dumps(manifest).encode()
            other.writestr(name, content)
    ended = quaestor("verify", forged)
    assert answered(ended), ended.out
    assert (ended.code, ended.out.count("\n")) == (1, 1)


OPTIONS = [
    *(("--budget", value) for value in ("nan", "-1", "1e999", "0x10", "∞")),
    *(("--max-seconds", value) for value in ("nan", "-1", "inf", "0")),
    *(("--max-tokens", value) for value in ("-1", "9" * 40, "1.5")),
    *(("--parallel", value) for value in ("0", "-3", "9" * 30)),
    ("--model", "offline:"),
    ("--model", "script:/dev/zero"),
    ("--model", "replay:../x"),
    ("--model", ":" * 500),
    ("--effort", "\x1b[1m"),
    ("--out", "/proc/self/mem"),
    ("--out", "/dev/full/x.md"),
]


def test_an_option_takes_what_it_takes(quaestor: Quaestor, docs: Path) -> None:
    for option, value in OPTIONS:
        ended = quaestor("research", QUESTION, "--docs", docs, "--no-questions", option, value)
        assert answered(ended), (option, value, ended.err)


def _pipe(place: Path) -> None:
    os.mkfifo(place)


def _loop(place: Path) -> None:
    place.symlink_to(place)


def _shut(place: Path) -> None:
    place.write_text("x", encoding="utf-8")
    place.chmod(0)


def _deep(place: Path) -> None:
    place.write_text("[" * 100_000, encoding="utf-8")


FILES: Mapping[str, Callable[[Path], object]] = {
    "pipe.txt": _pipe,
    "loop.md": _loop,
    "device.txt": lambda place: place.symlink_to("/dev/zero"),
    "\x1b[2J\r\n.txt": lambda place: place.write_text("fog", encoding="utf-8"),
    os.fsdecode(b"\xff\xfe.txt"): lambda place: place.write_bytes(b"fog"),
    "empty.pdf": lambda place: place.write_bytes(b""),
    "half.pdf": lambda place: place.write_bytes(b"%PDF-1.7\n1 0 obj << /Length 99999999999 >>"),
    "brackets without end.json": _deep,
    "tags without end.html": lambda place: place.write_text("<div>" * 50_000, encoding="utf-8"),
    "zero bytes.txt": lambda place: place.write_bytes(b"\0" * 100_000),
    "one line.txt": lambda place: place.write_text("x" * 300_000, encoding="utf-8"),
    "half characters.txt": lambda place: place.write_bytes(b"\xed\xa0\x80 fog \xf0\x9f"),
    "for nobody.txt": _shut,
}


def test_a_document_is_read_or_named(quaestor: Quaestor, docs: Path) -> None:
    read = len(list(docs.iterdir()))
    for name, make in FILES.items():
        make(docs / name)
    ended = quaestor("research", QUESTION, "--docs", docs, "--no-questions")
    assert answered(ended), ended.err
    assert ended.code == 0
    skipped = [line for line in ended.err.splitlines() if line.startswith("  skipped ")]
    documents = int(ended.err.split()[0])
    assert documents + len(skipped) == read + len(FILES), ended.err


DAMAGE = {
    "an event of a later release": "UPDATE events SET version = 99 WHERE seq = 4",
    "an event of no type": "UPDATE events SET type = 'x' || char(27) || '[2J' WHERE seq = 5",
    "an event that is missing": "DELETE FROM events WHERE seq = 6",
    "brackets without end": "UPDATE events SET body = replace(hex(zeroblob(50000)), '00', '[') WHERE seq = 7",
    "an event that is a list": "UPDATE events SET body = '[]' WHERE seq = 8",
    "a time that is none": "UPDATE events SET at = 'yesterday' WHERE seq = 9",
    "a time in a thousand years": "UPDATE events SET at = '3026-01-01T00:00:00+00:00'",
    "a state that is none": "UPDATE events SET state = '../x'",
    "a question with controls": "UPDATE sessions SET question = char(27) || '[2J' || char(8238)",
    "an outcome that is none": "UPDATE sessions SET outcome = 'glorious'",
    "an event count": "UPDATE sessions SET events = 1000000",
    "a head": "UPDATE sessions SET head = 'x'",
    "a lease of the future": "UPDATE leases SET epoch = 9000000000000000000, expires_at = '9999-01-01T00:00:00+00:00'",
    "a lease of the first process": "UPDATE leases SET host = '', pid = 1, started = ''",
    "a text that was exchanged": "UPDATE blobs SET data = x'00'",
}


@pytest.mark.parametrize("damage", DAMAGE.values(), ids=DAMAGE)
def test_a_log_that_was_tampered_with_is_named_or_read(
    quaestor: Quaestor, finished: Ended, home: Path, damage: str
) -> None:
    database = apsw.Connection(str(home / "quaestor.db"))
    database.execute("PRAGMA foreign_keys = OFF")
    database.execute("PRAGMA ignore_check_constraints = ON")
    database.execute(damage)
    database.close()
    for command in ("ps", "show", "events", "verify", "spend", "report", "resume"):
        ended = quaestor(command) if command == "ps" else quaestor(command, finished.session)
        assert answered(ended), (command, ended.err, ended.out)


SETTINGS = [
    *(("LEASE_SECONDS", value) for value in ("0", "nan", "-1", "1e-9", "1e308")),
    *(("CALL_SECONDS", value) for value in ("nan", "0", "1e-300", "1e308")),
    *(("GRACE_SECONDS", value) for value in ("nan", "-1")),
    ("PROVIDERS", '{"openai": {"base_url": "file:///etc/passwd"}}'),
    ("PROVIDERS", "[" * 5_000),
    ("PRICES", '{"x": {"input": -1, "output": 0}}'),
    ("FOLLOW", '["file:///dev/full"]'),
    ("TELEPATHY", "1"),
]


def test_a_setting_of_the_environment_is_checked(quaestor: Quaestor, docs: Path) -> None:
    for name, value in SETTINGS:
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv(f"QUAESTOR_{name}", value)
            ended = quaestor("research", QUESTION, "--docs", docs, "--no-questions")
        assert answered(ended), (name, value[:50], ended.err)


@pytest.mark.parametrize("columns", ["0", "-7"])
def test_the_terminal_of_an_attacker_changes_no_outcome(
    quaestor: Quaestor, docs: Path, monkeypatch: pytest.MonkeyPatch, columns: str
) -> None:
    hostile = {"COLUMNS": columns, "TERM": "\x1b", "TZ": "../../etc/passwd", "LANG": "xx"}
    for name, value in hostile.items():
        monkeypatch.setenv(name, value)
    assert quaestor("research", QUESTION, "--docs", docs, "--no-questions").code == 0
    assert quaestor("ps").code == 0
