import asyncio
import re
import sys

import pytest

from quaestor.contracts.errors import MissingExtra
from quaestor.contracts.installation import install_command
from quaestor.contracts.sandbox import ResourceLimits
from quaestor.tools.sandbox import SnippetRunner

pytest.importorskip("pydantic_monty")

_USUAL = ResourceLimits(seconds=200)


async def test_a_snippet_gives_what_it_prints_and_its_last_value() -> None:
    glued = await SnippetRunner().run("print('out')\n[1, 'two']", _USUAL)
    assert (glued.stdout, glued.value, glued.error, glued.limit) == ("out\n", "[1, 'two']", None, None)


async def test_an_error_in_a_snippet_is_told_with_its_line() -> None:
    glued = await SnippetRunner().run("print('before')\n1 / 0", _USUAL)
    assert glued.stdout == "before\n"
    assert glued.error is not None
    assert "line 2" in glued.error
    assert "ZeroDivisionError" in glued.error
    assert not glued.unsupported


@pytest.mark.parametrize(
    "snippet",
    [
        "open('/etc/hostname').read()",
        "open('made', 'w')",
        "import os\nos.environ['HOME']",
        "import os\nos.listdir('/')",
        "import os\nos.system('true')",
        "import socket",
        "import subprocess",
        "import ctypes",
        "from pathlib import Path\nPath('/etc/hostname').read_text()",
    ],
)
async def test_a_snippet_has_no_files_no_network_and_no_programs(snippet: str) -> None:
    glued = await SnippetRunner().run(snippet, _USUAL)
    assert glued.value is None
    assert glued.error is not None
    assert glued.unsupported


async def test_a_snippet_finds_no_secrets(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ANY_API_KEY", "secret")
    glued = await SnippetRunner().run("import os\nos.getenv('ANY_API_KEY')", _USUAL)
    assert "secret" not in f"{glued.value} {glued.error}"


@pytest.mark.parametrize(
    ("snippet", "seconds", "limit"),
    [
        ("while True: pass", 0.3, "time"),
        ("import time\ntime.sleep(500)", 0.3, "time"),
        ("x = 7 ** (10**7)", 0.3, "time"),
        ("x = [0] * 10**9", 200, "memory"),
        ("while True: print('x' * 1000)", 200, "output"),
    ],
)
async def test_a_snippet_that_takes_too_much_is_ended(snippet: str, seconds: float, limit: str) -> None:
    glued = await SnippetRunner().run(snippet, ResourceLimits(seconds=seconds, memory_bytes=2**26, output_bytes=10_000))
    assert glued.limit == limit
    assert glued.value is None


async def test_of_what_a_snippet_prints_the_beginning_is_kept() -> None:
    glued = await SnippetRunner().run(
        "print('y' * 1500)\nwhile True: print('n')", ResourceLimits(seconds=200, output_bytes=1000)
    )
    assert (glued.stdout, glued.stdout_cut) == ("y" * 1000, True)


async def test_a_snippet_nobody_waits_for_any_more_is_ended() -> None:
    run = asyncio.create_task(SnippetRunner().run("while True: pass", _USUAL))
    await asyncio.sleep(0.2)
    run.cancel()
    with pytest.raises(asyncio.CancelledError):
        await run


async def test_without_the_extra_the_command_that_installs_it_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pydantic_monty", None)
    with pytest.raises(MissingExtra, match=re.escape(install_command("sandbox"))):
        await SnippetRunner().run("1", _USUAL)
