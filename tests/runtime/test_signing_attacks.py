"""Keys and signatures that somebody made up: none is taken for that of a person."""

import os
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from quaestor.contracts.errors import SetupError
from quaestor.contracts.signature import LogHead, SignedHead, signed_message
from quaestor.runtime.head_files import HeadFiles
from quaestor.runtime.signing import HeadSigner, is_valid

ORDER = 2**252 + 27742317777372353535851937790883648493
"""Of the group of Ed25519: a signature with it added is the same in a careless check."""
SMALL = (
    "00" * 32,
    "01" + "00" * 31,
    "ec" + "ff" * 30 + "7f",
    "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
)
"""Points of small order, by which one signature fits any message in a careless check."""
AT = datetime(2026, 1, 1, tzinfo=UTC)
HEAD = LogHead(session_id="s", events=7, hash="ab" * 32)


@pytest.fixture
def signer(tmp_path: Path) -> HeadSigner:
    return HeadSigner({"XDG_CONFIG_HOME": str(tmp_path)})


def claimed(signed: SignedHead, **changed: object) -> SignedHead:
    return signed.revised(**changed)


@pytest.mark.parametrize("point", SMALL)
def test_a_key_of_small_order_signs_nothing(point: str) -> None:
    for start in (point, SMALL[1]):
        forged = SignedHead(head=HEAD, key=point, signed_at=AT, signature=start + "00" * 32)
        assert not is_valid(forged)


def test_a_signature_has_one_form(signer: HeadSigner) -> None:
    signed = signer.sign(HEAD, AT)
    scalar = int.from_bytes(bytes.fromhex(signed.signature[64:]), "little") + ORDER
    assert not is_valid(claimed(signed, signature=signed.signature[:64] + scalar.to_bytes(32, "little").hex()))


@pytest.mark.parametrize(
    "changed",
    [
        {"head": HEAD.revised(session_id="t")},
        {"head": HEAD.revised(events=8)},
        {"head": HEAD.revised(hash="cd" * 32)},
        {"signed_at": AT + timedelta(microseconds=1)},
        {"key": "ab" * 32},
    ],
)
def test_a_signature_is_of_one_session_head_time_and_key(signer: HeadSigner, changed: dict[str, object]) -> None:
    signed = signer.sign(HEAD, AT)
    assert is_valid(signed)
    assert not is_valid(claimed(signed, **changed))


def test_no_two_heads_are_one_message() -> None:
    named = HEAD.revised(session_id='s",7,"x')
    assert signed_message(named, AT) != signed_message(HEAD, AT)


@pytest.mark.parametrize("content", [b"", b"zz" * 32, b"ab" * 31, b"ab" * 33, b"\xff\xfe", b"ab" * 32 + b"\0"])
def test_what_is_no_key_is_named_and_not_replaced(signer: HeadSigner, tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "quaestor" / "signing.key"
    file.parent.mkdir()
    file.write_bytes(content)
    file.chmod(0o600)
    with pytest.raises(SetupError, match=r"signing\.key|key that signs"):
        signer.sign(HEAD, AT)
    assert file.read_bytes() == content


def test_the_record_is_written_through_no_wide_mode_and_no_folder(signer: HeadSigner, tmp_path: Path) -> None:
    files = HeadFiles(tmp_path / "home", tmp_path / "heads" / "a.jsonl", None)
    old = os.umask(0)
    try:
        files.append(signer.sign(HEAD, AT))
    finally:
        os.umask(old)
    assert (files.record.stat().st_mode & 0o777, files.record.parent.stat().st_mode & 0o777) == (0o600, 0o700)
    with pytest.raises(SetupError, match="cannot be"):
        HeadFiles(tmp_path / "home", tmp_path, None).append(signer.sign(HEAD, AT))


def test_a_record_that_cannot_be_read_is_named_with_its_line(signer: HeadSigner, tmp_path: Path) -> None:
    files = HeadFiles(tmp_path / "home", tmp_path / "a.jsonl", None)
    files.append(signer.sign(HEAD, AT))
    for torn in (b'{"head": ', b"\xff", b"[]\n"):
        (tmp_path / "a.jsonl").write_bytes(torn)
        with pytest.raises(SetupError, match=r"a\.jsonl"):
            files.recorded("s")
