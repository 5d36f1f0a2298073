"""A browser that has logged in to a server."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from faces.server.served import Served
from fakes.chromium import WIDE, Chromium, ColorScheme, Tab


@asynccontextmanager
async def logged_in(
    chromium: Chromium, served: Served, *, width: int = WIDE, scheme: ColorScheme = "light", scripts: bool = True
) -> AsyncIterator[Tab]:
    """Open a window, and follow the link that the server printed."""
    async with chromium.window(width=width, scheme=scheme, scripts=scripts) as tab:
        await tab.page.goto(f"{served.url}/login?code={served.state.login_code}")
        yield tab
