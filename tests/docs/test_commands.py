"""Every `quaestor` command in README.md runs as it stands there, over documents that fit its question."""

import asyncio
import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import pytest

import quaestor
from fakes.coast import coast, town
from fakes.market import rows, write_csv
from fakes.openai_server import OpenAIServer
from fakes.researcher import Researcher
from fakes.site import Site
from quaestor.contracts.command import Answer
from quaestor.contracts.errors import EXIT_BUDGET_REACHED, EXIT_WAITING
from quaestor.faces.cli.main import run
from quaestor.trading import sessions
from quaestor.trading.mandate_file import read_mandate

README = (Path(__file__).parents[2] / "README.md").read_text(encoding="utf-8")
COMMANDS = [
    shlex.split(line.removeprefix("$ quaestor "), comments=True)
    for block in re.findall(r"```console\n(.*?)```", README, re.DOTALL)
    for line in block.splitlines()
    if line.startswith("$ quaestor ")
]
QUESTION = "Why was the walrus operator added, and what was said against it?"
UNCLEAR = "Why was it added?"
CLEAR = "The walrus operator"
WALRUS = """The walrus operator

The walrus operator was added because an expression could not name its own result. Programmers wrote a call twice.

Against the walrus operator it was said that it makes expressions harder to read.
"""
PLAYBOOK = """- say: I write it down.
  write_file: {path: hello.txt, content: Hello.}
- say: It is written.
  done: A greeting stands in hello.txt.
"""
MANDATE = """objective = "Grow the cash with few trades."
assets = ["BTC/USDT"]
cash = 10000
candles = "btc.csv"
"""
TASKS = ("Why was the walrus operator added?", "What was said against the walrus operator?")


def test_the_readme_has_commands() -> None:
    documents = ["research", "ps", "resume", "report", "explain", "verify", "ask", "refresh", "report"]
    exports = ["export", "export", "import"]
    web = ["research", "research"]
    models = ["research", "research", "research", "spend", "agents"]
    people = ["research", "answer", "plan", "plan", "answer", "research", "attach", "budget", "finish", "fork"]
    work = ["task", "task", "doctor", "backtest", "cycles", "decide", "follow"]
    assert [words[0] for words in COMMANDS] == [*documents, *exports, *web, *models, *people, *work]
    asked = {words[1] for words in COMMANDS if words[0] == "research"}
    assert asked == {QUESTION, UNCLEAR, f"When was the lighthouse of {town(11)} built?"}


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "peps").mkdir()
    (tmp_path / "peps" / "walrus.txt").write_text(WALRUS, encoding="utf-8")
    (tmp_path / "hello.yaml").write_text(PLAYBOOK, encoding="utf-8")
    (tmp_path / "trend.toml").write_text(MANDATE, encoding="utf-8")
    write_csv(tmp_path / "btc.csv", list(rows(80)))
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("EDITOR", "true")
    monkeypatch.delenv("VISUAL", raising=False)
    return tmp_path / "home"


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[OpenAIServer]:
    """Return the server at which OpenAI and Ollama are reached."""
    with OpenAIServer(Researcher(TASKS)) as server:
        monkeypatch.setenv("OPENAI_API_KEY", "...")
        monkeypatch.setenv("OPENAI_BASE_URL", server.url)
        monkeypatch.setenv("OLLAMA_HOST", server.url.removesuffix("/v1"))
        yield server


@pytest.fixture(scope="module")
def site() -> Iterator[Site]:
    """Serve the web that the commands search, in a thread of its own."""
    with coast() as site:
        yield site


@pytest.fixture
def web(site: Site, monkeypatch: pytest.MonkeyPatch) -> Site:
    """Lead the commands to it."""
    monkeypatch.setenv("SEARXNG_URL", site.url)
    monkeypatch.setenv("QUAESTOR_FETCH_ALLOW", f"127.0.0.1:{site.port}")
    monkeypatch.setenv("QUAESTOR_PAUSE_SECONDS", "0")
    return site


BEGINNING = {"research", "task", "doctor", "agents", "backtest", "decide"}
"""Commands that need no session."""
READING = {"ps", "report", "explain", "verify", "export", "import", "spend", "attach", "follow"}
"""Commands that leave a session as it is: they share one."""


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """Return a home with a finished session."""
    folder = tmp_path_factory.mktemp("finished")
    (folder / "peps").mkdir()
    (folder / "peps" / "walrus.txt").write_text(WALRUS, encoding="utf-8")
    return folder / "home", asyncio.run(prepared(folder / "home", ["report"]))


async def prepared(home: Path, words: list[str]) -> str:
    """Return a session that is where a command finds it."""
    if words[0] == "cycles":
        async with quaestor.open(home) as q:
            session = await sessions.start_or_resume(q, read_mandate(home.parent / "trend.toml"), backtest=True)
            await q.run(session)
            return session
    asking = words[0] in {"answer", "plan"}
    async with quaestor.open(home, effort="low", review_plan=asking, max_dollars="0.50") as q:
        session = await q.start(UNCLEAR if asking else QUESTION, await q.index([home.parent / "peps"]))
        if words[0] in {"resume", "budget"}:
            return session
        await q.run(session)
        if asking and CLEAR not in words:
            assert await q.tell(session, Answer(text=CLEAR)) is None
            await q.run(session)
        if words[0] == "finish":
            recorded = next(event.seq for event in await q.events(session) if event.type == "todo_recorded")
            return await q.fork(session, at=recorded)
        return session


def code(words: list[str]) -> int:
    """Return the exit code that a command ends with: most are done, some wait, and one ends gathering early."""
    waits = UNCLEAR in words or CLEAR in words
    return EXIT_WAITING if waits else EXIT_BUDGET_REACHED if words[0] == "finish" else 0


@pytest.mark.usefixtures("web")
@pytest.mark.parametrize("words", COMMANDS, ids=" ".join)
def test_a_command_of_the_readme_runs(
    words: list[str],
    home: Path,
    finished: tuple[Path, str],
    server: OpenAIServer,
    capsys: pytest.CaptureFixture[str],
) -> None:
    if words[0] in READING or "replay:SESSION" in words:
        home, session = finished
    else:
        session = "" if words[0] in BEGINNING else asyncio.run(prepared(home, words))
    if words[0] == "import":
        assert run(["export", session, "--bundle", words[1], "--home", str(home)]) == 0
        home = home.parent / "elsewhere"
    line = [word.replace("SESSION", session).replace("~/peps", str(home.parent / "peps")) for word in words]
    assert run([*line, "--home", str(home)]) == code(words), capsys.readouterr().err
    if "--detach" in words:
        assert run(["attach", capsys.readouterr().out.strip(), "--home", str(home)]) == 0
    asks = any(word.startswith(("openai:", "ollama:")) for word in words)
    assert {asked.model for asked in server.asked} <= {word.partition(":")[2] for word in words}
    assert bool(server.asked) == asks
