"""The schema, as the named steps that lead to it. A step that was released is never changed; a new one follows it.

`schema.sql` is what the first of them come to: a new store begins with it.
"""

import json
from collections.abc import Callable, Collection, Sequence
from contextlib import ExitStack
from functools import partial
from pathlib import Path

from quaestor.storage.encoding import unpack
from quaestor.storage.errors import newer_release
from quaestor.storage.references import named_corpora, named_hashes, named_workspaces
from quaestor.storage.sqlite.connection import APPLICATION_ID, DatabasePath, SqliteDatabase, open_database
from quaestor.version import __version__

Migration = tuple[str, str]
"""A name and its SQL."""

_SET_APPLICATION_ID = f"PRAGMA application_id = {APPLICATION_ID};"

_SESSIONS = """
CREATE TABLE migrations (
  name     TEXT PRIMARY KEY,
  version  TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE sessions (
  id          TEXT PRIMARY KEY,
  task_key    TEXT NOT NULL,
  workflow    TEXT NOT NULL,
  question    TEXT NOT NULL,
  created_at  TEXT NOT NULL,
  events      INTEGER NOT NULL,
  cycle       INTEGER NOT NULL,
  last_at     TEXT,
  outcome     TEXT,
  head        TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX sessions_by_task ON sessions (task_key);

CREATE TABLE blobs (
  sha256  TEXT PRIMARY KEY,
  size    INTEGER NOT NULL,
  data    BLOB NOT NULL
) STRICT;

CREATE TABLE events (
  session_id  TEXT NOT NULL REFERENCES sessions (id),
  seq         INTEGER NOT NULL,
  cycle       INTEGER NOT NULL,
  at          TEXT NOT NULL,
  state       TEXT NOT NULL,
  type        TEXT NOT NULL,
  version     INTEGER NOT NULL,
  body        TEXT,
  blob        TEXT REFERENCES blobs (sha256),
  previous    TEXT NOT NULL,
  hash        TEXT NOT NULL,
  PRIMARY KEY (session_id, seq),
  CHECK ((body IS NULL) <> (blob IS NULL))
) STRICT, WITHOUT ROWID;

CREATE TABLE leases (
  session_id  TEXT PRIMARY KEY REFERENCES sessions (id),
  epoch       INTEGER NOT NULL,
  host        TEXT NOT NULL,
  pid         INTEGER NOT NULL,
  started     TEXT NOT NULL,
  expires_at  TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE VIEW events_readable AS
SELECT session_id, seq, cycle, at, state, type, version,
       coalesce(body, CAST(sqlar_uncompress(blobs.data, blobs.size) AS TEXT)) AS body
FROM events LEFT JOIN blobs ON blobs.sha256 = events.blob;
"""

_LIBRARY = """
CREATE TABLE sources (
  sha256        TEXT PRIMARY KEY REFERENCES blobs (sha256),
  title         TEXT NOT NULL,
  uri           TEXT NOT NULL,
  media_type    TEXT NOT NULL,
  characters    INTEGER NOT NULL,
  retrieved_at  TEXT NOT NULL
) STRICT;

CREATE TABLE corpora (
  number      INTEGER PRIMARY KEY,
  roots       TEXT NOT NULL UNIQUE,
  generation  INTEGER NOT NULL
) STRICT;

CREATE TABLE documents (
  corpus       INTEGER NOT NULL REFERENCES corpora (number),
  uri          TEXT NOT NULL,
  title        TEXT NOT NULL,
  size         INTEGER NOT NULL,
  modified_ns  INTEGER NOT NULL,
  source       TEXT REFERENCES sources (sha256),
  skipped      TEXT,
  PRIMARY KEY (corpus, uri),
  CHECK ((source IS NULL) <> (skipped IS NULL))
) STRICT;

CREATE INDEX documents_by_source ON documents (corpus, source);

CREATE TABLE passages (
  id       INTEGER PRIMARY KEY,
  corpus   INTEGER NOT NULL REFERENCES corpora (number),
  source   TEXT NOT NULL REFERENCES sources (sha256),
  start    INTEGER NOT NULL,
  "end"    INTEGER NOT NULL,
  heading  TEXT NOT NULL
) STRICT;

CREATE INDEX passages_by_source ON passages (corpus, source);
"""

