"""What the doctor tries: files are read, models and search engines asked, servers of tools connected to."""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from importlib.util import find_spec
from typing import TYPE_CHECKING, Literal

from quaestor.app.doctor.model_probe import probe_model
from quaestor.app.doctor.sample_files import SENTENCE, docx_file, html_page, pdf_file
from quaestor.contracts.base import Contract
from quaestor.contracts.errors import MissingExtra, QuaestorError
from quaestor.contracts.installation import install_command
from quaestor.contracts.lazy import LazyImport
from quaestor.contracts.ports import SearchEngine
from quaestor.contracts.settings import Settings
from quaestor.contracts.web import WebSearchInput
from quaestor.tools.engines import load_engines
from quaestor.tools.reading.parse import parse

if TYPE_CHECKING:
    from quaestor.tools.mcp.servers import McpServers

_MCP_SERVERS: "LazyImport[Callable[..., McpServers]]" = LazyImport("quaestor.tools.mcp.servers:McpServers")
_QUERY = "lighthouse"
_SERVER_SECONDS = 15.0
_SAMPLES: Mapping[str, tuple[Callable[[], bytes], str, str]] = {
    "page": (html_page, "text/html", "web"),
    "PDF": (pdf_file, "application/pdf", "docs"),
    "Word file": (docx_file, "application/vnd.openxmlformats-officedocument.wordprocessingml.document", "docs"),
}
"""Files that are made on the spot: their bytes, their media type, and the extra that reads them."""


class Check(Contract):
    """What one check found; `absent` is neither good nor bad."""

    state: Literal["ok", "fault", "absent"]
    subject: str
    text: str


def ok(subject: str, text: str) -> Check:
    """Return what is as it should be."""
    return Check(state="ok", subject=subject, text=text)


def fault(subject: str, text: str) -> Check:
    """Return what has to be mended."""
    return Check(state="fault", subject=subject, text=text)


def absent(subject: str, text: str) -> Check:
    """Return what is not there, and need not be."""
    return Check(state="absent", subject=subject, text=text)


async def try_reading() -> Sequence[Check]:
    """Read a page, a PDF and a Word file, each in the process that reads documents."""
    return [await _read(name) for name in _SAMPLES]


async def _read(name: str) -> Check:
    make, media_type, extra = _SAMPLES[name]
    subject = f"read a {name}"
    try:
        document = await parse(make(), media_type, f"sample.{name.lower()[:4]}")
    except MissingExtra as missing:
        return absent(subject, str(missing))
    except QuaestorError as error:
        return fault(subject, f"{error}; install it again: {install_command(extra)}")
    if SENTENCE not in " ".join(document.text.split()):
        return fault(subject, f"its words were not found in it; install it again: {install_command(extra)}")
    return ok(subject, "its words were read")


async def try_model(name: str, settings: Settings) -> Check:
    """Ask a model for one contract and one tool call."""
    try:
        tried = await probe_model(name, settings)
    except QuaestorError as error:
        return fault("model", f"{name}: {error}")
    failed = "; ".join(f"{attempt.kind}: {attempt.reason}" for attempt in tried.attempts if not attempt.ok)
    if not tried.ok:
        return fault("model", f"{name}: {failed}; `quaestor setup` chooses another")
    return ok("model", f"{name} answered in {tried.seconds:.1f} s{f' ({failed})' if failed else ''}")


async def try_engines(settings: Settings, environment: Mapping[str, str]) -> Sequence[Check]:
    """Ask each search engine of the settings for one page."""
    if settings.web is None:
        return [absent("search", "no engine is in your settings; `web = []` asks those that are set up")]
    try:
        engines = load_engines(settings.web, environment)
    except QuaestorError as error:
        return [fault("search", str(error))]
    return await asyncio.gather(*map(_try_engine, engines))


async def _try_engine(engine: SearchEngine) -> Check:
    subject = f"search {engine.name}"
    try:
        async with asyncio.timeout(_SERVER_SECONDS):
            found = await engine.search(WebSearchInput(query=_QUERY, limit=1))
    except QuaestorError as error:
        return fault(subject, str(error))
    except TimeoutError:
        return fault(subject, f"no answer within {_SERVER_SECONDS:g} s; see to the network")
    finally:
        await engine.close()
    return ok(subject, f"found {found.hits[0].title or found.hits[0].url}" if found.hits else "answered")


async def try_servers(settings: Settings, environment: Mapping[str, str]) -> Sequence[Check]:
    """Connect to each server of tools in the settings, and list its tools."""
    if not settings.mcp:
        return ()
    if find_spec("mcp") is None:
        return [fault("server", f"servers of tools need the extra mcp: {install_command('mcp')}")]
    servers = _MCP_SERVERS.load()(settings.mcp, environment, _SERVER_SECONDS)
    try:
        return [await _try_server(servers, name) for name in settings.mcp]
    finally:
        await servers.close()


async def _try_server(servers: "McpServers", name: str) -> Check:
    try:
        survey = await servers.survey(name)
    except QuaestorError as error:
        return fault(f"server {name}", f"{error}; see to [mcp.{name}] in your settings")
    tools = ", ".join(offer.tool.removeprefix(f"{name}.") for offer in survey.offers) or "no tool that may be used"
    return ok(f"server {name}", "; ".join((tools, *survey.failures)))
