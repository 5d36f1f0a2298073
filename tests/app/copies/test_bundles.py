"""A bundle is checked by whoever gets it: with no home, and by its own page in a browser."""

import json
import os
import re
import shutil
import subprocess
from collections.abc import Callable, Mapping, Sequence
from hashlib import sha256
from pathlib import Path
from zipfile import ZipFile

import pytest

from fakes.papers import QUESTION, write_papers
from quaestor.app import open_home
from quaestor.app.copies.bundles import export_bundle, verify_bundle
from quaestor.contracts.errors import UsageError
from quaestor.contracts.immutable import replace
from quaestor.contracts.signature import LogRecord
from quaestor.runtime.bundle import open_bundle
from quaestor.storage.chain import event_hash

Files = dict[str, bytes]


@pytest.fixture(autouse=True)
def config(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))


@pytest.fixture
async def bundle(tmp_path: Path) -> Path:
    async with open_home(tmp_path / "home", effort="low") as q:
        session_id = await q.start(QUESTION, await q.index([write_papers(tmp_path)]))
        assert (await q.run(session_id)).outcome == "done"
        await export_bundle(q, session_id, tmp_path / "bundle.zip")
        await export_bundle(q, session_id, tmp_path / "again.zip")
    assert (tmp_path / "bundle.zip").read_bytes() == (tmp_path / "again.zip").read_bytes()
    shutil.rmtree(tmp_path / "home")
    return tmp_path / "bundle.zip"


def rewrite(bundle: Path, change: Callable[[Files], None]) -> Path:
    with ZipFile(bundle) as archive:
        files = {name: archive.read(name) for name in archive.namelist()}
    change(files)
    with ZipFile(bundle, "w") as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return bundle


def renew_hashes(files: Files) -> None:
    """Make the manifest say what the files are now, as whoever changes them would."""
    manifest = json.loads(files["manifest.json"])
    manifest["files"] = {name: sha256(files[name]).hexdigest() for name in files if name != "manifest.json"}
    files["manifest.json"] = json.dumps(manifest).encode()


async def test_a_bundle_holds_without_its_home(bundle: Path) -> None:
    checked = verify_bundle(bundle)
    assert (checked.faults, checked.signature) == ((), "valid")
    assert checked.quotes > 0
    assert checked.manifest.signed
    assert verify_bundle(bundle, checked.manifest.signed.key).faults == ()
    assert verify_bundle(bundle, "ab" * 32).faults != ()


def _change_report(files: Files) -> None:
    files["report.md"] += b"And more."


def _leave_source_out(files: Files) -> None:
    del files[next(name for name in files if name.startswith("sources/"))]
    renew_hashes(files)


def _change_source(files: Files) -> None:
    name = next(name for name in files if name.startswith("sources/"))
    files[name] = files[name].upper()
    renew_hashes(files)


def _cut_log(files: Files) -> None:
    files["log.jsonl"] = b"".join(files["log.jsonl"].splitlines(keepends=True)[:-1])
    renew_hashes(files)


def _write_log_anew(files: Files) -> None:
    """Change one event and link all that follow again, which leaves no trace but in the signature."""
    records = [LogRecord.model_validate_json(line) for line in files["log.jsonl"].splitlines()]
    previous, written = records[0].previous, list[LogRecord]()
    for record in records:
        at = "2020-01-01T00:00:00.000000Z" if record.seq == 2 else record.at
        content = (record.session_id, record.seq, record.cycle, at, record.state, record.type, record.version)
        own = event_hash(previous, content, record.todo_id, sha256(record.body.encode()).hexdigest())
        written.append(record.revised(at=at, previous=previous, hash=own))
        previous = own
    files["log.jsonl"] = "".join(f"{each.model_dump_json()}\n" for each in written).encode()
    manifest = json.loads(files["manifest.json"])
    manifest["head"]["hash"] = previous
    files["manifest.json"] = json.dumps(manifest).encode()
    renew_hashes(files)


def _add_stranger(files: Files) -> None:
    files["../../evil.sh"] = b"rm -rf"


CHANGES: Mapping[Callable[[Files], None], str] = {
    _change_report: "report.md was changed",
    _leave_source_out: "is missing, or is not what its hash says",
    _change_source: "is missing, or is not what its hash says",
    _cut_log: "is missing",
    _write_log_anew: "the signature does not fit",
    _add_stranger: "is in no manifest",
}


def _spoil_log(files: Files) -> None:
    files["log.jsonl"] = b"{\n"
    renew_hashes(files)


def test_what_was_changed_is_named(bundle: Path) -> None:
    whole = bundle.read_bytes()
    for change, expected in {**CHANGES, _spoil_log: "the log cannot be read"}.items():
        bundle.write_bytes(whole)
        faults = verify_bundle(rewrite(bundle, change)).faults
        assert any(expected in fault for fault in faults), (change.__name__, faults)