_REPLIES = """
CREATE TABLE replies (
  call   TEXT PRIMARY KEY,
  reply  TEXT NOT NULL
) STRICT, WITHOUT ROWID;
"""

_DATES_AND_PAGES = """
ALTER TABLE sources ADD COLUMN published TEXT;
ALTER TABLE sources ADD COLUMN pages TEXT NOT NULL DEFAULT '[]';
"""

_COMMANDS = """
CREATE TABLE commands (
  session_id  TEXT NOT NULL REFERENCES sessions (id),
  number      INTEGER NOT NULL,
  at          TEXT NOT NULL,
  body        TEXT NOT NULL,
  settled     TEXT CHECK (settled IN ('obeyed', 'refused')),
  refusal     TEXT,
  PRIMARY KEY (session_id, number),
  CHECK ((settled IS 'refused') = (refusal IS NOT NULL))
) STRICT;

CREATE INDEX commands_waiting ON commands (session_id, number) WHERE settled IS NULL;
"""

_VECTORS = """
CREATE TABLE vectors (
  model   TEXT NOT NULL,
  sha256  TEXT NOT NULL,
  vector  BLOB NOT NULL,
  PRIMARY KEY (model, sha256)
) STRICT;
"""

_TODOS_AND_OUTCOMES = """
ALTER TABLE events ADD COLUMN todo_id TEXT;

PRAGMA writable_schema = ON;
UPDATE sqlite_schema SET sql = replace(sql, 'state, type', 'state, todo_id, type') WHERE name = 'events_readable';
PRAGMA writable_schema = RESET;

UPDATE sessions SET outcome = 'no_result' WHERE outcome = 'no_evidence';
"""
# The view is changed in its place: SQLite's integrity check passes over unused pages where a view is the newest table.

_TENANTS = """
ALTER TABLE sessions ADD COLUMN tenant TEXT NOT NULL DEFAULT 'local';

CREATE INDEX sessions_by_time ON sessions (created_at, id);

CREATE TABLE tokens (
  sha256      TEXT PRIMARY KEY,
  name        TEXT NOT NULL UNIQUE,
  kind        TEXT NOT NULL CHECK (kind IN ('token', 'browser')),
  scope       TEXT NOT NULL CHECK (scope IN ('read', 'run', 'admin')),
  tenant      TEXT NOT NULL,
  created_at  TEXT NOT NULL,
  expires_at  TEXT,
  revoked_at  TEXT
) STRICT, WITHOUT ROWID;

CREATE TABLE requests (
  tenant      TEXT NOT NULL,
  key         TEXT NOT NULL,
  body        TEXT NOT NULL,
  session_id  TEXT NOT NULL,
  at          TEXT NOT NULL,
  PRIMARY KEY (tenant, key)
) STRICT, WITHOUT ROWID;
"""

