"""The official JavaScript SDK drives the server as a black box."""

import asyncio
import os
import shutil
import subprocess
from pathlib import Path

import pytest

from faces.server.served import COLLECTION, Served
from fakes.needed import lacking

pytestmark = pytest.mark.asyncio(loop_scope="session")

SDK = Path(__file__).parents[4] / ".venv/openai-js-7.57.0/node_modules/openai/index.mjs"
JOURNEY = Path(__file__).parent / "journey.mjs"


async def test_every_feature_works_by_the_javascript_sdk(served: Served) -> None:
    node = shutil.which("node")
    if node is None or not SDK.exists():
        lacking("Node", "the JavaScript SDK is not here; `make openai-js` installs it, with Node 20 or newer")
    environment = {
        "PATH": os.environ["PATH"],
        "OPENAI_SDK": SDK.as_uri(),
        "BASE_URL": f"{served.url}/v1",
        "TOKEN": await served.secret("run"),
        "OTHER_TOKEN": await served.secret("run", "acme"),
        "COLLECTION": COLLECTION,
    }
    process = await asyncio.create_subprocess_exec(
        node, str(JOURNEY), env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
    )
    output, _ = await process.communicate()
    assert process.returncode == 0, output.decode()
