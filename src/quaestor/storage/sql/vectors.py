"""The table `vectors`, and the passages of a corpus by their nearness to a vector.

Every distance to 50,000 vectors of 384 numbers takes a third of a second in Python. So passages are first compared by
the signs of their numbers, at a tenth of a microsecond each, and the distance is taken to the best of these alone.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from hashlib import sha256
from itertools import islice
from json import dumps
from math import dist
from struct import pack, unpack
from threading import Lock
from typing import NamedTuple

from quaestor.contracts.errors import UsageError
from quaestor.contracts.library import Vector
from quaestor.contracts.source import DateRange
from quaestor.storage.sql.database import Database, ResultRow

_SHORTLIST_SIZE = 2_000
"""Passages to which the distance is taken; a corpus of no more is compared exactly."""
_CHUNK_SIZE = 500
_BYTES_PER_NUMBER = 4
_SIGN_TABLE = bytes(ord("0") if byte & 0x80 else ord("1") for byte in range(256))
"""For the highest byte of a number: 1 where it is not negative."""

_PASSAGES = """
SELECT passages.id, passages.source, start, "end", heading, documents.uri, documents.title, coalesce(published, '')
FROM passages
JOIN documents ON documents.corpus = passages.corpus AND documents.source = passages.source
WHERE $which
ORDER BY documents.uri, start, "end"
"""
_PASSAGES_OF_CORPUS = _PASSAGES.replace("$which", "passages.corpus = ?")
_PASSAGES_BY_ID = _PASSAGES.replace("$which", "passages.id IN (SELECT CAST(value AS INTEGER) FROM json_each(?))")
_VECTORS = "SELECT sha256, vector FROM vectors WHERE model = ? AND sha256 IN (SELECT value FROM json_each(?))"


class _IndexedPassage(NamedTuple):
    id: int
    name: str
    """The hash of the text that represents the passage."""
    published: str


def put_vectors(database: Database, model: str, vectors: Mapping[str, Vector]) -> None:
    """Keep the vectors of texts by one embedding model; the first of a text stays.

    Raises UsageError for a vector of another length than the model gave before.
    """
    known = database.row("SELECT length(vector) / ? FROM vectors WHERE model = ? LIMIT 1", (_BYTES_PER_NUMBER, model))
    lengths = {len(vector) for vector in vectors.values()}.union(known or ())
    if len(lengths) > 1:
        raise UsageError(
            f"vectors by {model} have {' and '.join(map(str, sorted(lengths)))} numbers, so they cannot be compared; "
            "if another model goes by this name now, use one with a name of its own"
        )
    database.execute_many(
        "INSERT INTO vectors (model, sha256, vector) VALUES (?, ?, ?) ON CONFLICT (model, sha256) DO NOTHING",
        [(model, _text_hash(text), _pack(vector)) for text, vector in vectors.items()],
    )


def fetch_vector(database: Database, model: str, text: str) -> Vector | None:
    """Return the vector of a text, or None."""
    row = database.row("SELECT vector FROM vectors WHERE model = ? AND sha256 = ?", (model, _text_hash(text)))
    return _unpack(row[0]) if row else None


def delete_vectors(database: Database, texts: Iterable[str]) -> None:
    """Delete the vectors of texts by whatever model."""
    names = dumps([_text_hash(text) for text in texts])
    for (model,) in database.rows("SELECT DISTINCT model FROM vectors"):
        database.run(
            "DELETE FROM vectors WHERE model = ? AND sha256 IN (SELECT value FROM json_each(?))", (model, names)
        )


def embedded_texts(database: Database, corpus: int, text_of: Callable[[str], str]) -> Iterator[Sequence[str]]:
    """Yield the texts that stand for the passages of a corpus, in chunks; none where there are no vectors."""
    if database.rows("SELECT 1 FROM vectors LIMIT 1"):
        rows = _once_each(database.rows(_PASSAGES_OF_CORPUS, (corpus,)))
        while chunk := list(islice(rows, _CHUNK_SIZE)):
            yield [_embedded_text(row, text_of) for row in chunk]


class VectorIndex:
    """The passages of one corpus with their vectors by one embedding model.

    A passage is embedded as its title, its heading and its words, a line each; `text_of` gives the text of a source.
    """

    def __init__(self, database: Database, corpus: int, model: str, text_of: Callable[[str], str]) -> None:
        self._database = database
        self._corpus = corpus
        self._model = model
        self._text_of = text_of
        self._generation = -1
        self._passages: list[_IndexedPassage] = []
        self._signs: dict[str, int] = {}
        self._waiting: dict[str, int] = {}
        """A passage for every text of which no vector was seen yet."""
        self._searching = Lock()

    def missing(self, generation: int, limit: int) -> list[str]:
        """Return the first texts without a vector; `generation` numbers the states of the corpus."""
        with self._searching:
            self._at(generation)
            ids = [self._waiting[name] for name in self._load_missing(limit)]
            texts = {row[0]: self._text(row) for row in self._rows(ids)}
            return [texts[own] for own in ids]

    def nearest(self, vector: Vector, limit: int, generation: int, dates: DateRange) -> list[ResultRow]:
        """Return the passages nearest to a vector, best first: source, start, end, heading, uri, title, cosine.

        Only those with a vector and a cosine above 0; equal ones are in order of uri and start. Their
        source must be dated within `dates`.
        """
        first, last = dates.bounds
        with self._searching:
            self._at(generation)
            self._load_missing(len(self._waiting))
            there = [
                passage
                for passage in self._passages
                if passage.name in self._signs and (not passage.published or first <= passage.published <= last)
            ]
            shortlist = self._shortlist(vector, there)
        scores = self._cosines(vector, shortlist)
        best = sorted(scores, key=lambda passage: -scores[passage])[:limit]
        rows = {row[0]: row[1:7] for row in self._rows([passage.id for passage in best])}
        return [(*rows[passage.id], scores[passage]) for passage in best]

    def _load_missing(self, limit: int) -> list[str]:
        """Look for vectors that were kept since, until so many of the texts that wait are known to have none."""
        lacking: list[str] = []
        for names in _chunks(list(self._waiting)):
            for name, vector in self._vectors(names):
                self._signs[name] = _sign_bits(vector)
                del self._waiting[name]
            lacking += [name for name in names if name in self._waiting]
            if len(lacking) >= limit:
                break
        return lacking[:limit]

    def _shortlist(self, vector: Vector, passages: Sequence[_IndexedPassage]) -> Sequence[_IndexedPassage]:
        """Return those that agree with a vector in the most signs, in their order."""
        if len(passages) <= _SHORTLIST_SIZE:
            return passages
        query_signs = _sign_bits(_pack(vector))
        differing = [(self._signs[passage.name] ^ query_signs).bit_count() for passage in passages]
        return [
            passages[place]
            for place in sorted(sorted(range(len(passages)), key=differing.__getitem__)[:_SHORTLIST_SIZE])
        ]

    def _cosines(self, vector: Vector, passages: Sequence[_IndexedPassage]) -> dict[_IndexedPassage, float]:
        """Return the cosines above 0; of vectors of length 1 it is one less half the square of their distance."""
        cosines: dict[str, float] = {}
        for names in _chunks(list(dict.fromkeys(passage.name for passage in passages))):
            cosines |= {name: 1 - dist(vector, _unpack(each)) ** 2 / 2 for name, each in self._vectors(names)}
        return {passage: cosines[passage.name] for passage in passages if cosines[passage.name] > 0}

    def _at(self, generation: int) -> None:
        if generation == self._generation:
            return
        rows = _once_each(self._database.rows(_PASSAGES_OF_CORPUS, (self._corpus,)))
        self._passages = [_IndexedPassage(row[0], _text_hash(self._text(row)), row[-1]) for row in rows]
        self._signs.clear()
        self._waiting = {passage.name: passage.id for passage in self._passages}
        self._generation = generation

    def _rows(self, ids: Sequence[int]) -> list[ResultRow]:
        return list(_once_each(self._database.rows(_PASSAGES_BY_ID, (dumps(ids),))))

    def _vectors(self, names: Sequence[str]) -> list[ResultRow]:
        return self._database.rows(_VECTORS, (self._model, dumps(names)))

    def _text(self, row: ResultRow) -> str:
        return _embedded_text(row, self._text_of)


def _once_each(rows: Iterable[ResultRow]) -> Iterator[ResultRow]:
    """Return each passage with the first document that has its text."""
    seen: set[int] = set()
    for row in rows:
        if row[0] not in seen:
            seen.add(row[0])
            yield row


def _embedded_text(row: ResultRow, text_of: Callable[[str], str]) -> str:
    _, source, start, end, heading, _, title, _ = row
    return "\n".join(filter(None, (title, heading, text_of(source)[start:end])))


def _chunks(names: Sequence[str]) -> Iterator[Sequence[str]]:
    rest = iter(names)
    return iter(lambda: list(islice(rest, _CHUNK_SIZE)), [])


def _text_hash(text: str) -> str:
    return sha256(text.encode(errors="replace")).hexdigest()


def _pack(vector: Iterable[float]) -> bytes:
    numbers = tuple(vector)
    return pack(f"<{len(numbers)}f", *numbers)


def _unpack(vector: bytes) -> Vector:
    return unpack(f"<{len(vector) // _BYTES_PER_NUMBER}f", vector)


def _sign_bits(vector: bytes) -> int:
    """Return the signs of the numbers, a bit each."""
    return int(vector[_BYTES_PER_NUMBER - 1 :: _BYTES_PER_NUMBER].translate(_SIGN_TABLE), 2)