_PROVENANCE = """
CREATE INDEX events_by_blob ON events (blob) WHERE blob IS NOT NULL;

ALTER TABLE documents ADD COLUMN media_type TEXT NOT NULL DEFAULT '';
ALTER TABLE documents ADD COLUMN retrieved_at TEXT NOT NULL DEFAULT '';
ALTER TABLE documents ADD COLUMN published TEXT;
ALTER TABLE documents ADD COLUMN pages TEXT NOT NULL DEFAULT '[]';
UPDATE documents SET (media_type, retrieved_at, published, pages) = (
  SELECT media_type, retrieved_at, published, pages FROM sources WHERE sha256 = source
) WHERE source IS NOT NULL;

ALTER TABLE sources RENAME TO texts;

CREATE TABLE session_corpora (
  session_id  TEXT NOT NULL,
  corpus      INTEGER NOT NULL,
  PRIMARY KEY (session_id, corpus)
) STRICT, WITHOUT ROWID;

CREATE INDEX sessions_by_corpus ON session_corpora (corpus);

CREATE TABLE session_sources (
  session_id    TEXT NOT NULL,
  source        TEXT NOT NULL REFERENCES texts (sha256),
  title         TEXT NOT NULL,
  uri           TEXT NOT NULL,
  media_type    TEXT NOT NULL,
  retrieved_at  TEXT NOT NULL,
  published     TEXT,
  pages         TEXT NOT NULL,
  PRIMARY KEY (session_id, source)
) STRICT, WITHOUT ROWID;

CREATE INDEX sessions_by_source ON session_sources (source);

INSERT INTO session_corpora (session_id, corpus)
SELECT DISTINCT events.session_id, corpora.number
FROM events LEFT JOIN blobs ON sha256 = blob, json_each(named_corpora(body, size, data)) AS named
JOIN corpora ON corpora.number = named.value
WHERE events.seq = 1;

CREATE TEMP TABLE named AS
SELECT DISTINCT events.session_id, texts.sha256 AS source
FROM events LEFT JOIN blobs ON blobs.sha256 = blob, json_each(named_hashes(body, size, data)) AS named
JOIN texts ON texts.sha256 = named.value;

INSERT INTO session_sources (session_id, source, title, uri, media_type, retrieved_at, published, pages)
SELECT session_id, source, title, documents.uri, media_type, retrieved_at, published, pages
FROM temp.named JOIN session_corpora USING (session_id) JOIN documents USING (corpus, source) WHERE true
ORDER BY documents.uri
ON CONFLICT DO NOTHING;

INSERT INTO session_sources (session_id, source, title, uri, media_type, retrieved_at, published, pages)
SELECT session_id, source, title, uri, media_type, retrieved_at, published, pages
FROM temp.named JOIN texts ON sha256 = source WHERE true
ON CONFLICT DO NOTHING;

DROP TABLE temp.named;

ALTER TABLE texts DROP COLUMN title;
ALTER TABLE texts DROP COLUMN uri;
ALTER TABLE texts DROP COLUMN media_type;
ALTER TABLE texts DROP COLUMN retrieved_at;
ALTER TABLE texts DROP COLUMN published;
ALTER TABLE texts DROP COLUMN pages;

CREATE VIEW sources AS
SELECT sha256, title, uri, media_type, characters, min(retrieved_at) AS retrieved_at, published, pages
FROM texts LEFT JOIN (
  SELECT source, title, uri, media_type, retrieved_at, published, pages FROM session_sources
  UNION ALL
  SELECT source, title, uri, media_type, retrieved_at, published, pages FROM documents
) ON source = sha256
GROUP BY sha256;

CREATE TABLE session_workspaces (
  session_id  TEXT NOT NULL,
  name        TEXT NOT NULL,
  PRIMARY KEY (session_id, name)
) STRICT, WITHOUT ROWID;

INSERT INTO session_workspaces (session_id, name)
SELECT DISTINCT session_id, value
FROM events LEFT JOIN blobs ON sha256 = blob, json_each(named_workspaces(body, size, data))
WHERE events.seq = 1;
"""
# A home of before has one name for a text, that of the first session: it is given to a session only where no document
# of its own corpora has the text. The view is not the last step, for the reason above.

_TOMBSTONES = """
CREATE TABLE tombstones (
  session_id   TEXT PRIMARY KEY,
  tenant       TEXT NOT NULL,
  created_at   TEXT NOT NULL,
  erased_at    TEXT NOT NULL,
  events       INTEGER NOT NULL,
  head         TEXT NOT NULL,
  corpora      TEXT NOT NULL,
  workspaces   TEXT NOT NULL,
  finished_at  TEXT
) STRICT, WITHOUT ROWID;
"""

