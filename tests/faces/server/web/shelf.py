"""A home with finished sessions of every kind, and a browser that has logged in to the server over it."""

from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest
from pydantic import JsonValue

from faces.server.served import COLLECTION, OPTIONS, AsyncServed, Served
from fakes.chromium import NARROW, WIDE, Chromium, ColorScheme, Tab
from fakes.pdf import pdf
from fakes.sandboxes import ObedientSandbox
from fakes.sequels import told
from fakes.sittings import LIGHTHOUSE
from fakes.workshops import opened, playbook
from quaestor.app.network.access import log_in
from quaestor.faces.server.authentication import COOKIE

PAPER = pdf(
    ["Records of the harbour", "The Aldmouth lighthouse was built in 1831 by the", "harbour board of the town."],
    ["Another page."],
)
_AT_DESK, _ON_PHONE = (WIDE, "light"), (NARROW, "dark")
AT_DESK = pytest.mark.parametrize("size", [_AT_DESK, pytest.param(_ON_PHONE, marks=pytest.mark.soak)])
ON_PHONE = pytest.mark.parametrize("size", [pytest.param(_AT_DESK, marks=pytest.mark.soak), _ON_PHONE])
"""Width and colours of the window in which a page is shown, and in soak the other ones."""
HOSTILE = (
    "The <b>Aldmouth</b> lighthouse was built in 1831 <script>document.title='harm'</script>"
    "<img src=x onerror=alert(1)> by\u200b \u202edrazah\u202c \x1b[2J [link](javascript:alert(1)) =1+1."
)
HOSTILE_NAME = "a<script>alert(1)<script> javascript:alert(2)&amp;.txt"
STEPS: Sequence[Mapping[str, object]] = (
    {"goal": "The harbour is described.", "plan": {"Collect": ["Write the draft"], "Publish": ["Write the note"]}},
    {"say": "I write a draft.", "write_file": {"path": "notes/harbour.md", "content": "The light was lit in 1831."}},
    {"say": "I read what <b>nobody</b> wrote.", "read_file": "missing.md"},
    {"say": "I write the note.", "write_file": {"path": "final.md", "content": "Lit in 1831.\n"}},
    {"say": "It is in final.md.", "phases": {"Phase 1": "complete"}, "done": "The note is written."},
)


@dataclass(frozen=True)
class Shelf:
    """A server over a home, and the ids of its sessions."""

    served: Served
    report: str
    pdf: str
    task: str
    hostile: str


@asynccontextmanager
async def served_shelf(folder: Path) -> AsyncIterator[Shelf]:
    """Fill a home with sessions, and serve it until the end of the block."""
    sitting = await told(folder)
    task = await _task(sitting.folder, folder)
    async with AsyncExitStack() as stack:
        settings: dict[str, JsonValue] = {"effort": "low", "grace_seconds": 0.05}
        served = await AsyncServed(sitting.folder, stack, settings, OPTIONS).begin()
        hostile = await _researched(
            served, {HOSTILE_NAME: HOSTILE.encode()}, f"{LIGHTHOUSE} <script>alert(1)</script> \u202e"
        )
        client = await served.client()
        assert (await client.delete(f"/api/v1/files/{COLLECTION}")).status_code == 204
        paper = await _researched(served, {"paper.pdf": PAPER})
        yield Shelf(served, report=sitting.session_id, pdf=paper, task=task, hostile=hostile)


async def _task(home: Path, folder: Path) -> str:
    async with opened(home, ObedientSandbox(), model=playbook(folder, *STEPS)) as q:
        session_id = await q.start_task("Describe the harbour.")
        assert (await q.run(session_id)).outcome == "done"
        return session_id


async def _researched(served: Served, papers: Mapping[str, bytes], question: str = LIGHTHOUSE) -> str:
    client = await served.client()
    answer = await client.post(
        "/api/v1/files", files=[("files", each) for each in papers.items()], data={"collection": COLLECTION}
    )
    assert answer.json()["documents"] == len(papers), answer.text
    session_id = await served.start(question, questions=False)
    assert (await served.events(session_id))[-1].event == "finished"
    return session_id


@asynccontextmanager
async def browsing(
    chromium: Chromium, served: Served, *, width: int = WIDE, scheme: ColorScheme = "light", scripts: bool = True
) -> AsyncIterator[Tab]:
    """Open a window with a login of its own."""
    secret = (await log_in(served.quaestor)).secret
    async with chromium.window(width=width, scheme=scheme, scripts=scripts) as tab:
        await tab.page.context.add_cookies([{"name": COOKIE, "value": secret, "url": served.url}])
        yield tab


async def show(tab: Tab, served: Served, path: str) -> None:
    """Show a page, out of which nothing sticks."""
    await tab.page.goto(served.url + path)
    await tab.assert_width()
