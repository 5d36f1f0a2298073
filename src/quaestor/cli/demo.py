import os
import sysconfig
from pathlib import Path

from quaestor.app import default_home, open_home
from quaestor.cli.delivery import Delivery
from quaestor.cli.indexing import indexed
from quaestor.cli.place import Home
from quaestor.cli.speech import command, say
from quaestor.cli.watched import watched
from quaestor.tools.pydocs import write

FOLDER = "demo-docs"
QUESTION = "How does one wait for threads, processes, coroutines or futures?"


async def demo(*, delivery: Delivery = Delivery(), home: Home = None) -> int:  # noqa: B008 -- frozen
    """Research a question over Python's own documentation strings; no key, no network."""
    delivery.check()
    docs = (home or default_home(os.environ)) / FOLDER
    async with open_home(home, model="offline") as quaestor:
        write(Path(sysconfig.get_path("stdlib")), docs)
        session_id = await quaestor.start(QUESTION, await indexed(quaestor, [docs]))
        code = await watched(quaestor, session_id, delivery, home, json=False)
    say(f"  your own       {command(home, 'research', 'YOUR QUESTION', '--docs', 'FOLDER')}")
    return code