_SIGNATURES = """
CREATE TABLE signatures (
  session_id  TEXT NOT NULL,
  events      INTEGER NOT NULL,
  head        TEXT NOT NULL,
  key         TEXT NOT NULL,
  signed_at   TEXT NOT NULL,
  signature   TEXT NOT NULL,
  PRIMARY KEY (session_id, events, head, key)
) STRICT, WITHOUT ROWID;
"""

_SESSION_STATUS = """
ALTER TABLE sessions ADD COLUMN status TEXT;
ALTER TABLE sessions ADD COLUMN progress TEXT;

CREATE INDEX leases_held ON leases (session_id) WHERE expires_at <> '1970-01-01T00:00:00.000000Z';
"""

_SNAPSHOTS = """
CREATE TABLE snapshots (
  session_id  TEXT PRIMARY KEY,
  events      INTEGER NOT NULL,
  head        TEXT NOT NULL,
  fold        TEXT NOT NULL,
  sha256      TEXT NOT NULL,
  size        INTEGER NOT NULL,
  data        BLOB NOT NULL
) STRICT;
"""

_RUNNING_SESSIONS = """
CREATE INDEX sessions_running ON sessions (id, tenant, created_at)
WHERE status IN ('running', 'stopped') AND outcome IS NULL;
"""

# Several of a session, by name and place. It is a cache: what was in it is folded again.
_NAMED_SNAPSHOTS = """
DROP TABLE snapshots;

CREATE TABLE snapshots (
  session_id  TEXT NOT NULL,
  name        TEXT NOT NULL,
  events      INTEGER NOT NULL,
  head        TEXT NOT NULL,
  fold        TEXT NOT NULL,
  sha256      TEXT NOT NULL,
  size        INTEGER NOT NULL,
  data        BLOB NOT NULL,
  PRIMARY KEY (session_id, name, events)
) STRICT;
"""

_EVENT_TYPES = """
CREATE INDEX events_by_type ON events (session_id, type, seq);
"""

_QUEUE = """
ALTER TABLE sessions ADD COLUMN queued_at TEXT;
ALTER TABLE sessions ADD COLUMN due_at TEXT;

DROP INDEX sessions_running;
CREATE INDEX sessions_running ON sessions (id, tenant, created_at, queued_at)
WHERE status IN ('running', 'stopped') AND outcome IS NULL;
CREATE INDEX sessions_due ON sessions (due_at) WHERE status = 'paused' AND due_at IS NOT NULL AND outcome IS NULL;

CREATE TABLE workers (
  host     TEXT NOT NULL,
  pid      INTEGER NOT NULL,
  started  TEXT NOT NULL,
  places   INTEGER NOT NULL,
  since    TEXT NOT NULL,
  seen_at  TEXT NOT NULL,
  carried  INTEGER NOT NULL,
  drains   INTEGER NOT NULL,
  PRIMARY KEY (host, pid, started)
) STRICT, WITHOUT ROWID;
"""

_TURNS_OF_REQUESTS = """
ALTER TABLE requests ADD COLUMN anchor INTEGER NOT NULL DEFAULT 0;
"""

_LIMITS = """
CREATE TABLE provider_limits (
  provider      TEXT PRIMARY KEY,
  paused_until  REAL NOT NULL,
  request_at    REAL NOT NULL,
  token_at      REAL NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE provider_slots (
  provider  TEXT NOT NULL,
  number    INTEGER NOT NULL,
  until     REAL NOT NULL,
  PRIMARY KEY (provider, number)
) STRICT, WITHOUT ROWID;
"""

# NULL is not known: it is folded from the events of the session when it is listed.
_COSTS_AND_FOLDERS = """
ALTER TABLE sessions ADD COLUMN dollars TEXT;
ALTER TABLE sessions ADD COLUMN folder TEXT;
"""

_INDEX_FORM = "ALTER TABLE documents ADD COLUMN form INTEGER NOT NULL DEFAULT 1;"

