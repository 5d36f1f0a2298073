import io

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
