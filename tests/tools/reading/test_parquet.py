import io
import subprocess
import sys
from pathlib import Path

import pyarrow as pa  # type: ignore[import-untyped]  # it ships no types
import pyarrow.parquet as pq  # type: ignore[import-untyped]
import pytest

from fakes.office import docx
from fakes.pdf import pdf
from quaestor.contracts.errors import ToolFailed
from quaestor.evidence.tables import find_tables
from quaestor.tools.reading.parse import parse, parse_sync, shared_pool
from quaestor.tools.reading.protocol import ParsedDocument


async def test_rows_are_read_in_the_isolated_reader_and_found_as_a_table() -> None:
    file = io.BytesIO()
    pq.write_table(pa.table({"port": ["Quell", None], "depth, m": [14, 7], "berths": [[1, 2], []]}), file)

    read = await parse(file.getvalue(), "", "/d/ports.parquet")

    assert read.text == 'port,"depth, m",berths\nQuell,14,"[1, 2]"\n,7,[]\n'
    [table] = find_tables(read.text, ".parquet")
    assert [row.cells for row in table.rows] == [("Quell", "14", "[1, 2]"), ("", "7", "[]")]


def written(table: pa.Table) -> bytes:
    file = io.BytesIO()
    pq.write_table(table, file)
    return file.getvalue()


@pytest.mark.parametrize(
    ("kind", "number", "shown"),
    [
        (pa.timestamp("ns"), 1, "1970-01-01 00:00:00.000000001"),
        (pa.timestamp("us", tz="Mars/Olympus"), 1, "1970-01-01 00:00:00.000001"),
        (pa.timestamp("us"), 2**60, f"<value out of range: {2**60}>"),
    ],
    ids=["nanoseconds", "an unknown zone", "outside the calendar"],
)
async def test_times_that_python_does_not_have_are_read(kind: pa.DataType, number: int, shown: str) -> None:
    read = await parse(written(pa.table({"at": pa.array([number], pa.int64()).view(kind)})), "", "/d/times.parquet")
    assert read.text == f"at\n{shown}\n"


async def test_the_name_of_a_column_is_one_line() -> None:
    assert (await parse(written(pa.table({"depth\nin m": [1]})), "", "/d/a.parquet")).text == "depth in m\n1\n"


@pytest.mark.parametrize(
    ("value", "times", "reason"),
    [
        (b"\xff", 1, "damaged"),
        (b"x" * 60_000_000, 1, "takes more than 512 MB of memory"),
        (b"x" * 1_000, 300_000, "more than 20 MB of text"),
    ],
    ids=["text that is none", "one huge value", "a value many times"],
)
async def test_a_file_that_would_fill_the_memory_or_is_no_text_is_refused(
    value: bytes, times: int, reason: str
) -> None:
    content = written(pa.table({"a": pa.array([value] * times, pa.binary()).view(pa.string())}))
    assert len(content) < 3_000_000
    with pytest.raises(ToolFailed, match=reason):
        await parse(content, "", "/d/a.parquet")


def test_what_arrow_has_no_memory_for_is_not_taken_for_damaged(tmp_path: Path) -> None:
    file = tmp_path / "a.parquet"
    file.write_bytes(written(pa.table({"a": ["x" * 60_000_000]})))
    code = (
        "import resource, sys\n"
        "from pathlib import Path\n"
        "from quaestor.tools.reading.parquet import parse_parquet\n"
        "content = Path(sys.argv[1]).read_bytes()\n"
        "taken = int(Path('/proc/self/statm').read_text().split()[0]) * resource.getpagesize()\n"
        "resource.setrlimit(resource.RLIMIT_AS, (taken + 40 * 2**20,) * 2)\n"
        "try: print(parse_parquet(content))\n"
        "except MemoryError as error: print(type(error).__name__)\n"
    )
    ran = subprocess.run([sys.executable, "-c", code, str(file)], capture_output=True, text=True, check=True)
    assert ran.stdout == "ArrowMemoryError\n"


async def test_a_damaged_file_is_refused() -> None:
    with pytest.raises(ToolFailed, match="damaged"):
        await parse(b"PAR1 nothing PAR1", "", "/d/ports.parquet")


def test_what_it_loads_leaves_no_document_of_another_kind_unread() -> None:
    file = io.BytesIO()
    pq.write_table(pa.table({"port": ["Ek"]}), file)
    page = (
        b"<html><body><article><p>" + b"The bell was cast in 1844, and it was struck by hand. " * 3 + b"</p></article>"
    )
    contents = (file.getvalue(), page, pdf(["Some words."]), docx("The bell was cast."))
    shared_pool().close()
    assert all(isinstance(parse_sync(content, "", "/d/a"), ParsedDocument) for content in contents)