def _spoil_source(files: Files) -> None:
    """Put bytes that are no text in the place of a source, under their own hash, wherever that is quoted."""
    name = next(name for name in files if name.startswith("sources/")).removeprefix("sources/").removesuffix(".txt")
    spoilt = b"\xff" * 9_000
    own = sha256(spoilt).hexdigest()
    files["log.jsonl"] = files["log.jsonl"].replace(name.encode(), own.encode())
    files[f"sources/{own}.txt"] = spoilt
    renew_hashes(files)


def test_a_source_that_is_no_text_is_named(bundle: Path) -> None:
    faults = verify_bundle(rewrite(bundle, _spoil_source)).faults
    assert any("is missing, or is not what its hash says" in fault for fault in faults), faults


def test_damage_in_any_place_is_named_or_refused(bundle: Path) -> None:
    whole = bundle.read_bytes()
    with ZipFile(bundle) as archive:
        starts = [entry.header_offset for entry in archive.infolist()]
    for place in (*(start + 120 for start in starts), len(whole) // 2):
        bundle.write_bytes(whole[:place] + bytes(byte ^ 0xFF for byte in whole[place : place + 8]) + whole[place + 8 :])
        assert faults_or_refusal(bundle)


def faults_or_refusal(bundle: Path) -> Sequence[str]:
    try:
        return verify_bundle(bundle).faults
    except UsageError as refused:
        return [str(refused)]


def test_an_entry_that_needs_a_password_is_refused(bundle: Path) -> None:
    content = bytearray(bundle.read_bytes())
    content[content.find(b"PK\x01\x02") + 8] |= 1
    bundle.write_bytes(content)
    with pytest.raises(UsageError, match="packed in a way"):
        verify_bundle(bundle)


@pytest.mark.parametrize("content", [b"", b"PK\x05\x06" + bytes(18), b"no archive"])
def test_what_is_no_bundle_is_refused(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "x.zip").write_bytes(content)
    with pytest.raises(UsageError, match="bundle"):
        verify_bundle(tmp_path / "x.zip")


def dumped(page: Path, profile: Path) -> str:
    """Return a page as a real browser has it once its script has run."""
    flags = ("--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking", "--no-first-run")
    more = ("--disable-component-update", "--disable-sync", f"--user-data-dir={profile}", "--virtual-time-budget=5000")
    chromium = shutil.which("chromium") or ""
    return subprocess.run(
        (chromium, *flags, *more, "--dump-dom", page.as_uri()), check=True, capture_output=True, text=True
    ).stdout


@pytest.mark.skipif(shutil.which("chromium") is None, reason="Chromium is not installed")
async def test_its_page_checks_itself_in_a_browser(bundle: Path, tmp_path: Path) -> None:
    with ZipFile(bundle) as archive:
        page = archive.read("index.html").decode()
    (tmp_path / "good.html").write_text(page)
    shown = dumped(tmp_path / "good.html", tmp_path / "profile")
    assert shown.count('<li class="right">') == 5, shown[-3000:]
    assert 'data-quote="1/0"><span dir="auto">The harbour guild</span>' in shown  # the title of its source
    (tmp_path / "bad.html").write_text(page.replace('"type": "session_started"', '"type": "session_begun"', 1))
    assert "Does not hold: the chain of the log breaks at event 1" in dumped(
        tmp_path / "bad.html", tmp_path / "profile"
    )


@pytest.mark.skipif(shutil.which("chromium") is None, reason="Chromium is not installed")
@pytest.mark.parametrize(
    ("whole", "changed", "fault"),
    [
        ("<bdi>", "<bdi>Never: ", "statement 1 is shown in other words"),
        ('{"statements": [{"number": 1, "text": "', '{"statements": [{"number": 1, "text": "Never: ', "in no report"),
        ("</article>", "</article><article><bdi>More</bdi></article>", "other statements are shown"),
    ],
)
async def test_a_page_with_other_statements_than_the_log_says_so(
    bundle: Path, tmp_path: Path, whole: str, changed: str, fault: str
) -> None:
    with ZipFile(bundle) as archive:
        page = archive.read("index.html").decode()
    assert whole in page
    (tmp_path / "page.html").write_text(page.replace(whole, changed, 1))
    shown = dumped(tmp_path / "page.html", tmp_path / "profile")
    assert re.search(rf'<li class="wrong">Does not hold: [^<]*{fault}', shown), shown[-3000:]


def test_what_is_no_file_is_no_bundle(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe.zip"
    os.mkfifo(pipe)
    for place in (pipe, Path("/dev/zero"), tmp_path):
        with pytest.raises(UsageError, match="cannot be read as a bundle"), open_bundle(place):
            pass


async def test_a_line_of_a_log_without_an_end_is_not_read_into_memory(bundle: Path) -> None:
    with open_bundle(bundle) as opened, pytest.raises(ValueError, match="longer than 100 bytes"):
        list(replace(opened, longest=100).records())
