import subprocess
import sys

from quaestor.tools.mcp.connection import StderrTail


def tail_of(code: str) -> str:
    tail = StderrTail()
    subprocess.run([sys.executable, "-c", f"import sys; {code}"], stderr=tail.file, check=True)
    return tail.close()


def test_the_last_line_is_remembered() -> None:
    assert tail_of(r"sys.stderr.write('one\ntwo  \n\n')") == "two"
    assert tail_of("pass") == ""


def test_of_much_only_the_end_is_kept() -> None:
    assert tail_of("sys.stderr.write('x' * 1_000_000 + '\\nlast')") == "last"