MIGRATIONS: Sequence[Migration] = (
    ("0001_sessions", _SET_APPLICATION_ID + _SESSIONS),
    ("0002_library", _LIBRARY),
    ("0003_replies", _REPLIES),
    ("0004_dates_and_pages", _DATES_AND_PAGES),
    ("0005_commands", _COMMANDS),
    ("0006_vectors", _VECTORS),
    ("0007_todos_and_outcomes", _TODOS_AND_OUTCOMES),
    ("0008_tenants_and_tokens", _TENANTS),
    ("0009_provenance", _PROVENANCE),
    ("0010_tombstones", _TOMBSTONES),
    ("0011_signatures", _SIGNATURES),
    ("0012_session_status", _SESSION_STATUS),
    ("0013_snapshots", _SNAPSHOTS),
    ("0014_running_sessions", _RUNNING_SESSIONS),
    ("0015_named_snapshots", _NAMED_SNAPSHOTS),
    ("0016_event_types", _EVENT_TYPES),
    ("0017_queue", _QUEUE),
    ("0018_turns_of_requests", _TURNS_OF_REQUESTS),
    ("0019_limits", _LIMITS),
    ("0020_costs_and_folders", _COSTS_AND_FOLDERS),
    ("0021_index_form", _INDEX_FORM),
)

LAST_IN_SCHEMA = "0021_index_form"
"""The last step whose result is in `schema.sql`."""


def open_migrated(place: DatabasePath) -> SqliteDatabase:
    """Open the database at a path, made if there is none, with every step taken. Raises as `migrate` does."""
    database = open_database(place)
    with ExitStack() as undo:
        undo.callback(database.close)
        migrate(database)
        database.keep_wal_on_close(False)
        undo.pop_all()
    return database


def migrate(database: SqliteDatabase, migrations: Sequence[Migration] = MIGRATIONS) -> None:
    """Run the steps a database has not had, each in one transaction with its record.

    Raises SetupError, before anything is changed, when a newer release already took steps unknown to this one.
    """
    taken = _applied_migrations(database)
    newer = {name: version for name, version in taken.items() if name not in dict(migrations)}
    if newer:
        raise newer_release(database.path, *max(newer.items()))
    if not taken and LAST_IN_SCHEMA in dict(migrations):
        taken = _create_schema(database)
    for scan in (named_hashes, named_corpora, named_workspaces):
        database.register(scan.__name__, partial(_scan, scan))
    for name, script in migrations:
        if name not in taken:
            _apply_migration(database, name, script)


def _create_schema(database: SqliteDatabase) -> dict[str, str]:
    """Create the tables of a new store; return the steps it has then, by name, with the version that took them."""
    with database.writing():
        if taken := _applied_migrations(database):
            return taken  # another process that opened the store at the same time was first
        database.run(_SET_APPLICATION_ID + Path(__file__).with_name("schema.sql").read_text(encoding="utf-8"))
        known = {name: __version__ for name, _ in MIGRATIONS if name <= LAST_IN_SCHEMA}
        database.execute_many("INSERT INTO migrations (name, version) VALUES (?, ?)", known.items())
    return known


def _apply_migration(database: SqliteDatabase, name: str, script: str) -> None:
    with database.writing():
        if name in _applied_migrations(database):
            return  # another process that opened the store at the same time was first
        database.run(script)
        database.run("INSERT INTO migrations (name, version) VALUES (?, ?)", (name, __version__))


def _scan(scan: Callable[[str], Collection[str | int]], body: str | None, size: int | None, data: bytes | None) -> str:
    """Return as a JSON array what an event refers to; nothing where its body cannot be read, which `verify` names."""
    content = body or unpack(size or 0, data or b"").decode(errors="replace")
    return json.dumps(sorted(scan(content)))


def _applied_migrations(database: SqliteDatabase) -> dict[str, str]:
    if not database.rows("SELECT name FROM sqlite_schema WHERE name = 'migrations'"):
        return {}
    return dict(database.rows("SELECT name, version FROM migrations"))
