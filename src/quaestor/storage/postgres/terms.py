"""The full-text index of one corpus in tables of its own making, so that BM25 ranks as FTS5 does, to the last bit.

`passage_terms` holds the terms of each passage; `postings` holds for each term, and each batch of passages that was
added, arrays of the passages with that term, how often each holds it, and how many terms each has.
"""

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from math import log

from typing_extensions import override

from quaestor.contracts.source import DateRange
from quaestor.storage.sql.database import Database, ResultRow
from quaestor.storage.sql.terms import TermIndex

_TERM = re.compile(r"[^\x00-\x20\x7f]+")
"""What FTS5 takes for a term where every punctuation belongs to one."""
_COMMON_TERM_WEIGHT = 1e-6
"""What FTS5 gives a term that more than half of the passages hold."""

_ADD_TERMS = """
INSERT INTO passage_terms (corpus, passage, length, terms)
SELECT ?1, passage, length, terms
FROM json_to_recordset(CAST(?2 AS JSON)) AS added (passage BIGINT, length INTEGER, terms TEXT)
"""
_ADD_POSTINGS = """
INSERT INTO postings (corpus, term, first, size, passages, occurrences, lengths)
SELECT ?1, term, min(passage), count(*), array_agg(passage ORDER BY passage),
       array_agg(occurrences ORDER BY passage), array_agg(length ORDER BY passage)
FROM (
  SELECT index_key(word) AS term, passage, length, CAST(count(*) AS INTEGER) AS occurrences
  FROM passage_terms, unnest(string_to_array(terms, ' ')) AS word
  WHERE corpus = ?1 AND passage BETWEEN ?2 AND ?3 AND word <> ''
  GROUP BY index_key(word), passage, length
) AS held GROUP BY term
"""
_REMOVE_POSTINGS = """
UPDATE postings SET (size, passages, occurrences, lengths) = (
  SELECT count(*), array_agg(passage), array_agg(occurrence), array_agg(length)
  FROM unnest(passages, occurrences, lengths) AS kept (passage, occurrence, length)
  WHERE NOT passage = ANY (CAST(?2 AS BIGINT[]))
)
WHERE corpus = ?1 AND passages && CAST(?2 AS BIGINT[]) AND term IN (
  SELECT index_key(word) FROM passage_terms, unnest(string_to_array(terms, ' ')) AS word
  WHERE corpus = ?1 AND passage = ANY (CAST(?2 AS BIGINT[]))
)
"""
_REMOVE_TERMS = "DELETE FROM passage_terms WHERE corpus = ? AND passage = ANY (CAST(? AS BIGINT[]))"
_FREQUENCIES = """
SELECT word, sum(size) FROM unnest(string_to_array(?2, ' ')) AS word
JOIN postings ON corpus = ?1 AND term = index_key(word) GROUP BY word
"""
_VOCABULARY = """
SELECT term, sum(size) FROM postings
WHERE corpus = ? AND starts_with(term, ?) AND char_length(term) BETWEEN ? AND ? GROUP BY term HAVING sum(size) > 0
"""
_TOTALS = "SELECT passages, terms FROM corpus_totals WHERE corpus = ?"
_CONTENTS = "SELECT passage, terms FROM passage_terms WHERE corpus = ? AND passage > ? ORDER BY passage LIMIT ?"
_PAGE_SIZE = 1_000
_SEARCH = """
WITH
  asked AS (
    SELECT * FROM json_to_recordset(CAST(?2 AS JSON)) AS each (
      place INTEGER, term TEXT, weight FLOAT8, asked BOOLEAN, held BOOLEAN
    )
  ),
  matched AS MATERIALIZED (
    SELECT passage AS id, sum(
      weight * ((occurrence * CAST(2.2 AS FLOAT8)) / (occurrence + CAST(1.2 AS FLOAT8) * (
        CAST(0.25 AS FLOAT8) + CAST(0.75 AS FLOAT8) * length / CAST(?3 AS FLOAT8)
      ))) ORDER BY place
    ) AS score
    FROM asked JOIN postings ON corpus = ?1 AND postings.term = index_key(asked.term),
    unnest(passages, occurrences, lengths) AS held_by (passage, occurrence, length)
    GROUP BY passage HAVING bool_or(asked) AND bool_or(held)$dated
  ),
  worst AS (SELECT score FROM matched ORDER BY score DESC LIMIT 1 OFFSET ?4 - 1),
  best AS (SELECT id, score FROM matched WHERE score >= coalesce((SELECT score FROM worst), 0))
SELECT first.source, start, "end", heading, first.uri, documents.title, score
FROM (
  SELECT passages.source, start, "end", heading, score, (
    SELECT min(uri) FROM documents WHERE corpus = passages.corpus AND source = passages.source
  ) AS uri
  FROM best JOIN passages USING (id) ORDER BY score DESC, uri, start, "end" LIMIT ?4
) AS first JOIN documents ON documents.corpus = ?1 AND documents.uri = first.uri
ORDER BY score DESC, documents.uri, start, "end"
"""
"""Of passages with the score of the last one there may be thousands: only their paths are read before the limit."""
_DATE_FILTER = """
    AND coalesce((
      SELECT min(published) FROM passages JOIN documents USING (corpus, source) WHERE passages.id = passage
    ), ?5) BETWEEN ?5 AND ?6
"""
"""What has no date is within every range."""


