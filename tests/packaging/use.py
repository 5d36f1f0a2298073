"""Uses what was installed with each extra that is named: `python use.py EXTRA ...`. It runs where pytest is not."""

import asyncio
import sqlite3
import sys
import tempfile
from collections.abc import Awaitable, Callable, Mapping
from contextlib import closing
from datetime import UTC, datetime
from importlib import import_module
from io import BytesIO
from pathlib import Path
from urllib.request import urlopen

from fakes.market import rows
from fakes.mcp_servers import notes
from fakes.office import docx
from fakes.pdf import pdf
from quaestor.app import open_home
from quaestor.contracts.database import Database, DatabaseInput
from quaestor.contracts.mcp import ConsultInput
from quaestor.contracts.sandbox import ResourceLimits
from quaestor.runtime.system import SystemClock
from quaestor.storage.followers import open_follower
from quaestor.storage.sqlite import open_store
from quaestor.tools.reading.parse import parse

WORDS = "The lamp of Aldmouth burned colza oil until 1871, and was tended by three keepers."


async def web(_: Path) -> None:
    page = f"<html><head><title>Lamp</title></head><body><article><p>{WORDS}</p></article></body></html>".encode()
    assert WORDS in (await parse(page, "text/html", "https://example.org/lamp")).text


async def docs(_: Path) -> None:
    assert WORDS in (await parse(docx(WORDS), "", "/lamp.docx")).text
    assert "colza oil" in (await parse(pdf(["It burned colza oil."]), "", "/lamp.pdf")).text


async def tables(_: Path) -> None:
    pyarrow, parquet, file = import_module("pyarrow"), import_module("pyarrow.parquet"), BytesIO()
    parquet.write_table(pyarrow.table({"lamp": ["colza"]}), file)
    assert (await parse(file.getvalue(), "", "/lamps.parquet")).text == "lamp\ncolza\n"


async def ocr(_: Path) -> None:
    image, draw, font = (import_module(f"PIL.{name}") for name in ("Image", "ImageDraw", "ImageFont"))
    page, file = image.new("L", (1240, 400), "white"), BytesIO()
    draw.Draw(page).text((60, 100), "The lamp burned colza oil.", font=font.load_default(40), fill="black")
    page.save(file, "PDF", resolution=150)
    assert "recognised by OCR" in (text := (await parse(file.getvalue(), "", "/scan.pdf")).text)
    assert "The lamp burned colza oil." in text


async def ddgs(_: Path) -> None:
    import_module("quaestor.tools.engines.keyless_web")
    assert import_module("ddgs").DDGS


async def mcp(folder: Path) -> None:
    tools, store = import_module("quaestor.tools.mcp"), open_store(":memory:")
    servers = tools.McpServers({"notes": notes(folder / "notes.txt")}, {}, 30)
    consult = tools.ConsultServer(servers, store.library, SystemClock())
    [hit] = (await consult.run(ConsultInput(tool="notes.lookup", arguments={"word": "lamp"}))).hits
    assert "made by Chance Brothers in 1829" in hit.passage.text
    await servers.close()
    await store.close()


async def server(folder: Path) -> None:
    serving, state = import_module("quaestor.faces.server.serving"), import_module("quaestor.faces.server.state")
    options = state.ServerOptions(port=0)
    async with open_home(folder / "home") as quaestor, serving.running_server(quaestor, options) as served:
        answered = await asyncio.to_thread(urlopen, f"http://127.0.0.1:{served.port}/readyz")
        assert answered.status == 200


async def sandbox(_: Path) -> None:
    ran = await import_module("quaestor.tools.sandbox").SnippetRunner().run("sum([1, 2])", ResourceLimits(seconds=10))
    assert (ran.value, ran.error) == ("3", None)


async def database(folder: Path) -> None:
    where = folder / "lamps.db"
    with closing(sqlite3.connect(where)) as made:
        made.execute("CREATE TABLE lamps (oil TEXT)")
    tools = import_module("quaestor.tools.database")
    search = tools.SearchDatabase({"lamps": Database(url=f"sqlite:///{where}")}, None, {}, 60)
    assert "lamps" in (await search.run(DatabaseInput(query=""))).text


async def postgres(_: Path) -> None:
    assert import_module("psycopg").pq.__impl__ == "binary"


async def market(folder: Path) -> None:
    arrow, parquet = import_module("pyarrow"), import_module("pyarrow.parquet")
    indicators, files = (
        import_module(f"quaestor.trading.market.{name}") for name in ("talib_indicators", "candle_files")
    )
    names = ("timestamp", "open", "high", "low", "close", "volume")
    columns = dict(zip(names, zip(*rows(200), strict=True), strict=True))
    columns["timestamp"] = tuple(datetime.fromtimestamp(opened / 1000, UTC) for opened in columns["timestamp"])
    parquet.write_table(arrow.table({name: list(values) for name, values in columns.items()}), folder / "btc.parquet")
    series, _ = files.load_candles(folder / "btc.parquet", "BTC/USDT")
    defaults = import_module("quaestor.trading.contracts.indicators").DEFAULT_PARAMETERS
    for name, parameters in defaults.items():
        assert indicators.compute_indicator(name, parameters, series), name


async def exchange(_: Path) -> None:
    made = import_module("ccxt.async_support").binance()
    await made.close()


async def mongo(_: Path) -> None:
    follower = open_follower("mongodb://127.0.0.1:1/lamps")
    await follower.close()


async def otel(_: Path) -> None:
    follower = open_follower("otlp+http://127.0.0.1:1")
    await follower.close()


async def export(_: Path) -> None:
    typesetting, made = import_module("quaestor.tools.typesetting"), import_module("views.exports.material").material()
    assert len(typesetting.write_docx(made)["report.docx"]) > 1_000
    assert typesetting.write_pdf(made)["report.pdf"].startswith(b"%PDF")


async def meaning(_: Path) -> None:
    vectors = import_module("quaestor.tools.static_vectors").open_static_vectors()
    kid, child, bell = (vectors.vector(word) for word in ("kids", "children", "bell"))
    near, far = (sum(a * b for a, b in zip(kid, other, strict=True)) for other in (child, bell))
    assert near > far


async def llm(_: Path) -> None:
    fakes = import_module("fakes.native")
    for kind in fakes.MODELS:
        async with fakes.natively(kind) as native:
            assert (await native.ask()).text == import_module("fakes.chat").CLEAR, kind


USES: Mapping[str, Callable[[Path], Awaitable[None]]] = {
    use.__name__: use
    for use in (
        web,
        docs,
        tables,
        ocr,
        ddgs,
        mcp,
        sandbox,
        database,
        postgres,
        market,
        exchange,
        mongo,
        otel,
        export,
        meaning,
        server,
        llm,
    )
}


async def main() -> None:
    for name in sys.argv[1:]:
        with tempfile.TemporaryDirectory() as folder:
            await USES[name](Path(folder))
        sys.stdout.write(f"{name} works\n")


if __name__ == "__main__":
    asyncio.run(main())
