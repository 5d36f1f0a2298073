"""The full-text index of one corpus: a table of its own, so that BM25 counts its passages and no others.

The table keeps terms and lengths, no text (`content=''`); its rowids are the ids of passages. A term is whatever
is between two blanks, with ASCII letters in lower case.
"""

import json
import string
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date

from quaestor.storage.sqlite.connection import Database, ResultRow

_MAX_TERMS = 60
_MAX_CACHED_FREQUENCIES = 1 << 16
"""How many frequencies are kept in memory: that of a common term costs a walk over its postings."""
_MAX_POSTINGS = 5_000
"""How many postings a query may lead to; beyond it the most common terms, which distinguish least, are dropped.

Every match is scored, at about 0.6 microseconds each.
"""

_MAX_POSTINGS_FILTERED = 2_500
"""The same for a search among few passages: the terms only rank these, and a walk over postings is what it costs."""

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
_PASSAGES = "SELECT count(*) FROM passages WHERE corpus = ?"
_SEARCH = """
WITH
  matched AS MATERIALIZED (SELECT rowid AS id, bm25($table) AS score FROM $table WHERE $table MATCH ?1$early),
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


_DATE_FILTER = """
  AND coalesce((
    SELECT min(published) FROM passages JOIN documents USING (corpus, source) WHERE passages.id = $table.rowid
  ), '') <= ?3
"""
"""What has no date counts as early enough."""


class TermIndex:
    """The index of the corpus with this number. Whoever changes it holds the transaction."""

    def __init__(self, database: Database, corpus: int) -> None:
        self._database = database
        self._table = f"corpus_{corpus}_terms"
        self._generation = -1
        self._corpus = corpus
        self._known: dict[str, int] = {}
        self._passages: int | None = None

    def create(self) -> None:
        """Make the tables of a new corpus."""
        self._database.run(self._named(_CREATE))
        self._database.run(self._named(_SET_WRITE_BUFFER), (_WRITE_BUFFER_BYTES,))

    def drop(self) -> None:
        """Take the tables away."""
        self._database.run(self._named(_DROP))

    def optimize(self) -> None:
        """Merge the index where passages were taken out: until then their terms stay in it, unreachable."""
        if self._database.rows(self._named(_TOMBSTONES)):
            self._database.run(self._named(_OPTIMIZE))

    def add(self, rows: Iterable[tuple[int, str]]) -> None:
        """Add passages, each an id and its terms joined by blanks."""
        self._database.execute_many(self._named(_INSERT), rows)

    def remove(self, ids: Iterable[int]) -> None:
        """Take passages out."""
        self._database.execute_many(self._named(_DELETE), ((own,) for own in ids))

    def frequencies(self, terms: Iterable[str], generation: int) -> Mapping[str, int]:
        """Count the passages that hold each term, in the case that the index holds it in; 0 for what none holds.

        `generation` numbers the states of the corpus: what was counted in another one is forgotten.
        """
        self._at(generation)
        normalized = _normalize_terms(terms)
        unknown = [term for term in normalized if term not in self._known]
        if unknown:
            counted: dict[str, int] = dict(self._database.rows(self._named(_FREQUENCIES), (json.dumps(unknown),)))
            self._known.update((term, counted.get(term, 0)) for term in unknown)
        return {term: self._known[term] for term in normalized}

    def passages(self, generation: int) -> int:
        """Count the passages of the corpus."""
        self._at(generation)
        if self._passages is None:
            [[self._passages]] = self._database.rows(_PASSAGES, (self._corpus,))
        return int(self._passages or 0)

    def search(
        self,
        terms: Sequence[str],
        limit: int,
        generation: int,
        among: Sequence[str] = (),
        before: date | None = None,
    ) -> list[ResultRow]:
        """Return the best passages for any of the terms, best first: source, start, end, heading, uri, title, score.

        With `among` a passage must hold one of these terms too, which then count like the others; with `before` its
        source must not be dated later. BM25 with k1 = 1.2
        and b = 0.75; equal scores are in order of uri and start. The result is the same for the same corpus and sets
        of terms.
        """
        asked = _match_any(
            self._most_selective_terms(
                _limit_terms(terms), generation, _MAX_POSTINGS_FILTERED if among else _MAX_POSTINGS
            )
        )
        if among:
            held = _match_any(self._most_selective_terms(_limit_terms(among), generation, _MAX_POSTINGS))
            asked = f"({held}) AND ({held} OR {asked})" if held and asked else held
        if not asked:
            return []
        if before is None:
            return self._database.rows(self._named(_SEARCH.replace("$early", "")), (asked, limit))
        sql = self._named(_SEARCH.replace("$early", _DATE_FILTER))
        return self._database.rows(sql, (asked, limit, before.isoformat()))

    def _at(self, generation: int) -> None:
        """Forget what was counted in another state of the corpus, and everything when it becomes too much."""
        if generation != self._generation:
            self._passages = None
        if generation != self._generation or len(self._known) > _MAX_CACHED_FREQUENCIES:
            self._known.clear()
            self._generation = generation

    def _most_selective_terms(self, terms: Sequence[str], generation: int, most: int) -> Iterator[str]:
        """Return the terms that occur, from the rarest on, as far as the reach goes and at least one."""
        counts = self.frequencies(terms, generation)
        found = sorted((count, term) for term, count in counts.items() if count)
        reach = 0
        for place, (count, term) in enumerate(found):
            reach += count
            if place and reach > most:
                return
            yield term

    def _named(self, sql: str) -> str:
        return sql.replace("$table", self._table)


def _match_any(terms: Iterable[str]) -> str:
    """Return the expression that matches any of the terms."""
    return " OR ".join('"' + term.replace('"', '""') + '"' for term in terms)


def _limit_terms(terms: Iterable[str]) -> list[str]:
    return _normalize_terms(terms)[:_MAX_TERMS]


def _normalize_terms(terms: Iterable[str]) -> list[str]:
    """Return the distinct terms in the case that the index holds them in."""
    return list(dict.fromkeys(term.encode().lower().decode() for term in terms))