class PostgresTermIndex(TermIndex):
    """The index of the corpus with this number."""

    def __init__(self, database: Database, corpus: int) -> None:
        super().__init__()
        self._database = database
        self._corpus = corpus
        self._totals_at: tuple[int, int, int] | None = None
        """A generation, how many passages the corpus has then, and how many terms these have."""

    @override
    def create(self) -> None:
        pass

    @override
    def drop(self) -> None:
        for table in ("postings", "passage_terms", "corpus_totals"):
            self._database.run(f"DELETE FROM {table} WHERE corpus = ?", (self._corpus,))  # noqa: S608 -- named above

    @override
    def add(self, rows: Iterable[tuple[int, str]]) -> None:
        added = [(own, _TERM.findall(_lower(terms))) for own, terms in rows]
        if not added:
            return
        passages = [{"passage": own, "length": len(terms), "terms": " ".join(terms)} for own, terms in added]
        self._database.run(_ADD_TERMS, (self._corpus, json.dumps(passages, ensure_ascii=False)))
        ids = [own for own, _ in added]
        self._database.run(_ADD_POSTINGS, (self._corpus, min(ids), max(ids)))

    @override
    def remove(self, ids: Iterable[int]) -> None:
        gone = _array(ids)
        self._database.run(_REMOVE_POSTINGS, (self._corpus, gone))
        self._database.run("DELETE FROM postings WHERE corpus = ? AND size = 0", (self._corpus,))
        self._database.run(_REMOVE_TERMS, (self._corpus, gone))

    @override
    def contents(self) -> Iterator[tuple[int, str]]:
        last = 0
        while page := self._database.rows(_CONTENTS, (self._corpus, last, _PAGE_SIZE)):
            yield from page
            last = page[-1][0]

    @override
    def vocabulary(self, start: str, lengths: tuple[int, int]) -> Mapping[str, int]:
        rows = self._database.rows(_VOCABULARY, (self._corpus, start, *lengths))
        return {term: int(passages) for term, passages in rows}

    @override
    def _count(self, terms: Sequence[str]) -> Mapping[str, int]:
        asked = " ".join(term for term in terms if _TERM.fullmatch(term))
        return {word: int(passages) for word, passages in self._database.rows(_FREQUENCIES, (self._corpus, asked))}

    @override
    def _count_passages(self) -> int:
        return self._totals(self._generation)[0]

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
        passages, terms = self._totals(generation)
        counts = self.frequencies((*asked, *held), generation)
        filters = only_filters and bool(held)
        counted = asked if filters else (*held, *held, *asked)
        rows = [
            (term, _weight(passages, counts[term]), True, not filters and (term in held or not held))
            for term in counted
        ]
        rows += [(term, 0.0, False, True) for term in held] if filters else []
        weighed = [
            {"place": place, "term": term, "weight": weight, "asked": is_asked, "held": is_held}
            for place, (term, weight, is_asked, is_held) in enumerate(rows)
        ]
        values = (self._corpus, json.dumps(weighed), terms / passages, limit)
        if dates.is_open:
            return self._database.rows(_SEARCH.replace("$dated", ""), values)
        return self._database.rows(_SEARCH.replace("$dated", _DATE_FILTER), (*values, *dates.bounds))

    def _totals(self, generation: int) -> tuple[int, int]:
        known = self._totals_at
        if known is None or known[0] != generation:
            passages, terms = self._database.row(_TOTALS, (self._corpus,)) or (0, 0)
            known = self._totals_at = (generation, int(passages), int(terms))
        return known[1:]


def _weight(passages: int, holding: int) -> float:
    """Return the inverse document frequency of a term, as FTS5 computes it."""
    weight = log((passages - holding + 0.5) / (holding + 0.5))
    return weight if weight > 0 else _COMMON_TERM_WEIGHT


def _lower(terms: str) -> str:
    return terms.encode(errors="surrogatepass").lower().decode(errors="surrogatepass")


def _array(ids: Iterable[int]) -> str:
    return "{" + ",".join(map(str, ids)) + "}"
