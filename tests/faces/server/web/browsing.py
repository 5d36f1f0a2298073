"""Browsers that have logged in to a server: a real one, and one that only sends what it is told."""

import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import httpx2

from faces.server.served import Served
from fakes.chromium import WIDE, Chromium, ColorScheme, Tab

HTML = {"Accept": "text/html,application/xhtml+xml"}


async def signed_in(served: Served) -> httpx2.AsyncClient:
    """Return a client that sends what a browser without scripts would, logged in."""
    client = served.anonymous(HTML)
    answer = await client.get("/login", params={"code": served.state.login_code or ""})
    assert answer.status_code == 303, answer.text
    return client


async def csrf_of(client: httpx2.AsyncClient) -> str:
    """Return what the forms of a login prove themselves with."""
    [csrf] = set(re.findall(r'name="csrf" value="(\w+)"', (await client.get("/")).text))
    return str(csrf)


@asynccontextmanager
async def logged_in(
    chromium: Chromium, served: Served, *, width: int = WIDE, scheme: ColorScheme = "light", scripts: bool = True
) -> AsyncIterator[Tab]:
    """Open a window, and follow the link that the server printed."""
    async with chromium.window(width=width, scheme=scheme, scripts=scripts) as tab:
        await tab.page.goto(f"{served.url}/login?code={served.state.login_code}")
        yield tab
