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


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("command", ["show", "resume", "rebuild"])
def test_a_name_of_a_session_is_only_a_name(quaestor: Quaestor, command: str, name: str) -> None:
    ended = quaestor(command, "--", name) if name.startswith("-") else quaestor(command, name)
    assert answered(ended), ended.err
    assert ended.code == 2


QUESTIONS = {
    "nothing": "",
    "blanks": " \t\n",
    "too long": "why " * 6_000,
    "half a character": "who \ud800?",
    "a zero byte": "who\0?",
    "controls of a terminal": "\x1b[31mWho built the lighthouse?\x1b[0m\x07",
    "a mark of direction": "Who \u202ebuilt it?",
    "an option": "--help me",
    "search operators": 'NEAR("a" "b", 5) OR * AND ^title : -x',
    "a template": "{{question}} {{role 'system'}} {% raw %}",
    "a format": "%s %n {0.__class__}",
    "one word a thousand times": "fog " * 1_000,
    "no letters": "?!?!?! ... 💥",
}


@pytest.mark.parametrize("question", QUESTIONS.values(), ids=QUESTIONS)
def test_a_question_is_only_a_question(quaestor: Quaestor, docs: Path, question: str) -> None:
    ended = quaestor("research", "--docs", docs, "--no-questions", "--", question)
    assert answered(ended), ended.err
    for command in (("ps",), ("ps", "--json"), ("show", "--json")):
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


@pytest.mark.parametrize(("option", "value"), OPTIONS)
def test_an_option_takes_what_it_takes(quaestor: Quaestor, docs: Path, option: str, value: str) -> None:
    ended = quaestor("research", QUESTION, "--docs", docs, "--no-questions", option, value)
    assert answered(ended), ended.err


def _pipe(place: Path) -> None:
    os.mkfifo(place)


def _loop(place: Path) -> None:
    place.symlink_to(place)


def _shut(place: Path) -> None:
    place.write_text("x", encoding="utf-8")
    place.chmod(0)


def _deep(place: Path) -> None:
    place.write_text("[" * 100_000, encoding="utf-8")


FILES: Mapping[str, tuple[str, Callable[[Path], object]]] = {
    "a pipe": ("a.txt", _pipe),
    "a loop of links": ("a.md", _loop),
    "a device": ("a.txt", lambda place: place.symlink_to("/dev/zero")),
    "a name with controls": ("\x1b[2J\r\n.txt", lambda place: place.write_text("fog", encoding="utf-8")),
    "a name that is no text": (os.fsdecode(b"\xff\xfe.txt"), lambda place: place.write_bytes(b"fog")),
    "an empty document of pages": ("a.pdf", lambda place: place.write_bytes(b"")),
    "half a document of pages": (
        "a.pdf",
        lambda place: place.write_bytes(b"%PDF-1.7\n1 0 obj << /Length 99999999999 >>"),
    ),
    "brackets without end": ("a.json", _deep),
    "a page without end": ("a.html", lambda place: place.write_text("<div>" * 50_000, encoding="utf-8")),
    "zero bytes": ("a.txt", lambda place: place.write_bytes(b"\0" * 100_000)),
    "one line": ("a.txt", lambda place: place.write_text("x" * 300_000, encoding="utf-8")),
    "half characters": ("a.txt", lambda place: place.write_bytes(b"\xed\xa0\x80 fog \xf0\x9f")),
    "a file for nobody": ("a.txt", _shut),
}


@pytest.mark.parametrize(("name", "make"), FILES.values(), ids=FILES)
def test_a_document_is_read_or_named(quaestor: Quaestor, docs: Path, name: str, make: Callable[[Path], object]) -> None:
    make(docs / name)
    ended = quaestor("research", QUESTION, "--docs", docs, "--no-questions")
    assert answered(ended), ended.err
    assert ended.code == 0


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
    quaestor: Quaestor, finished: Ended, docs: Path, damage: str
) -> None:
    database = apsw.Connection(str(docs.parent / "home" / "quaestor.db"))
    database.execute("PRAGMA foreign_keys = OFF")
    database.execute("PRAGMA ignore_check_constraints = ON")
    database.execute(damage)
    database.close()
    for command in ("ps", "show", "events", "verify", "spend", "report", "resume"):
        ended = quaestor(command) if command == "ps" else quaestor(command, finished.session)
        assert answered(ended), (command, ended.err, ended.out)


SETTINGS = [
    *(("LEASE_SECONDS", value) for value in ("0", "nan", "-1", "1e-9")),
    *(("CALL_SECONDS", value) for value in ("nan", "0", "1e-300")),
    *(("GRACE_SECONDS", value) for value in ("nan", "-1")),
    ("PROVIDERS", '{"openai": {"base_url": "file:///etc/passwd"}}'),
    ("PROVIDERS", "[" * 5_000),
    ("PRICES", '{"x": {"input": -1, "output": 0}}'),
    ("FOLLOW", '["file:///dev/full"]'),
    ("TELEPATHY", "1"),
]


@pytest.mark.parametrize(("name", "value"), SETTINGS)
def test_a_setting_of_the_environment_is_checked(
    quaestor: Quaestor, docs: Path, monkeypatch: pytest.MonkeyPatch, name: str, value: str
) -> None:
    monkeypatch.setenv(f"QUAESTOR_{name}", value)
    ended = quaestor("research", QUESTION, "--docs", docs, "--no-questions")
    assert answered(ended), ended.err


@pytest.mark.parametrize(
    ("name", "value"),
    [("COLUMNS", "0"), ("COLUMNS", "-7"), ("TERM", "\x1b"), ("TZ", "../../etc/passwd"), ("LANG", "xx")],
)
def test_the_terminal_of_an_attacker_changes_no_outcome(
    quaestor: Quaestor, docs: Path, monkeypatch: pytest.MonkeyPatch, name: str, value: str
) -> None:
    monkeypatch.setenv(name, value)
    assert quaestor("research", QUESTION, "--docs", docs, "--no-questions").code == 0
    assert quaestor("ps").code == 0
