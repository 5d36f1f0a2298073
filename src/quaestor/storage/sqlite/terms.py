"""The full-text index of one corpus: a table of its own, so that BM25 counts its passages and no others.

The table keeps terms and lengths, no text (`content=''`); its rowids are the ids of passages. A term is whatever
stands between two blanks, less its case in ASCII.
"""

import string
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache

from quaestor.storage.sqlite.connection import Columns, Database

_MOST_TERMS = 60
_REACH = 10_000
"""How many postings a query may lead to; beyond it the commonest terms, which tell the least, give way.

Every match is scored, at about 0.6 microseconds each.
"""

_TOKEN_CHARACTERS = string.punctuation.replace("'", "''").replace('"', '""')

_CREATE = f"""
CREATE VIRTUAL TABLE $table USING fts5(
  terms, content='', contentless_delete=1, tokenize="ascii tokenchars '{_TOKEN_CHARACTERS}'"
);
CREATE VIRTUAL TABLE $table_vocabulary USING fts5vocab($table, row);
"""
_ADD = "INSERT INTO $table (rowid, terms) VALUES (?, ?)"
_REMOVE = "DELETE FROM $table WHERE rowid = ?"
_FREQUENCY = "SELECT doc FROM $table_vocabulary WHERE term = ?"
_SEARCH = """
WITH
  matched AS MATERIALIZED (SELECT rowid AS id, bm25($table) AS score FROM $table WHERE $table MATCH ?1),
  worst AS (SELECT score FROM matched ORDER BY score LIMIT 1 OFFSET ?2 - 1),
  best AS (SELECT id, score FROM matched WHERE score <= coalesce((SELECT score FROM worst), 0))
SELECT passages.source, start, "end", heading, documents.uri, documents.title, -score
FROM best
JOIN passages USING (id)
JOIN documents ON documents.corpus = passages.corpus AND documents.uri = (
  SELECT min(uri) FROM documents WHERE corpus = passages.corpus AND source = passages.source
)
ORDER BY score, documents.uri, start, "end" LIMIT ?2
"""


class TermIndex:
    """The index of the corpus with this number. Whoever changes it holds the transaction."""

    def __init__(self, database: Database, corpus: int) -> None:
        self._database = database
        self._table = f"corpus_{corpus}_terms"
        self._generation = -1
        self._frequency = lru_cache(maxsize=4096)(self._count)

    def create(self) -> None:
        """Make the tables of a new corpus."""
        self._database.run(self._named(_CREATE))

    def add(self, rows: Iterable[tuple[int, str]]) -> None:
        """Add passages, each an id and its terms joined by blanks."""
        self._database.run_each(self._named(_ADD), rows)

    def remove(self, ids: Iterable[int]) -> None:
        """Take passages out."""
        self._database.run_each(self._named(_REMOVE), ((own,) for own in ids))

    def search(self, terms: Sequence[str], limit: int, generation: int) -> list[Columns]:
        """Give the best passages for any of the terms, best first: source, start, end, heading, uri, title, score.

        BM25 with k1 = 1.2 and b = 0.75; equal scores are in order of uri and start. The result is the same for the
        same corpus and set of terms; `generation` numbers the states of the corpus.
        """
        if generation != self._generation:
            self._frequency.cache_clear()
            self._generation = generation
        asked = " OR ".join('"' + term.replace('"', '""') + '"' for term in self._telling(_folded(terms)))
        return self._database.rows(self._named(_SEARCH), (asked, limit)) if asked else []

    def _telling(self, terms: Iterable[str]) -> Iterator[str]:
        """Give the terms that occur, from the rarest on, as far as the reach goes and at least one."""
        found = sorted((count, term) for term in terms if (count := self._frequency(term)))
        reach = 0
        for place, (count, term) in enumerate(found):
            reach += count
            if place and reach > _REACH:
                return
            yield term

    def _count(self, term: str) -> int:
        row = self._database.row(self._named(_FREQUENCY), (term,))
        return int(row[0]) if row else 0

    def _named(self, sql: str) -> str:
        return sql.replace("$table", self._table)


def _folded(terms: Sequence[str]) -> list[str]:
    """Give the first distinct terms in the case that the index holds them in."""
    distinct = dict.fromkeys(term.encode().lower().decode() for term in terms)
    return list(distinct)[:_MOST_TERMS]
