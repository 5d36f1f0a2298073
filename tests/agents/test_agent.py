from pathlib import Path

from agents.samples import asked, drop, fault
from quaestor.research.contracts.roles import ReadInput
from quaestor.runtime.session_setup import load_all_agents


def test_a_file_that_is_no_utf_8_is_refused(tmp_path: Path) -> None:
    path = drop(tmp_path)
    path.write_bytes(path.read_bytes().replace(b"You read.", b"You re\xffd."))
    assert fault(tmp_path).startswith(f"{path}, line 7, encoding: byte 0xff is no UTF-8")


def test_a_partial_that_is_no_utf_8_is_refused(tmp_path: Path) -> None:
    drop(tmp_path, template='{{role "user"}}\n{{> more}}\n')
    (tmp_path / "_more.prompt").write_bytes(b"a\n\xff")
    assert fault(tmp_path).startswith(f"{tmp_path / '_more.prompt'}, line 2, encoding: ")


def test_a_template_holds_no_nul(tmp_path: Path) -> None:
    path = drop(tmp_path, template='{{role "user"}}\n\0hits\0\n')
    assert fault(tmp_path).startswith(f"{path}, line 7, text: a NUL character")


def test_what_cannot_be_read_is_told(tmp_path: Path) -> None:
    (tmp_path / "mine.prompt").mkdir()
    assert fault(tmp_path).startswith(f"{tmp_path / 'mine.prompt'} cannot be read: Is a directory")


def test_a_file_from_windows_says_the_same(tmp_path: Path) -> None:
    request = asked("mine", ReadInput(question="Who?", task="Find it."))
    path = drop(tmp_path, template='{{role "user"}}\nRead it.\n{{> own}}\n{{data "task"}}\n')
    (tmp_path / "_own.prompt").write_bytes(b"Quote\r\nexactly.\r\n")
    before = load_all_agents([tmp_path]).prompt(request)
    path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes().replace(b"\n", b"\r\n"))
    after = load_all_agents([tmp_path]).prompt(request)
    assert after.messages == before.messages
    assert after.messages[0].text == "Read it.\nQuote\nexactly.\n~~~ task\nFind it.\n~~~"
    assert after.sha256 != before.sha256
