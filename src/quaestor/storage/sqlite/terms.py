"""The full-text index of one corpus as an FTS5 table of its own.

The table keeps terms and lengths, no text (`content=''`); its rowids are the ids of passages.
"""

import json
import string
from collections.abc import Iterable, Iterator, Mapping, Sequence

from typing_extensions import override

from quaestor.contracts.source import DateRange
from quaestor.storage.sql.database import Database, ResultRow
from quaestor.storage.sql.terms import TermIndex

_WRITE_BUFFER_BYTES = 16 << 20
"""Bytes of postings that a transaction gathers before it writes them: FTS5's own 1 MB is written and merged often."""

_TOKEN_CHARACTERS = string.punctuation.replace("'", "''").replace('"', '""')

_CREATE = f"""
CREATE VIRTUAL TABLE $table USING fts5(
  terms, content='', contentless_delete=1, tokenize="ascii tokenchars '{_TOKEN_CHARACTERS}'"
);
CREATE VIRTUAL TABLE $table_vocabulary USING fts5vocab($table, row);
"""
_DROP = "DROP TABLE IF EXISTS $table_vocabulary; DROP TABLE IF EXISTS $table;"
_TOMBSTONES = "SELECT 1 FROM $table_data WHERE id >= 1 << 53 LIMIT 1"
"""The pages of FTS5 that name deleted rows have ids from 2 to the power of 53 on."""
_OPTIMIZE = "INSERT INTO $table ($table) VALUES ('optimize')"
_SET_WRITE_BUFFER = "INSERT INTO $table ($table, rank) VALUES ('hashsize', ?)"
_INSERT = "INSERT INTO $table (rowid, terms) VALUES (?, ?)"
_DELETE = "DELETE FROM $table WHERE rowid = ?"
_FREQUENCIES = "SELECT term, doc FROM $table_vocabulary WHERE term IN (SELECT value FROM json_each(?))"
_VOCABULARY = """
SELECT term, doc FROM $table_vocabulary
WHERE term >= ?1 AND term < ?1 || char(0x10ffff) AND length(term) BETWEEN ?2 AND ?3
"""
_INSTANCES = "CREATE VIRTUAL TABLE temp.$table_instances USING fts5vocab(main, $table, instance)"
_GATHER = """
CREATE TEMP TABLE $table_contents AS
SELECT doc, group_concat(term, ' ') AS terms
FROM (SELECT doc, term FROM temp.$table_instances ORDER BY doc, "offset") GROUP BY doc
"""
_CONTENTS = "SELECT doc, terms FROM temp.$table_contents WHERE doc > ? ORDER BY doc LIMIT ?"
_DROP_CONTENTS = "DROP TABLE IF EXISTS temp.$table_contents; DROP TABLE IF EXISTS temp.$table_instances"
_PAGE_SIZE = 1_000
_PASSAGES = "SELECT count(*) FROM passages WHERE corpus = ?"
_SEARCH = """
WITH
  matched AS MATERIALIZED (SELECT rowid AS id, bm25($table) AS score FROM $table WHERE $table MATCH ?1$among$dated),
  worst AS (SELECT score FROM matched ORDER BY score LIMIT 1 OFFSET ?2 - 1),
  best AS (SELECT id, score FROM matched WHERE score <= coalesce((SELECT score FROM worst), 0))
SELECT passages.source, start, "end", heading, documents.uri, documents.title, -score
FROM best
JOIN passages USING (id)
JOIN documents ON documents.corpus = passages.corpus AND documents.uri = (
  SELECT min(uri) FROM documents INDEXED BY documents_by_source
  WHERE corpus = passages.corpus AND source = passages.source
)
ORDER BY score, documents.uri, start, "end" LIMIT ?2
"""


_AMONG = """
  AND +rowid IN (SELECT rowid FROM $table WHERE $table MATCH ?3)
"""
"""The plus keeps FTS5 from matching the whole query anew for every row that the filter finds."""
_DATE_FILTER = """
  AND coalesce((
    SELECT min(published) FROM passages JOIN documents USING (corpus, source) WHERE passages.id = $table.rowid
  ), ?4) BETWEEN ?4 AND ?5
"""
"""What has no date is within every range."""


class Fts5TermIndex(TermIndex):
    """The index of the corpus with this number."""

    def __init__(self, database: Database, corpus: int) -> None:
        super().__init__()
        self._database = database
        self._table = f"corpus_{corpus}_terms"
        self._corpus = corpus

    @override
    def create(self) -> None:
        self._database.run(self._named(_CREATE))
        self._database.run(self._named(_SET_WRITE_BUFFER), (_WRITE_BUFFER_BYTES,))

    @override
    def drop(self) -> None:
        self._database.run(self._named(_DROP))

    def optimize(self) -> None:
        """Merge the index where passages were taken out: until then their terms stay in it, unreachable."""
        if self._database.rows(self._named(_TOMBSTONES)):
            self._database.run(self._named(_OPTIMIZE))

    @override
    def add(self, rows: Iterable[tuple[int, str]]) -> None:
        self._database.execute_many(self._named(_INSERT), rows)

    @override
    def remove(self, ids: Iterable[int]) -> None:
        self._database.execute_many(self._named(_DELETE), ((own,) for own in ids))

    @override
    def contents(self) -> Iterator[tuple[int, str]]:
        for sql in (_DROP_CONTENTS, _INSTANCES, _GATHER):
            self._database.run(self._named(sql))
        last = 0
        while page := self._database.rows(self._named(_CONTENTS), (last, _PAGE_SIZE)):
            yield from page
            last = page[-1][0]
        self._database.run(self._named(_DROP_CONTENTS))

    @override
    def vocabulary(self, start: str, lengths: tuple[int, int]) -> Mapping[str, int]:
        return dict(self._database.rows(self._named(_VOCABULARY), (start, *lengths)))

    @override
    def _count(self, terms: Sequence[str]) -> Mapping[str, int]:
        return dict(self._database.rows(self._named(_FREQUENCIES), (json.dumps(terms),)))

    @override
    def _count_passages(self) -> int:
        [[counted]] = self._database.rows(_PASSAGES, (self._corpus,))
        return int(counted)

    @override
    def _find(
        self,
        asked: Sequence[str],
        held: Sequence[str],
        limit: int,
        generation: int,
        dates: DateRange,
        *,
        only_filters: bool,
    ) -> list[ResultRow]:
        expression, among = _match_any(asked), _match_any(held)
        filters = only_filters and bool(held)
        if held and not filters:
            expression = f"({among}) AND ({among} OR {expression})" if expression else among
        sql = _SEARCH.replace("$among", _AMONG if filters else "")
        values = (expression, limit, among)
        if dates.is_open:
            return self._database.rows(self._named(sql.replace("$dated", "")), values if filters else values[:2])
        return self._database.rows(self._named(sql.replace("$dated", _DATE_FILTER)), (*values, *dates.bounds))

    def _named(self, sql: str) -> str:
        return sql.replace("$table", self._table)


def _match_any(terms: Iterable[str]) -> str:
    """Return the expression that matches any of the terms."""
    return " OR ".join('"' + term.replace('"', '""') + '"' for term in terms)
